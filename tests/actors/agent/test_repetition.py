"""Calls that bring nothing new are noticed; calls that are only alike are not."""

import pytest

from actors.agent.repetition import PAUSES_AT, noted, pause, repeated
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


def cycle(times: int, *names: str) -> list[list[Body]]:
    """A call of each tool in turn, so many times."""
    return [step(n * len(names) + at, name=name) for n in range(times) for at, name in enumerate(names)]


def test_a_few_calls_that_take_turns_are_told_once_as_well() -> None:
    told = [last(turn(*cycle(4, "read", "grep")[:number])) for number in range(1, 8)]

    assert ["3 times in a row" in text for text in told] == [False, False, False, False, False, True, False]


@pytest.mark.parametrize("names", [("bash",), ("read", "grep"), ("read", "grep", "bash"), ("a", "b", "c", "d")])
def test_a_turn_that_goes_round_and_round_is_paused_at_last_and_not_before(names: tuple[str, ...]) -> None:
    rounds = -(-PAUSES_AT // len(names))
    steps = cycle(rounds + 1, *names)
    early = rounds * len(names) - 1

    assert pause(turn(*steps[:early])) == ""
    assert pause(turn(*steps[: early + 1])).startswith(f"no progress: {early + 1} answers in a row")
    assert pause(turn(*steps, step(999, output="new"))) == ""
    assert pause(turn(*steps, [UserMessage(text="go on", turn_id="t", prompt_id="p2")])) == ""


@pytest.mark.parametrize("name", ["bash_output", "agent_result", "list_agents", "ask_user"])
def test_who_waits_for_something_is_never_told_nor_paused(name: str) -> None:
    waiting = turn(*cycle(60, name))
    beside = turn(*cycle(60, "read", name))

    assert [(repeated(bodies), pause(bodies)) for bodies in (waiting, beside)] == [(0, ""), (0, "")]


def test_tests_that_fail_alike_between_edits_are_no_loop() -> None:
    work = [
        one
        for number in range(60)
        for one in (step(2 * number, name="edit", arguments=str(number)), step(2 * number + 1))
    ]

    assert (repeated(turn(*work)), pause(turn(*work))) == (0, "")


def test_a_turn_without_calls_repeats_nothing() -> None:
    assert repeated([PROMPT]) == 0
    assert repeated([PROMPT, AssistantMessage(blocks=(), stop_reason="end_turn", model="m")]) == 0
