"""Whether text says what structured content says."""

from typing import Any

import pytest

from actors.mcp.results.same import says_the_same


@pytest.mark.parametrize(
    ("texts", "structured", "same"),
    [
        (["a list of files"], {"content": "a list of files"}, True),
        (['{"count": 3}'], {"count": 3}, True),
        (["3 files, 2 folders"], {"files": 3, "folders": 2}, True),
        (["three files"], {"files": 3}, False),
        ([], {"files": 3}, False),
        (["aGVsbG8="], {"content": [{"type": "image", "data": "aGVsbG8="}]}, False),
        (["image", "aGVsbG8="], {"content": [{"type": "image", "data": "aGVsbG8="}]}, True),
        (["[" * 5000], {"deep": 1}, False),
    ],
)
def test_a_text_that_has_all_values_says_the_same(texts: list[str], structured: dict[str, Any], same: bool) -> None:
    assert says_the_same(texts, structured) == same


def test_what_goes_too_deep_is_not_compared() -> None:
    deep: dict[str, Any] = {"a": "x"}
    for _ in range(200):
        deep = {"a": deep}

    assert not says_the_same(["x"], deep)
