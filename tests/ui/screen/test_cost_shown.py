"""The cost on the screen: the whole, or that it is unknown; never a part of it."""

import msgspec
import pytest

from actors.agent.session import told
from actors.common.budget import in_words
from actors.messages.conversation import AssistantMessage, Compacted, Entry
from actors.messages.turn import EntryAdded
from actors.messages.usage import Usage
from tests.ui.screen.test_session_view import INFO, rows
from ui.screen.session_view import SessionView
from ui.screen.status import StatusLine
from ui.screen.surroundings.known import Surroundings
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.open_answer import Mark


def used(cost: float | None) -> Usage:
    return Usage(input_tokens=900, output_tokens=100, cost_usd=cost)


def answered(session: SessionView, *costs: float | None) -> SessionView:
    for number, cost in enumerate(costs):
        session.apply(EntryAdded(entry=Entry(id=f"e{number}", session_id="s", parent="", at=0.0, body=body_of(cost))))
    return session


def body_of(cost: float | None) -> AssistantMessage:
    return AssistantMessage(blocks=(), stop_reason="end_turn", model="p/m", usage=used(cost))


def end_of_status_line(session: SessionView) -> str:
    line = StatusLine(session, Surroundings("/w")).row("", 100, Theme(colour=False))
    return line.replace("\x1b[2m", "").replace("\x1b[0m", "").rstrip()


@pytest.mark.parametrize(
    ("costs", "shown"),
    [((0.01, 0.0023), "1.0k tok · $0.0123"), ((0.01, None), "1.0k tok · cost unknown"), ((), "/w")],
)
def test_the_status_line_shows_what_the_session_has_cost(costs: tuple[float | None, ...], shown: str) -> None:
    assert end_of_status_line(answered(SessionView(), *costs)).endswith(shown)


@pytest.mark.parametrize(("before", "shown"), [(0.25, "1.0k tok · $0.26"), (None, "1.0k tok · cost unknown")])
def test_a_later_life_of_the_screen_goes_on_from_what_was_spent(before: float | None, shown: str) -> None:
    session = SessionView(Mark(last="e7"))

    session.apply(msgspec.structs.replace(INFO, used=used(before), latest=used(before)))

    assert in_words(session.used) == in_words(used(before))
    assert session.prompted
    assert end_of_status_line(answered(session, 0.01)).endswith(shown)


def test_a_compaction_is_told_and_its_summary_is_paid_for() -> None:
    session = answered(SessionView(), 0.25)
    body = Compacted(why="asked", told="compacted: half of it", usage=used(0.5), tokens_after=400)

    session.apply(EntryAdded(entry=Entry(id="c", session_id="s", parent="", at=0.0, body=body)))

    assert end_of_status_line(session).endswith("400 tok · $0.75")
    assert "compacted: half of it" in "\n".join(rows(session))


def test_an_answer_that_was_broken_off_leaves_the_context_as_it_was() -> None:
    session = answered(SessionView(), 0.25)
    body = AssistantMessage(blocks=(), stop_reason="cancelled", model="p/m")

    session.apply(EntryAdded(entry=Entry(id="e9", session_id="s", parent="", at=0.0, body=body)))

    assert end_of_status_line(session).endswith("1.0k tok · cost unknown")
    assert told.used([body_of(0.25), body])[1] == used(0.25)
