"""What is heard of a subagent while it works."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.agent.subagents.following import THINKS, WAITS, Heard
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Entry,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import Retrying, TextDelta
from actors.messages.turn import EntryAdded, Event, FromSubagent, Notice, TurnStopped
from actors.messages.usage import Usage
from tests.fakes.subagent_stage import a_stage

CALLS = AssistantMessage(
    blocks=(Text(text="I look."), ToolCall(call_id="c", name="read", arguments='{"path": "a.txt"}')),
    stop_reason="tool_calls",
    model="m",
    usage=Usage(input_tokens=1, cost_usd=0.5),
)
RESULT = ToolResult(call_id="c", name="read", output="x")
ANSWER = AssistantMessage(
    blocks=(Text(text="Here."),), stop_reason="end_turn", model="m", usage=Usage(input_tokens=2, cost_usd=0.25)
)
RETRYING = Retrying(why="slow", wait_s=1.0)
NOTICE = Notice(text="it goes on without a checkpoint.")
ENDED = TurnEnded(turn_id="t", reason="done")


def added(body: Body, at: float = 0.0) -> EntryAdded:
    return EntryAdded(entry=Entry(id=type(body).__name__, session_id="s.1", parent="", body=body, at=at))


def heard(met: list[Event] | None = None) -> tuple[Heard, list[str]]:
    changes: list[str] = []
    one = Heard(lambda: changes.append(one.doing), [].append if met is None else met.append)
    return one, changes


def test_what_it_does_is_the_call_that_runs_or_that_it_thinks() -> None:
    one, changes = heard()

    for event in (
        added(UserMessage(text="x", turn_id="t")),
        TextDelta(text="I"),
        added(CALLS),
        added(RESULT),
        Retrying(why="slow", wait_s=1.0),
        added(ANSWER),
        added(ENDED),
    ):
        one.take(event)

    assert changes == [THINKS, "read a.txt", THINKS, WAITS, THINKS, ""]
    assert (one.answer, one.used, one.last_entry) == ("Here.", Usage(input_tokens=3, cost_usd=0.75), "TurnEnded")


def test_the_second_word_of_an_answer_is_no_news() -> None:
    one, changes = heard()

    for _ in range(100):
        one.take(TextDelta(text="word"))

    assert changes == [THINKS]


def test_the_end_of_a_turn_is_told_also_one_that_could_not_be_saved() -> None:
    one, _ = heard()

    assert one.take(added(UserMessage(text="x", turn_id="t"))) is None
    assert one.take(added(ENDED)) == ENDED
    assert one.take(TurnStopped(text="the disk is full.")) == TurnEnded(
        turn_id="", reason="failed", text="the disk is full."
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param('{"command": "make\\n  test"}', "bash make test", id="in one line"),
        pytest.param('{"command": "' + "x" * 500 + '"}', "bash " + "x" * 195, id="cut"),
        pytest.param('{"command": 5}', "bash", id="no text"),
        pytest.param('{"com', "bash", id="no arguments at all"),
        pytest.param("[" * 100_000, "bash", id="deep"),
    ],
)
def test_what_a_call_is_about_is_said_in_a_line(arguments: str, words: str) -> None:
    one, _ = heard()

    one.take(added(replace(CALLS, blocks=(ToolCall(call_id="c", name="bash", arguments=arguments),))))

    assert one.doing == words


def test_who_follows_one_anew_knows_when_it_began_and_when_it_last_did_anything() -> None:
    one, _ = heard()

    one.take(added(UserMessage(text="x", turn_id="t"), 100.0))
    one.take(added(CALLS, 130.0))

    assert (one.began_at, one.last_event_at) == (100.0, 130.0)


def test_what_its_parent_could_not_say_of_it_is_passed_on() -> None:
    met: list[Event] = []
    one, _ = heard(met)

    for event in (TextDelta(text="I"), RETRYING, added(ANSWER), NOTICE):
        one.take(event)

    assert met == [RETRYING, NOTICE]


async def test_who_watches_its_parent_hears_of_it_by_name(tmp_path: Path) -> None:
    async with a_stage(str(tmp_path)) as stage:
        stage.meets, stage.answer = [RETRYING], "Here."
        await stage.spawn(worktree=False)
        await stage.subagents.ended("one")

    assert stage.told == [FromSubagent(name="one", event=RETRYING)]
