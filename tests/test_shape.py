"""The shape of the code itself: sizes, opening sentences, no patching."""

import ast
from functools import cache
from typing import NamedTuple

from tests import ROOT

SOURCES = sorted(path for folder in ("actors", "supervisor", "ui", "tests") for path in (ROOT / folder).rglob("*.py"))
FILE_LINES = 400
FUNCTION_LINES = 50
TOP_LEVEL = {
    "pyproject.toml",
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "CHANGELOG.md",
    "justfile",
    "docs",
    "actors",
    "supervisor",
    "ui",
    "tests",
}


class Shape(NamedTuple):
    lines: int
    functions: list[tuple[str, int]]
    """Name and lines of each."""
    opening: str
    """The first paragraph of its docstring."""
    patches: list[int]
    """The lines in which a test patches something."""


def shape(text: str) -> Shape:
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    return Shape(
        lines=len(text.splitlines()),
        functions=[
            (node.name, (node.end_lineno or 0) - node.lineno + 1)
            for node in nodes
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ],
        opening=(ast.get_docstring(tree) or "").split("\n\n")[0].rstrip(),
        patches=[
            node.lineno
            for node in nodes
            if isinstance(node, ast.Attribute)
            and node.attr in {"setattr", "delattr"}
            and isinstance(node.value, ast.Name)
            and node.value.id == "monkeypatch"
        ],
    )


@cache
def shapes() -> dict[str, Shape]:
    """By path, of those that are not empty; read once, for a test of its own for each file cost more than all this."""
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in SOURCES}
    return {path: shape(text) for path, text in texts.items() if text}


def test_a_file_stays_readable() -> None:
    assert {path: each.lines for path, each in shapes().items() if each.lines > FILE_LINES} == {}


def test_a_function_stays_readable() -> None:
    functions = [(path, *function) for path, each in shapes().items() for function in each.functions]

    assert [function for function in functions if function[2] > FUNCTION_LINES] == []


def test_a_module_opens_with_a_sentence() -> None:
    assert [path for path, each in shapes().items() if not each.opening.endswith((".", "?", ":", "!"))] == []


def test_nothing_is_patched() -> None:
    assert {path: each.patches for path, each in shapes().items() if each.patches} == {}


def test_what_is_too_long_unopened_or_patched_is_found() -> None:
    text = "def f():\n    monkeypatch.setattr(x, y)\n\n\n    return 1\n"

    assert shape(text) == Shape(lines=5, functions=[("f", 5)], opening="", patches=[2])


def test_the_top_level_stays_small() -> None:
    visible = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}

    assert {name for name in visible - TOP_LEVEL if not name.endswith(".egg-info")} == set()


def test_the_turn_loop_stays_under_150_lines() -> None:
    turn = ROOT / "actors" / "agent" / "turn.py"

    assert len(turn.read_text().splitlines()) < 150
