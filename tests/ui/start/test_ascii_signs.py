"""What a terminal without UTF-8 is sent."""

import ast
from collections.abc import Iterator

import pytest
import wcwidth

from tests import ROOT
from ui.start.ascii_signs import plain

SHOWN = ("ui/screen", "ui/start", "ui/common")
NOT_SHOWN = set("\N{REPLACEMENT CHARACTER}\N{FOR ALL}\U000f0000\U0010ffff")
"""Stands for what is not known, and may be a question mark; and bounds of ranges."""


def texts() -> Iterator[str]:
    """Of the source, but for what it says of itself."""
    for path in (path for folder in SHOWN for path in (ROOT / folder).rglob("*.py")):
        tree = ast.parse(path.read_text())
        said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
                yield node.value


def test_every_sign_of_ours_has_one_that_is_ascii() -> None:
    signs = {sign for text in texts() for sign in text if not sign.isascii()} - NOT_SHOWN

    assert {sign for sign in signs if plain(sign) == "?"} == set()
    assert len(signs) > 30


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "❯ find the ● and the …",
        "世界",
        "Größe",
        "e\u0301a",
        "👨‍👩‍👧‍👦 four",
        "\x1b[31m│ 世\x1b[0m",
        "🇩🇪🇫🇷",
        "a\u200bb",
    ],
)
def test_it_takes_as_many_cells(text: str) -> None:
    assert plain(text).isascii()
    assert wcwidth.width(plain(text)) == wcwidth.width(text)


def test_no_letter_becomes_one_that_looks_like_it() -> None:
    assert plain("rm café “a”") == "rm caf? ?a?"
