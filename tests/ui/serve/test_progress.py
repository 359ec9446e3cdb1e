"""What an agent does, in few words."""

from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock

from actors.messages.base import Message
from actors.messages.conversation import AssistantMessage, Body, Entry, ToolCall, ToolResult
from actors.messages.model import Retrying, TextDelta
from actors.messages.turn import EntryAdded
from ui.serve.progress import BEAT_S, MOST_CHARS, Progress


def added(body: Body) -> EntryAdded:
    return EntryAdded(entry=Entry(id="e", session_id="s", parent="", body=body, at=0.0))


def calls(*names: str) -> EntryAdded:
    made = tuple(ToolCall(call_id=name, name=name, arguments='{"a": 1}') for name in names)
    return added(AssistantMessage(blocks=made, stop_reason="tool_calls", model="m"))


async def heard(events: tuple[Message, ...], seconds: float) -> list[tuple[float, str | None]]:
    """What was reported in so many seconds after these came at once."""
    told: list[tuple[float, str | None]] = []

    async def report(number: float, _total: float | None, message: str | None) -> None:
        told.append((number, message))

    progress = Progress()
    for event in events:
        progress.hear(event)  # type: ignore[arg-type]  # events all of them
    with trio.move_on_after(seconds):
        await progress.report(report)
    return told


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ((calls("read"),), 'read {"a": 1}'),
        ((calls("a", "b", "c", "d", "e"),), '(1 more)\nb {"a": 1}\nc {"a": 1}\nd {"a": 1}\ne {"a": 1}'),
        ((TextDelta(text="Hel"), TextDelta(text="lo")), "writes: Hello"),
        ((added(ToolResult(call_id="1", name="read", output="no\nfile", failed=True)),), "read failed: no"),
        ((Retrying(why="overloaded", wait_s=9.0),), "waits for the model service: overloaded"),
        ((TextDelta(text="\x1b[2Jtoken=ghp_0123456789012345678901234"),), "writes: \\x1b[2Jtoken=[redacted]"),
    ],
)
async def test_what_is_done_is_told_in_few_words(
    events: tuple[Message, ...], message: str, autojump_clock: MockClock
) -> None:
    autojump_clock.autojump_threshold = 0.001
    assert await heard(events, 0.5) == [(1.0, message)]


async def test_a_line_stays_short(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.001
    ((_, message),) = await heard((added(ToolResult(call_id="1", name="x", output="y" * 999, failed=True)),), 0.5)

    assert message is not None
    assert len(message) == MOST_CHARS


async def test_silence_is_broken_for_clients_that_give_up(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.001
    told = await heard((), 2.5 * BEAT_S)

    assert told == [(1.0, "still at work, after 15 s"), (2.0, "still at work, after 31 s")]


async def test_there_is_at_most_one_a_second(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.001
    told: list[str | None] = []
    progress = Progress()

    async def report(_number: float, _total: float | None, message: str | None) -> None:
        told.append(message)

    async def work(say: Callable[[str], None]) -> None:
        for number in range(50):
            say(str(number))
            await trio.sleep(0.1)

    with trio.move_on_after(5.0):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(progress.report, report)
            nursery.start_soon(work, progress.say)

    assert len(told) <= 6
