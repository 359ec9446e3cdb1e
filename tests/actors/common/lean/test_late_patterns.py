"""A pattern that is compiled when it is first used is one in all other ways."""

import re

import pytest

from actors.common.lean.late_patterns import late_pattern

WORD = late_pattern(r"(?P<first>a)b", re.IGNORECASE)


def test_it_is_read_as_any_other() -> None:
    assert [found["first"] for found in WORD.finditer("ab AB")] == ["a", "A"]
    assert WORD.sub("-", "xABx") == "x-x"
    assert WORD.pattern == r"(?P<first>a)b"
    assert late_pattern(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_what_is_wrong_with_it_is_said_when_it_is_used() -> None:
    wrong = late_pattern("(")

    with pytest.raises(re.error):
        wrong.search("")
