"""Patterns for names of files."""

from pathlib import PurePath

import pytest

from actors.confinement.errors import ToolFailed
from actors.tools.search.name_patterns import Names


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("", "a.py", True),
        ("*.py", "a.py", True),
        ("*.py", "src/deep/a.py", True),
        ("*.py", "a.pyc", False),
        ("./*.py", "a.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "lib/src/a.py", False),
        ("src/**", "src/deep/a.py", True),
        ("**/test_*.py", "test_a.py", True),
        ("a/**/b.py", "a/b.py", True),
        ("*.{ts,tsx}", "src/a.tsx", True),
        ("{src,lib}/*.py", "lib/a.py", True),
        ("{a,b{c,d}}.py", "bd.py", True),
        ("[ab].py", "c.py", False),
        ("!*.md", "a.py", True),
        ("!*.md", "docs/a.md", False),
        ("docs/", "docs", True),
    ],
)
def test_a_pattern_fits(pattern: str, path: str, expected: bool) -> None:
    assert Names(pattern).fit(PurePath(path)) is expected


@pytest.mark.parametrize(
    ("pattern", "types"),
    [
        ("", []),
        ("src/**", []),
        ("!*.md", []),
        ("src/*.{ts,tsx}", ["--type-add=wanted:*.ts", "--type-add=wanted:*.tsx", "--type=wanted"]),
    ],
)
def test_ripgrep_is_told_what_it_can_leave_out(pattern: str, types: list[str]) -> None:
    assert Names(pattern).types == types


@pytest.mark.parametrize("pattern", ["{a,b}" * 30, "{" + ",".join("ab" * 150) + "}"])
def test_braces_do_not_make_any_number_of_patterns(pattern: str) -> None:
    with pytest.raises(ToolFailed, match="Ask for fewer"):
        Names(pattern)


def test_many_stars_are_no_hard_work() -> None:
    assert not Names("**/" * 40 + "x").fit(PurePath("/".join("a" * 60)))


def test_more_wildcards_than_can_be_tried_are_refused() -> None:
    with pytest.raises(ToolFailed, match="with fewer"):
        Names("**/*/" * 60 + "b").fit(PurePath("/".join("a" * 500)))
