"""The next step, read off what happened."""

import msgspec
import pytest

from actors.agent.session.history import AskForAnswer, EndTurn, History, RunCalls, next_step, unanswered
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    BrokenTry,
    CallStarted,
    Compacted,
    Named,
    PromptQueued,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.usage import Usage

PROMPT = UserMessage(text="do it", turn_id="t1", prompt_id="t1")
READ = ToolCall(call_id="c1", name="read", arguments="{}")
EDIT = ToolCall(call_id="c2", name="edit", arguments="{}")
CALLS = AssistantMessage(blocks=(READ, EDIT), stop_reason="tool_calls", model="m")
READ_DONE = ToolResult(call_id="c1", name="read", output="text")
EDIT_DONE = ToolResult(call_id="c2", name="edit", output="done")


def answer(stop_reason: StopReason = "end_turn") -> AssistantMessage:
    return AssistantMessage(blocks=(Text(text="done"),), stop_reason=stop_reason, model="m")


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ([PROMPT], AskForAnswer()),
        ([PROMPT, CALLS], RunCalls((READ, EDIT))),
        ([PROMPT, CALLS, CallStarted(call_id="c1")], RunCalls((READ, EDIT))),
        ([PROMPT, CALLS, READ_DONE], RunCalls((EDIT,))),
        ([PROMPT, CALLS, READ_DONE, EDIT_DONE], AskForAnswer()),
        ([PROMPT, CALLS, READ_DONE, EDIT_DONE, answer()], EndTurn("done")),
        ([PROMPT, answer("pause")], AskForAnswer()),
        ([PROMPT, answer(), UserMessage(text="more", turn_id="t1", prompt_id="p2")], AskForAnswer()),
    ],
)
def test_the_next_step(turn: list[Body], expected: object) -> None:
    assert next_step(turn, 40) == expected


@pytest.mark.parametrize("stop_reason", ["refusal", "context_window", "max_tokens", "error"])
def test_an_answer_that_is_none_fails_the_turn(stop_reason: StopReason) -> None:
    step = next_step([PROMPT, answer(stop_reason)], 40)

    assert isinstance(step, EndTurn)
    assert step.reason == "failed"


def test_a_refusal_is_said_in_the_services_words() -> None:
    refused = msgspec.structs.replace(answer("refusal"), stop_details="Looks like malware.")

    assert next_step([PROMPT, refused], 40) == EndTurn(
        "failed",
        "the model refused to answer this (Looks like malware.). Put it in other words, or use another model.",
    )


def test_at_the_limit_the_model_is_asked_to_sum_up_and_then_it_ends() -> None:
    turn: list[Body] = [PROMPT, CALLS, READ_DONE, EDIT_DONE]

    assert next_step(turn, 1) == AskForAnswer(closing=True)
    assert next_step([*turn, answer()], 1) == EndTurn(
        "turn_limit", "stopped after 1 model request. Go on with: trouper -c"
    )


def a_history(*bodies: Body) -> History:
    history = History("s1")
    for body in bodies:
        history.next_entry(body)
    return history


def test_entries_form_a_chain() -> None:
    first, second = a_history(PROMPT, CALLS).entries

    assert (first.parent, second.parent) == ("", first.id)


def test_a_call_that_was_started_and_has_no_result_was_interrupted() -> None:
    history = a_history(PROMPT, CALLS, CallStarted(call_id="c1"), CallStarted(call_id="c2"), EDIT_DONE)

    assert history.interrupted_calls() == (READ,)


def test_a_queued_prompt_waits_until_it_has_joined_or_the_turn_has_ended() -> None:
    queued = PromptQueued(prompt_id="p2", text="also this")
    history = a_history(PROMPT, queued)

    assert history.queue.steers == [queued]
    assert history.turn_of("p2") == "t1"
    history.next_entry(UserMessage(text="also this", turn_id="t1", prompt_id="p2"))
    assert history.queue.steers == []


def test_after_the_end_no_turn_is_open() -> None:
    history = a_history(PROMPT, answer(), TurnEnded(turn_id="t1", reason="done"))

    assert history.turn_id == ""
    assert unanswered(history.open_turn) == ()


def test_what_a_compaction_leaves_behind_was_billed_all_the_same() -> None:
    used = Usage(input_tokens=10, output_tokens=1, cost_usd=0.25)
    history = History("s1")
    for body in (PROMPT, BrokenTry(usage=used), msgspec.structs.replace(answer(), usage=used), Named(usage=used)):
        history.next_entry(body)
    kept = history.next_entry(TurnEnded(turn_id="t1", reason="done"))

    compacted = history.compacted(Compacted(why="asked", usage=used), kept.id)

    assert (compacted.used, compacted.spent_usd) == (used + used + used, 0.75)
