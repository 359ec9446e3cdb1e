"""The shape of the code itself: sizes, opening sentences, no patching."""

import ast
from pathlib import Path

import pytest

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

each_source = pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))


@each_source
def test_a_file_stays_readable(path: Path) -> None:
    lines = path.read_text().splitlines()

    assert len(lines) <= FILE_LINES


@each_source
def test_a_function_stays_readable(path: Path) -> None:
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]

    long = [f.name for f in functions if (f.end_lineno or 0) - f.lineno + 1 > FUNCTION_LINES]

    assert long == []


@each_source
def test_a_module_opens_with_a_sentence(path: Path) -> None:
    if path.stat().st_size == 0:
        return
    docstring = ast.get_docstring(ast.parse(path.read_text())) or ""

    assert docstring.split("\n\n")[0].rstrip().endswith((".", "?", ":", "!"))


@each_source
def test_nothing_is_patched(path: Path) -> None:
    banned = {"setattr", "delattr"}
    tree = ast.parse(path.read_text())

    patched = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in banned
        and isinstance(node.value, ast.Name)
        and node.value.id == "monkeypatch"
    ]

    assert patched == []


def test_the_top_level_stays_small() -> None:
    visible = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}

    assert {name for name in visible - TOP_LEVEL if not name.endswith(".egg-info")} == set()


def test_the_turn_loop_stays_under_150_lines() -> None:
    turn = ROOT / "actors" / "agent" / "turn.py"

    assert len(turn.read_text().splitlines()) < 150
