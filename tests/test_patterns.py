"""Every regular expression of the source reads in linear time, whatever the text."""

import re

import pytest

from tests.ambiguity import Slow, slow
from tests.patterns import patterns


def test_every_pattern_is_linear() -> None:
    """Make a repeat possessive, bound it, or let what follows it begin with what it does not take."""
    found = [(one.where, slow(one.pattern, method)) for one in patterns() for method in sorted(one.methods)]

    assert {where: how for where, how in found if how} == {}


def test_no_group_is_repeated_possessively() -> None:
    """Python before 3.11.5 matches `(...)*+` wrongly, its issue 106052: write `(?>(...)*)`."""
    texts = {one.where: one.pattern.pattern for one in patterns()}

    assert [where for where, text in texts.items() if re.search(r"\)(?:[*+?]|\{[\d,]+\})\+", _text(text))] == []


def _text(pattern: str | bytes) -> str:
    return pattern if isinstance(pattern, str) else pattern.decode()


def test_patterns_are_found_wherever_they_are_made() -> None:
    found = {one.where: one.methods for one in patterns()}

    assert found["actors.tools.output: 'OVERWRITTEN'"] == {"search"}
    assert found["actors.gate.bash.programs.git_tables: 'CHECKS_SIGNATURES'"] == {"match"}
    assert found["actors.tools.code.checkers: 'ALL'"] == {"match"}


@pytest.mark.parametrize(
    ("pattern", "method", "expected"),
    [
        (r"(a+)+b", "match", Slow("exponential", "a")),
        (r"(?:a?b?)*c", "match", Slow("exponential", "b")),
        (r"(?:a|b|ab)+", "fullmatch", Slow("exponential", "a")),
        (r"(?:a{1,3})*c", "match", Slow("exponential", "a")),
        (rb"(?:<!--(?s:.)*?-->)*<html", "match", Slow("exponential", "-")),
        (r"a*a*b", "match", Slow("quadratic", "a")),
        (r"a*b", "search", Slow("quadratic", "a")),
        (r"\s+$", "search", Slow("quadratic", "\t")),
        (r".*-.*", "fullmatch", Slow("quadratic", "-0")),
        (r"a(?!b*c)", "search", None),
        (r"(?!b*c)b", "search", Slow("quadratic", "b")),
        (r"(['\"])x*\1y*x", "search", None),
        (r"a*b", "match", None),
        (r"a+", "search", None),
        (r"(?s).*-.*", "fullmatch", None),
        (r"(?<!a)a*b", "search", None),
        (r".*\r(?=[^\n])", "search", Slow("quadratic", "0")),
        (r"(?m)^[^\n]*\r(?=[^\n])", "search", None),
        (r"a*+a*b", "match", None),
        (r"(?>a*)a*b", "match", None),
        (r"(?:[^a\\]|\\.)*+a", "match", None),
        (r"\b\w+\b=", "search", None),
    ],
)
def test_what_is_read_in_many_ways_is_slow(pattern: str | bytes, method: str, expected: Slow | None) -> None:
    assert slow(re.compile(pattern), method) == expected
