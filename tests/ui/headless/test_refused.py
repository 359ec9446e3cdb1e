"""When a turn that was refused something counts as refused, and when as done: the reason agrees with the exit code."""

import pytest

from actors.messages.conversation import AssistantMessage, ToolCall, ToolResult
from ui.headless.report import Tally, result

CALL = ToolCall(call_id="c", name="bash", arguments="{}")
ASKING = AssistantMessage(model="m", blocks=(CALL,), stop_reason="tool_calls")
ANSWER = AssistantMessage(model="m", blocks=(), stop_reason="end_turn")
REFUSED = ToolResult(call_id="c", name="bash", output="denied", summary="--mode auto", failed=True, denied=True)
RAN, FAILED = (
    ToolResult(call_id="c", name="bash", output=""),
    ToolResult(call_id="c", name="bash", output="", failed=True),
)


@pytest.mark.parametrize(
    ("rounds", "reason"),
    [
        ([[RAN]], "done"),
        ([[REFUSED]], "refused"),
        ([[RAN], [REFUSED]], "refused"),
        ([[REFUSED], [REFUSED, REFUSED]], "refused"),
        ([[REFUSED], [RAN]], "done"),
        ([[REFUSED], [RAN], [REFUSED]], "refused"),
        ([[REFUSED, RAN]], "done"),
        ([[RAN, REFUSED]], "done"),
        ([[REFUSED], [FAILED]], "refused"),
        ([[REFUSED], [RAN], [FAILED]], "done"),
    ],
)
def test_a_turn_is_refused_when_nothing_worked_after_the_last_refusal(
    rounds: list[list[ToolResult]], reason: str
) -> None:
    tally = Tally()

    for results in rounds:
        for body in (ASKING, *results):
            tally.add(body)
    tally.add(ANSWER)

    assert tally.reason("done") == reason
    assert tally.reason("budget") == "budget"
    assert result(tally, "done", "")["refused"] == (["--mode auto"] if tally.refused else [])
