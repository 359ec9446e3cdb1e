"""The row that says how long the model thought, and the hint that a call's output can be opened."""

import pytest
import wcwidth
from msgspec.structs import replace

from actors.messages.conversation import (
    AssistantMessage,
    Block,
    Body,
    Entry,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnded,
)
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.turn import CaughtUp, EntryAdded
from tests.ui.screen.samples import ASKED, INFO
from tests.ui.screen.terminals import PLAIN
from ui.screen.session_view import SessionView
from ui.screen.transcript.blocks import ToolDone
from ui.screen.transcript.open_answer import Mark

LOOK = ToolCall(call_id="c", name="bash", arguments='{"command": "ls"}')
MUSED = Thinking(text="let me see")
BUSY = replace(INFO, busy=True)


def entry(body: Body, at: float) -> EntryAdded:
    return EntryAdded(entry=Entry(id=f"e{at}", session_id="s", parent="", body=body, at=at))


def answer(*blocks: Block) -> AssistantMessage:
    return AssistantMessage(blocks=blocks, stop_reason="end_turn", model="p/m")


def asked() -> SessionView:
    session = SessionView()
    session.apply(INFO)
    session.apply(CaughtUp())
    session.apply(entry(ASKED, 100.0))
    rows(session)
    return session


def rows(session: SessionView) -> list[str]:
    return [wcwidth.strip_sequences(row).rstrip() for piece in session.take() for row in piece.rows(60, PLAIN)]


def test_an_answer_begins_with_how_long_it_was_thought_about() -> None:
    session = asked()
    session.apply(ThinkingDelta(text="let me", at=101.0))
    session.apply(ThinkingDelta(text=" see"))
    session.apply(TextDelta(text="It is **so**.\n\nAnd", at=113.2))

    assert rows(session) == ["", "✻ thought for 12s · ctrl+o", "", "It is so."]

    session.apply(TextDelta(text=" more."))
    session.apply(entry(answer(MUSED, Text(text="It is **so**.\n\nAnd more.")), 121.0))

    assert rows(session) == ["", "And more."]


def test_so_does_a_call_without_words() -> None:
    session = asked()
    session.apply(ThinkingDelta(text="let me see", at=101.0))
    session.apply(entry(replace(answer(MUSED, LOOK), thought_ms=75_000), 176.0))
    session.apply(entry(ToolResult(call_id="c", name="bash", output="a\n", ms=100), 177.0))

    assert rows(session)[:3] == ["", "✻ thought for 1:15 · ctrl+o", f"● bash ls{' ' * 47}0.1s"]


@pytest.mark.parametrize(("ms", "told"), [(0, "✻ thought"), (400, "✻ thought for 1s"), (12_345, "✻ thought for 12s")])
def test_a_stored_answer_says_it_with_the_time_that_it_was_stored_with(ms: int, told: str) -> None:
    """Older ones have none."""
    session = asked()
    session.apply(entry(replace(answer(MUSED, Text(text="So.")), thought_ms=ms), 121.0))

    assert rows(session) == ["", f"{told} · ctrl+o", "", "So."]


def test_who_comes_while_it_thinks_says_the_whole_time() -> None:
    session = SessionView(Mark(last="e100.0"))
    session.apply(BUSY, 128.0)
    session.apply(ThinkingDelta(text="let me see", at=100.0), 130.0)
    session.apply(TextDelta(text="So.\n\n", at=142.0), 142.0)

    assert rows(session) == ["", "✻ thought for 42s · ctrl+o", "", "So."]


def test_a_screen_that_died_amid_the_answer_says_it_once() -> None:
    session = asked()
    session.apply(ThinkingDelta(text="let me see", at=101.0))
    session.apply(TextDelta(text="It is so.\n\nAnd", at=103.0))
    rows(session)

    after = SessionView(session.mark)
    after.apply(BUSY)
    after.apply(ThinkingDelta(text="let me see", at=101.0))
    after.apply(TextDelta(text="It is so.\n\nAnd more.", at=103.0))
    after.apply(entry(answer(MUSED, Text(text="It is so.\n\nAnd more.")), 105.0))

    assert rows(after) == ["", "And more."]


def test_what_was_thought_in_a_try_that_failed_does_not_count() -> None:
    session = asked()
    session.apply(ThinkingDelta(text="let me see", at=101.0))
    session.apply(Retrying(why="busy", wait_s=1.0), 150.0)
    session.apply(TextDelta(text="So.\n\n"), 152.0)

    assert rows(session) == ["", "So."]


def test_nothing_is_said_of_thinking_that_was_interrupted_before_anything_came_of_it() -> None:
    session = asked()
    session.apply(ThinkingDelta(text="let me see", at=101.0))
    session.apply(entry(TurnEnded(turn_id="t", reason="interrupted"), 102.0))

    assert rows(session) == ["", "■ interrupted"]


@pytest.mark.parametrize(
    ("result", "width", "hints"),
    [
        pytest.param(ToolResult(call_id="c", name="bash", output="a\nb\n"), 60, True, id="two lines that no row shows"),
        pytest.param(ToolResult(call_id="c", name="bash", output="a\n"), 60, False, id="one line"),
        pytest.param(ToolResult(call_id="c", name="bash", output="a\nb"), 20, False, id="the title needs the room"),
        pytest.param(ToolResult(call_id="c", name="bash", output="a\nb", denied=True), 60, False, id="it did not run"),
        pytest.param(ToolResult(call_id="c", name="bash", output="a\nb", failed=True), 60, False, id="it is shown"),
    ],
)
def test_a_call_whose_output_is_not_shown_names_the_key_that_opens_it(
    result: ToolResult, width: int, hints: bool
) -> None:
    (head, *_) = ToolDone("bash", "ls -la", result, gap=False).rows(width, PLAIN)

    assert ("ctrl+o" in head) == hints
    assert "ls -la" in head
