"""Calls that bring nothing new are noticed; calls that are only alike are not."""

import pytest

from actors.agent.repetition import noted, repeated
from actors.messages.conversation import AssistantMessage, Body, ToolCall, ToolResult, UserMessage

PROMPT = UserMessage(text="do it", turn_id="t", prompt_id="p")


def step(
    number: int, *, name: str = "bash", arguments: str = '{"command": "make"}', output: str = "error"
) -> list[Body]:
    call = ToolCall(call_id=f"c{number}", name=name, arguments=arguments)
    result = ToolResult(call_id=call.call_id, name=name, output=output)
    return [AssistantMessage(blocks=(call,), stop_reason="tool_calls", model="m"), result]


def turn(*steps: list[Body]) -> list[Body]:
    return [PROMPT, *(body for one in steps for body in one)]


def last(bodies: list[Body]) -> str:
    """What the model reads of the last result."""
    result = bodies[-1]
    assert isinstance(result, ToolResult)
    return noted(bodies[:-1], result).output


def test_the_same_calls_with_the_same_results_are_told_once() -> None:
    stuck = turn(*(step(number) for number in range(3)))
    told = last(stuck)

    assert told.startswith("error\n\n[You have made the same calls 3 times in a row")
    again = [*stuck[:-1], noted(stuck[:-1], stuck[-1]), *step(3)]  # type: ignore[arg-type]
    assert last(again) == "error"
    assert repeated(again) == 4


@pytest.mark.parametrize(
    "steps",
    [
        [step(0), step(1), step(2, output="fine")],
        [step(0), step(1, output="other"), step(2)],
        [step(0), step(1, arguments='{"command": "make -B"}'), step(2)],
        [step(0), step(1)],
        [step(number, name="bash_output", output="nothing new") for number in range(3)],
        [step(0), step(1), [UserMessage(text="again", turn_id="t", prompt_id="p2")], step(2)],
    ],
    ids=["a new result", "one in between", "other arguments", "twice", "waiting", "the user said something"],
)
def test_what_brings_something_new_is_no_loop(steps: list[list[Body]]) -> None:
    assert "in a row" not in last(turn(*steps))


def test_a_turn_without_calls_repeats_nothing() -> None:
    assert repeated([PROMPT]) == 0
    assert repeated([PROMPT, AssistantMessage(blocks=(), stop_reason="end_turn", model="m")]) == 0
