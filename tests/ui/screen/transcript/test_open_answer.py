"""The open block: laid out once for what it says, and anew when that, the width or the theme is another."""

from ui.screen.terminal.theme import Theme
from ui.screen.terminal.themes.built_in import MONO
from ui.screen.transcript.open_answer import OpenAnswer

PLAIN = Theme(colour=False)


def test_the_open_block_goes_on_with_the_text() -> None:
    answer = OpenAnswer()
    answer.feed("one two")
    before = answer.rows(80, PLAIN)

    answer.feed(" three")

    assert [before, answer.rows(80, PLAIN)] == [["", "one two"], ["", "one two three"]]


def test_a_block_that_has_closed_is_not_open_any_more() -> None:
    answer = OpenAnswer()
    answer.feed("one")
    answer.rows(80, PLAIN)

    answer.finish()

    assert (answer.tail(), answer.rows(80, PLAIN)) == ([], [])


def test_the_open_block_is_laid_out_for_the_width() -> None:
    answer = OpenAnswer()
    answer.feed("one two three")

    assert [answer.rows(width, PLAIN) for width in (80, 8, 80)] == [
        ["", "one two three"],
        ["", "one two", "three"],
        ["", "one two three"],
    ]


def test_the_open_block_wears_what_the_theme_does() -> None:
    theme, answer = Theme(), OpenAnswer()
    answer.feed("`code`")
    before = answer.rows(80, theme)

    theme.wear(MONO)

    after = OpenAnswer()
    after.feed("`code`")
    assert answer.rows(80, theme) == after.rows(80, theme) != before
