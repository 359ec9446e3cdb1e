"""Closing a turn that was cancelled: every call has a result, with the time it took."""

import time
from itertools import chain

from actors.agent.session.history import CANCELLED_CALL, UNSTARTED_CALL, EndTurn, History
from actors.agent.turn import Ports, heal
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    CallStarted,
    Entry,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)

RAN = ToolCall(call_id="ran", name="bash", arguments="{}")
WAITED = ToolCall(call_id="waited", name="bash", arguments="{}")
TURN: tuple[Body, ...] = (
    UserMessage(text="do it", turn_id="t", prompt_id="t"),
    AssistantMessage(blocks=(RAN, WAITED), stop_reason="tool_calls", model="p/m"),
    CallStarted(call_id="ran"),
)


async def test_a_cancelled_call_has_taken_the_time_since_it_was_started() -> None:
    began = time.time() - 90
    history = History(
        "s", [Entry(id=f"e{n}", session_id="s", parent="", body=it, at=began) for n, it in enumerate(TURN)]
    )
    saved: list[tuple[Body, ...]] = []

    async def save(*bodies: Body) -> None:
        saved.append(bodies)

    async def never(*_: object) -> None:
        raise AssertionError

    ports = Ports(ask_model=never, run_call=never, runs_beside=bool, before_end=never, save=save, save_soon=never)  # type: ignore[arg-type]  # not used
    await heal(history, ports, EndTurn("interrupted"))

    ran, waited, end = chain.from_iterable(saved)
    assert isinstance(ran, ToolResult)
    assert isinstance(waited, ToolResult)
    assert (ran.output, ran.ms >= 90_000) == (CANCELLED_CALL.format(by="cancelled by the user"), True)
    assert (waited.output, waited.ms) == (UNSTARTED_CALL.format(by="cancelled by the user"), 0)
    assert end == TurnEnded(turn_id="t", reason="interrupted")
