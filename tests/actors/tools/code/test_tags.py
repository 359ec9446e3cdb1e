"""What is found in source text of each language, and what is not."""

from pathlib import PurePath

import pytest

from actors.tools.code.grammars import GRAMMARS, installed
from actors.tools.code.tags import definitions, references, uses

SOURCES = {
    "a.py": ("class Cart:\n    def total(self):\n        return price(1)\n", ["Cart", "total"], "price"),
    "a.js": ("class Cart { total() { return price(1) } }\n", ["Cart", "total"], "price"),
    "a.ts": (
        "interface Cart { total(): number }\nfunction sum(a: Cart) { return price(1) }\n",
        ["Cart", "total", "sum"],
        "price",
    ),
    "a.tsx": ("export function Page() { return <b>{price(1)}</b> }\n", ["Page"], "price"),
    "a.go": ("package a\n\nfunc Total() int { return price(1) }\n", ["Total"], "price"),
    "a.rs": ("struct Cart;\nimpl Cart { fn total(&self) -> u8 { price(1) } }\n", ["Cart", "total"], "price"),
    "a.java": ("class Cart { int total() { return price(1); } }\n", ["Cart", "total"], "price"),
    "a.c": ("int total(void) { return 1; }\n", ["total"], ""),
    "a.cpp": ("class Cart { public: int total(); };\n", ["Cart", "total"], ""),
    "a.rb": ("class Cart\n  def total\n    price(1)\n  end\nend\n", ["Cart", "total"], "price"),
}


def test_every_language_has_its_grammar_in_the_extra() -> None:
    assert installed() == GRAMMARS


@pytest.mark.parametrize("name", SOURCES)
def test_definitions_and_references_of_a_language(name: str) -> None:
    source, defined, used = SOURCES[name]

    assert [tag.name for tag in definitions(PurePath(name), source.encode())] == defined
    assert used in {"", *(tag.name for tag in references(PurePath(name), source.encode()))}


def test_a_definition_tells_its_line_and_how_deep_it_stands() -> None:
    found = definitions(
        PurePath("a.py"), b"x = 1\n\n\nclass A:\n    def b(self):\n        def c(): ...\n\ndef d(): ...\n"
    )

    assert [(tag.name, tag.line, tag.depth) for tag in found] == [
        ("x", 1, 0),
        ("A", 4, 0),
        ("b", 5, 1),
        ("c", 6, 2),
        ("d", 8, 0),
    ]
    assert found[1].text == "class A:"


def test_uses_leave_out_comments_strings_and_the_definition() -> None:
    source = b"def price(): ...  # price\n'price'\nprint(price())\nself.price = price\n"

    assert [tag.line for tag in uses(PurePath("a.py"), source, "price")] == [3, 4, 4]


@pytest.mark.parametrize("source", [b"", b"class", b"def f(:\n  ((((", b"\xff\xfe\x00class A:\n", b"(" * 50_000])
def test_broken_source_is_no_error(source: bytes) -> None:
    definitions(PurePath("a.py"), source)
    uses(PurePath("a.py"), source, "A")


def test_a_language_that_is_not_understood_has_no_symbols() -> None:
    assert definitions(PurePath("a.txt"), b"class A:\n") == []
    assert uses(PurePath("a.txt"), b"A", "A") == []


def test_what_stands_in_what_is_counted_without_looking_at_all_that_is_open() -> None:
    source = b"def f():\n g()\n" * 3 + b"".join(b" " * at + b"def d():\n" for at in range(100)) + b" " * 100 + b"pass\n"

    assert [tag.depth for tag in definitions(PurePath("a.py"), source)] == [0, 0, 0, *range(100)]


@pytest.mark.parametrize("source", ["(" * 100_000, "def f():\n " + "[" * 100_000, "f(" * 50_000 + ")" * 50_000])
def test_a_file_that_would_keep_the_query_busy_has_no_symbols(source: str) -> None:
    """Without a limit a call takes ten seconds, and the worker counts as hung."""
    found = [*definitions(PurePath("a.py"), source.encode()), *references(PurePath("a.py"), source.encode())]

    assert found == []
