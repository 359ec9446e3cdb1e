"""Where a batch stands: what its tasks say in, sums and a few words for each worker out."""

import msgspec
import pytest

from actors.messages.conversation import (
    AssistantMessage,
    Body,
    BrokenTry,
    Entry,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import Retrying, TextDelta
from actors.messages.turn import EntryAdded, Event
from actors.messages.usage import Usage
from ui.batch.live.standing import AtWork, Standing, seconds_left
from ui.batch.live.tracker import Tracker

NOTHING = Standing(run_id="r", began_at=100.0, tasks=4, left=4, workers=2)
USED = Usage(input_tokens=100, output_tokens=20, cost_usd=0.5)
CALL = ToolCall(call_id="c", name="bash", arguments='{"timeout":3,"command":"make test\\nrm x"}')

SEVERAL = tuple(msgspec.structs.replace(CALL, call_id=call_id) for call_id in "cde")


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def entry(body: Body) -> EntryAdded:
    return EntryAdded(entry=Entry(id="e", session_id="s", parent="", body=body, at=1.0))


def asks(*calls: ToolCall) -> EntryAdded:
    return entry(AssistantMessage(blocks=(Text(text="so"), *calls), stop_reason="tool_calls", model="m", usage=USED))


@pytest.mark.parametrize(
    ("event", "doing"),
    [
        (TextDelta(text="x"), "writes"),
        (asks(CALL), "bash make test"),
        (asks(*SEVERAL), "bash make test and 2 more"),
        (asks(msgspec.structs.replace(CALL, arguments="{")), "bash"),
        (asks(msgspec.structs.replace(CALL, name="box___go_1a2b3c", shown="box:go")), "box:go make test"),
        (asks(msgspec.structs.replace(CALL, arguments='{"command":"\\u001b]0;x\\u0007 ghp_' + "a1B2" * 9 + '"}')),
         "bash \\x1b]0;x\\x07 [redacted]"),
        (entry(ToolResult(call_id="c", name="bash", output="")), "asks the model"),
        (entry(UserMessage(text="x", turn_id="t")), "asks the model"),
        (Retrying(why="HTTP 429\nmore", wait_s=7.0), "waits: HTTP 429"),
    ],
)  # fmt: skip
def test_what_a_task_does_is_told_in_a_few_harmless_words(event: Event, doing: str) -> None:
    tracker = Tracker(NOTHING, Clock())
    tracker.begins("a")
    tracker.hears("a", event)

    assert [task.doing for task in tracker.standing().at_work] == [doing]


def test_of_several_calls_those_are_told_that_still_run() -> None:
    tracker, seen = Tracker(NOTHING, Clock()), []
    tracker.begins("a")
    tracker.hears("a", asks(*SEVERAL))
    for call_id in "dce":
        tracker.hears("a", entry(ToolResult(call_id=call_id, name="bash", output="")))
        seen.append(tracker.standing().at_work[0].doing)

    assert seen == ["bash make test and 1 more", "bash make test", "asks the model"]


def test_a_wait_has_an_end_and_is_over_when_something_comes() -> None:
    tracker = Tracker(NOTHING, Clock())
    tracker.begins("a")
    tracker.hears("a", Retrying(why="HTTP 429", wait_s=7.0))
    waits = tracker.standing().at_work[0].wait_until
    tracker.hears("a", TextDelta(text="x"))

    assert (waits, tracker.standing().at_work[0].wait_until) == (107.0, 0.0)


def test_what_is_used_counts_at_once_and_once() -> None:
    tracker = Tracker(NOTHING, Clock())
    tracker.begins("a")
    tracker.hears("a", asks(CALL))
    tracker.hears("a", entry(BrokenTry(usage=USED)))
    under_way = tracker.standing()
    tracker.ends("a", "done", USED + USED)

    assert under_way.at_work == (AtWork(task="a", doing="bash make test", since=100.0, tokens=240, cost_usd=1.0),)
    assert under_way.used == tracker.standing().used == USED + USED


def test_every_task_is_at_work_or_left_or_has_ended() -> None:
    tracker = Tracker(NOTHING, Clock())
    for task in ("a", "b", "c"):
        tracker.begins(task)
    tracker.begins("a")
    tracker.ends("a", "done", USED)
    tracker.ends("b", "failed", USED)
    tracker.gives_back("c")
    standing = tracker.standing()

    assert (standing.ended, standing.at_work, standing.left) == ({"done": 1, "failed": 1}, (), 2)


def test_what_is_left_is_estimated_by_what_has_ended() -> None:
    clock = Clock()
    tracker = Tracker(NOTHING, clock)
    before = seconds_left(tracker.standing(), clock.now)
    tracker.begins("a")
    tracker.begins("b")
    clock.now += 10
    tracker.ends("a", "done", USED)

    assert before is None
    assert seconds_left(tracker.standing(), clock.now) == 10.0
