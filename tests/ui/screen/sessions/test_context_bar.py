"""/context: the bar is right to a cell, and says the same without colours and in a narrow terminal."""

import pytest
from wcwidth import strip_sequences

from actors.messages.turn import Context, ContextPart
from ui.screen.sessions.context_bar import ContextShown
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme

PARTS = (
    ContextPart(name="system prompt", tokens=10_000),
    ContextPart(name="tools", tokens=20_000, detail="12 of them"),
    ContextPart(name="messages", tokens=49_999),
    ContextPart(name="tool results", tokens=1),
)
FULL = Context(model="p/m", window=100_000, parts=PARTS)
PLAIN = Theme(colour=False)


def rows(context: Context, width: int = 101) -> list[str]:
    return [strip_sequences(row) for row in ContextShown(context).rows(width, PLAIN)]


def test_the_bar_and_the_rows_say_the_same() -> None:
    assert rows(FULL, 51) == [
        "",
        "about 80.0k of 100.0k (80 %), in tokens, for the n…",
        "█████▓▓▓▓▓▓▓▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒░··········",
        "█  10.0k  10 %  system prompt",
        "▓  20.0k  20 %  tools  12 of them",
        "▒  50.0k  50 %  messages",
        "░      1  <1 %  tool results",
        "·  20.0k  20 %  free",
    ]
    assert rows(FULL)[1].endswith(" · p/m")


@pytest.mark.parametrize("width", [1, 2, 10, 20, 80, 300])
@pytest.mark.parametrize("colour", [True, False])
def test_no_row_is_wider_than_the_terminal(width: int, colour: bool) -> None:
    shown = ContextShown(FULL).rows(width, Theme(colour=colour))

    assert max(cells.width(row) for row in shown) <= width
    assert any("\x1b[3" in row for row in shown) == colour


def test_more_than_fits_is_said_and_the_bar_is_full() -> None:
    over = rows(Context(model="p/m", window=40_000, parts=PARTS))

    assert "of 40.0k (200 %), more than fits" in over[1]
    assert "·" not in over[2]
    assert not any("free" in row for row in over)


def test_a_window_that_is_not_known_has_nothing_free() -> None:
    shown = rows(Context(model="p/m", window=0, parts=PARTS))

    assert "how many fit is not known" in shown[1]
    assert len(shown) == 3 + len(PARTS)


def test_nothing_at_all_is_an_empty_bar() -> None:
    assert rows(Context(model="p/m", window=0, parts=()), 11)[2] == "·" * 10


def test_what_others_have_named_obeys_nobody() -> None:
    hostile = Context(model="\x1b]0;x\x07m", window=10, parts=(ContextPart(name="a\nb", tokens=1, detail="\x1b[2J"),))

    text = "\n".join(ContextShown(hostile).rows(80, PLAIN))

    assert not any(sign in text for sign in ("\x1b]", "\x07", "\x1b[2J"))
    assert text.count("\n") == 4
