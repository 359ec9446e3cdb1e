"""Text as cells: as the library measures it, and in a time that grows no faster than the text."""

import wcwidth
from hypothesis import given
from hypothesis import strategies as st

from ui.screen.terminal import cells

FLAG = "\U0001f1e6"
"""A letter of a flag: two are one."""
PIECES = [FLAG, FLAG * 9, "a", "#", "\u4e2d", "\u0301", "\ufe0f", "\u200d", "\u0600", "\u1161\u11a8"]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_a_text_is_as_wide_as_its_graphemes(text: str) -> None:
    assert cells.width(text) == wcwidth.width(text)


def test_a_row_of_flags_is_measured_and_cut_however_long_it_is() -> None:
    """wcwidth alone needs minutes."""
    flags = FLAG * 300_001

    assert cells.width(flags) == 300_002
    assert cells.extent(flags, 80) == (3751, 2)
    assert cells.clip(flags, 5) == FLAG * 4 + "\u2026"


def test_any_number_of_characters_that_take_no_cell_are_in_one_row() -> None:
    text = "\u1161\u11a8" * 200_000

    assert cells.wrap([("", text)], 80) == [[("", text)]]
