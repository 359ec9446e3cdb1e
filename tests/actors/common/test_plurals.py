"""Counts in words: one place writes them, so that none says "1 lines"."""

import ast
import re
from collections.abc import Iterator

import pytest

from actors.common.plurals import how_many
from tests import ROOT

SOURCES = [path for folder in ("actors", "supervisor", "ui") for path in sorted((ROOT / folder).rglob("*.py"))]
THINGS = (
    "bytes|characters|commits|entries|errors|files|folders|hours|jobs|lines|messages|minutes|models|pages|"
    "places|problems|prompts|repositories|requests|results|rows|rules|seconds|sessions|steps|tasks|times|tokens|words"
)
BY_HAND = re.compile(rf"\+?[)'\"]? (?:(?:more|new|other|changed|blank|model) )?(?:{THINGS})\b")


def by_hand(source: str) -> Iterator[str]:
    """A value in an f-string that is followed by a noun in the plural; limits, which are capital names, are many."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            for value, following in zip(node.values, node.values[1:], strict=False):
                if isinstance(value, ast.FormattedValue) and isinstance(following, ast.Constant):
                    name = ast.unparse(value.value)
                    if not name.rpartition(".")[2].isupper() and BY_HAND.match(str(following.value)):
                        yield f"{node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "file", "0 files"),
        (1, "line", "1 line"),
        (2, "line", "2 lines"),
        (1, "entry", "1 entry"),
        (12, "entry", "12 entries"),
        (3, "day", "3 days"),
        (2, "match", "2 matches"),
        (2, "process", "2 processes"),
        (1, "changed file", "1 changed file"),
        (1_234_567, "byte", "1,234,567 bytes"),
    ],
)
def test_a_count_has_its_noun_in_the_right_number(number: int, noun: str, said: str) -> None:
    assert how_many(number, noun) == said


def test_at_least_one_is_many() -> None:
    assert how_many(1, "file", more=True) == "1+ files"


def test_no_count_is_written_by_hand() -> None:
    found = {str(path.relative_to(ROOT)): list(by_hand(path.read_text())) for path in SOURCES}

    assert {path: counts for path, counts in found.items() if counts} == {}


def test_counts_by_hand_are_found() -> None:
    assert len(list(by_hand('x = f"{len(a)} lines", f"{n}{more} other files", f"at most {limits.MOST} files"'))) == 2
