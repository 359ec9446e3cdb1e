"""Text as cells: as the library measures it, and in a time that grows no faster than the text."""

import wcwidth
from hypothesis import given, settings
from hypothesis import strategies as st

from ui.screen.terminal import cells

FLAG = "\U0001f1e6"
"""A letter of a flag: two are one."""
PIECES = [FLAG, FLAG * 9, "a", "#", "\u4e2d", "\u0301", "\ufe0f", "\u200d", "\u0600", "\u1161\u11a8"]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_a_text_is_as_wide_as_the_library_says_and_never_narrower_than_its_graphemes(text: str) -> None:
    """They differ where a joiner joins nothing."""
    assert cells.width(text) >= sum(map(wcwidth.width, wcwidth.iter_graphemes(text)))
    assert cells.width(text.replace(cells.JOINER, "")) == wcwidth.width(text.replace(cells.JOINER, ""))


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["a", "世", "👩", "👩\u200d👧", "\u200d", "\x1b[31m", "\x1b[0m", "\u0301"]), max_size=20
    ).map("".join),
    st.integers(0, 9),
)
def test_what_is_cut_fits_wherever_joiners_stand(text: str, most: int) -> None:
    cut = cells.clip(text, most)

    on_its_own = sum(map(wcwidth.width, wcwidth.iter_graphemes(wcwidth.strip_sequences(cut))))
    assert max(cells.width(cut), on_its_own) <= most


def test_a_joiner_joins_pictures_and_nothing_else() -> None:
    assert [cells.width(text) for text in ("a\u200d世", "\u200d世", "👩\u200d世", "👩\u200d👧")] == [3, 2, 4, 2]
    assert cells.clip("a\u200d世世世", 4) == "a\u200c世…"


def test_a_row_of_flags_is_measured_and_cut_however_long_it_is() -> None:
    """wcwidth alone needs minutes."""
    flags = FLAG * 300_001

    assert cells.width(flags) == 300_002
    assert cells.extent(flags, 80) == (3751, 2)
    assert cells.clip(flags, 5) == FLAG * 4 + "\u2026"


def test_any_number_of_characters_that_take_no_cell_are_in_one_row() -> None:
    text = "\u1161\u11a8" * 200_000

    assert cells.wrap([("", text)], 80) == [[("", text)]]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["a", "世", "e\u0301", "👍", "word", " ", "\n", "é", "ж" * 9]), max_size=30).map("".join),
    st.integers(2, 9),
)
def test_all_that_is_written_is_in_rows_that_fit(text: str, width: int) -> None:
    rows = ["".join(part for _, part in row) for row in cells.wrap([("", text)], width)]

    assert "".join("".join(rows).split()) == "".join(text.split())
    assert [row for row in rows if cells.width(row) > width] == []


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["a", "word", "x" * 12, " ", "   ", "\n", "é"]), max_size=40).map("".join),
    st.integers(1, 20),
)
def test_rows_are_the_same_however_a_text_is_cut(text: str, width: int) -> None:
    assert cells.wrap([("", text)], width) == cells.wrap([("", letter) for letter in text], width)


def test_no_more_is_wrapped_than_is_asked_for() -> None:
    graphemes = iter(["世" * 40, "ж" * 400, "never looked at"])

    rows = cells.wrapping((("", text) for text in graphemes), 10)

    assert [next(rows) for _ in range(10)] == [[("", "世" * 5)]] * 8 + [[("", "ж" * 10)]] * 2
    assert next(graphemes) == "never looked at"
