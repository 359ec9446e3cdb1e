"""Which words of a line have changed; and lines that are written to take long."""

import pytest

from ui.screen.transcript import diff, word_marks


def shown(old: str, new: str) -> tuple[str, str] | None:
    (marks,) = word_marks.marked([(old, new)])
    if marks is None:
        return None
    before, after = ("".join(f"[{text}]" if changed else text for changed, text in line) for line in marks)
    return before, after


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        ("return sum(prices) * (1 + rate)", "return sum(prices) * (1 - rate)", "return sum(prices) * (1 [+] rate)",
         "return sum(prices) * (1 [-] rate)"),
        ("    total = 0", "        total = 0", "[    ]total = 0", "[        ]total = 0"),
        ("a = f(x)", "a = f(x, y)", "a = f(x)", "a = f(x[, y])"),
        ("size = 世界", "size = 世間", "size = [世界]", "size = [世間]"),
    ],
)  # fmt: skip
def test_words_that_have_changed_are_marked(old: str, new: str, before: str, after: str) -> None:
    assert shown(old, new) == (before, after)


@pytest.mark.parametrize(
    ("old", "new"), [("old", "new"), ("import os", "x = 1"), ("", "x"), ("same", "same"), ("a " * 300, "a " * 299)]
)
def test_lines_that_have_little_in_common_have_no_marks(old: str, new: str) -> None:
    assert shown(old, new) is None


def test_hostile_lines_are_given_up() -> None:
    pairs = [("a " * 125 + "b " * 125, "b " * 125 + "a " * 125)] * 200

    marks = word_marks.marked(pairs)

    assert marks == [None] * 200


@pytest.mark.parametrize(
    ("signs", "pairs"), [("-+", [(0, 1)]), ("--++", [(0, 2), (1, 3)]), ("-++", [(0, 1)]), ("--+", [(0, 2)]),
                         ("- +", []), ("+-", []), ("-+-+", [(0, 1), (2, 3)]), ("--+-+", [(0, 2), (3, 4)])]
)  # fmt: skip
def test_the_first_removed_line_is_compared_with_the_first_added_one(signs: str, pairs: list[tuple[int, int]]) -> None:
    assert diff._pairs([diff.Line(1, sign, "x") for sign in signs]) == pairs


def test_the_text_of_a_row_is_that_of_the_diff() -> None:
    text = "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-total = price * count\n+total = price * amount\n"

    rows = diff.rows(text)

    assert ["".join(words for _, words in row) for row in rows] == [
        "    1 - total = price * count",
        "    1 + total = price * amount",
    ]
    assert rows[0][-1] == ("removed-word", "count")
    assert rows[1][-1] == ("added-word", "amount")
