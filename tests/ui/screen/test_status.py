"""The status line: its fixed order, and what gives way when it gets narrow."""

import pytest
import wcwidth

from actors.messages.model import Retrying
from actors.messages.system import ActorRestarted
from actors.messages.usage import Usage
from tests.ui.screen.test_session_view import INFO
from ui.screen.session_view import SessionView
from ui.screen.status import StatusLine, still_for
from ui.screen.surroundings.known import Surroundings
from ui.screen.terminal.theme import Theme
from ui.screen.terminal.themes.built_in import MONO

PLAIN, COLOURED = Theme(colour=False), Theme(colour=True)
NOW = 1000.0
BEGINNING, MODE = " sonnet-5", "accept-edits: medium risk"


def session(tokens: int = 18_200, cost: float = 0.14) -> SessionView:
    it = SessionView()
    it.apply(INFO)
    it.name, it.effort, it.mode, it.sandbox = "anthropic/sonnet-5", "high", "accept-edits", "bubblewrap"
    it.usage = it.used = Usage(input_tokens=tokens, cost_usd=cost)
    return it


def around() -> Surroundings:
    return Surroundings("~/src/shop", "main*", {"anthropic/sonnet-5": 200_000})


def line(it: SessionView, known: Surroundings, width: int, theme: Theme = PLAIN) -> str:
    row = StatusLine(it, known, NOW).row("", width, theme)
    return wcwidth.strip_sequences(row) if theme is PLAIN else row


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (140, f"{BEGINNING} high · {MODE} · sandbox: bubblewrap · ~/src/shop (main*) · 9% · 18.2k tok · $0.14"),
        (110, f"{BEGINNING} high · {MODE} · sandbox: bubblewrap · ~/src/shop (main*) · 9% · $0.14"),
        (90, f"{BEGINNING} high · {MODE} · sandbox: bubblewrap · main* · 9% · $0.14"),
        (80, f"{BEGINNING} · {MODE} · main* · 9% · $0.14"),
        (50, f"{BEGINNING} · {MODE} · $0.14"),
        (10, " accept-e…"),
    ],
)
def test_what_matters_most_stays(width: int, shown: str) -> None:
    assert line(session(), around(), width) == shown


@pytest.mark.parametrize(
    ("tokens", "style", "shown"),
    [
        (200, "dim", "1%"),
        (128_000, "dim", "64%"),
        (130_000, "warning", "65%"),
        (160_000, "error", "80%"),
        (210_000, "error", "105%"),
    ],
)
def test_the_context_gets_a_colour_as_it_fills(tokens: int, style: str, shown: str) -> None:
    assert COLOURED.paint(style, shown) in line(session(tokens), around(), 120, COLOURED)


def test_of_a_model_whose_window_is_not_known_only_the_tokens_are_shown() -> None:
    it = session()
    it.name = "local/own"

    assert "(main*) · 18.2k tok · $0.14" in line(it, around(), 120)


def test_a_wait_is_counted_down_and_a_restart_is_named() -> None:
    it, known = session(), around()
    it.busy = True
    it.apply(Retrying(why="slow down", wait_s=75, again=True), NOW)
    known.died(ActorRestarted(name="providers", why="killed", restarts=1), it, NOW)

    assert line(it, known, 80) == " accept-edits: medium risk · waits 1:15 · providers restarted, resuming"


def test_it_is_drawn_anew_only_while_something_changes_by_itself() -> None:
    it = session()
    quiet = still_for(it, 0.125, 1.0)
    it.apply(Retrying(why="slow down", wait_s=75, again=True), NOW)
    waiting = still_for(it, 0.125, 1.0)
    it.busy = True

    assert (quiet, waiting, still_for(it, 0.125, 1.0)) == (float("inf"), 1.0, 0.125)


def test_another_theme_is_seen_at_once() -> None:
    theme, it = Theme(), session(170_000)
    before = line(it, around(), 140, theme)

    theme.wear(MONO)

    assert before != (worn := line(it, around(), 140, theme))
    assert wcwidth.strip_sequences(worn) == wcwidth.strip_sequences(before)
