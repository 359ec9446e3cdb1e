"""The loop: prompt -> model -> tool calls -> results -> again until none. No I/O of its own: Ports do everything.

Each step is read off the history and written to it before the next, so the loop can be left and entered anywhere.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from actors.agent.parallel_calls import in_groups
from actors.agent.repetition import noted, pause
from actors.agent.session.history import (
    OUTCOME_UNKNOWN,
    AskForAnswer,
    EndTurn,
    History,
    RunCalls,
    after_cut,
    next_step,
    results_of_the_undone,
    untried,
)
from actors.agent.session.queue import said
from actors.errors import Failed
from actors.messages.base import Problem, ProblemCode
from actors.messages.conversation import (
    Body,
    EndReason,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import Answer

REASONS: dict[ProblemCode, EndReason] = {"no_credentials": "no_credentials", "over_budget": "budget"}
"""Every other problem is a failure."""


class Save(Protocol):
    async def __call__(self, *bodies: Body) -> None: ...


class SaveSoon(Protocol):
    def __call__(self, *bodies: Body) -> None: ...


class Ports(msgspec.Struct, frozen=True):
    """The loop's way out."""

    ask_model: Callable[[bool], Awaitable[Answer]]
    """closing -> a whole answer. Raises Failed."""
    run_call: Callable[[ToolCall], Awaitable[ToolResult]]
    """Decide, run, report: always a result. Raises Failed only when nothing can be saved any more."""
    runs_beside: Callable[[ToolCall], bool]
    """It changes nothing, so others like it may run at the same time."""
    before_end: Callable[[EndTurn], Awaitable[str | EndTurn]]
    """What the model has to be told instead of ending so; else how the turn ends. Raises Failed."""
    save: Save
    """save(*bodies): on disk, all or none, with all before them, when it returns. Raises Failed."""
    save_soon: SaveSoon
    """On disk with what is saved next, or some milliseconds later."""


async def run_turn(history: History, ports: Ports, max_requests: int) -> None:
    """From wherever the open turn stands to its end, which is saved. Cancelled, it leaves the turn open."""
    for call in history.interrupted_calls():
        await ports.save(ToolResult(call_id=call.call_id, name=call.name, output=OUTCOME_UNKNOWN, failed=True))
    while True:
        match next_step(history.open_turn, max_requests):
            case RunCalls(calls=calls):
                await _run_calls(calls, history, ports)
            case AskForAnswer(closing=closing):
                await _join_queued(history, ports)
                if why := pause(history.open_turn):
                    await _end(history, ports, EndTurn("no_progress", why))
                    return
                await ports.save()
                try:
                    answer = await ports.ask_model(closing)
                except Failed as failure:
                    await _end(history, ports, end_of(failure.problem, history))
                    return
                _take_answer(history, ports, answer)
            case EndTurn() as end:
                told = await ports.before_end(end)
                if isinstance(told, str):
                    await ports.save(UserMessage(text=told, turn_id=history.turn_id))
                elif not await _join_queued(history, ports):
                    await _end(history, ports, told)
                    return


async def heal(history: History, ports: Ports, end: EndTurn) -> None:
    """Close a turn that was left open: a result for every call, then its end."""
    await ports.save(*results_of_the_undone(history, end))
    await _end(history, ports, end)


def end_of(problem: Problem, history: History) -> EndTurn:
    """What the service would not take with a prompt stays out: else each later request would fail, too."""
    reason = REASONS.get(problem.code, "failed")
    text = f"{problem.text} {problem.hint}".strip()
    if problem.code not in ("bad_request", "context_overflow"):
        return EndTurn(reason, text, code=problem.code)
    prompts = untried(entry.body for entry in history.entries)
    names = [one.name for prompt in prompts for one in prompt.attachments]
    left_out = f" Left out from now on: {', '.join(names)}." if names else ""
    return EndTurn(reason, text + left_out, tuple(prompt.prompt_id for prompt in prompts), problem.code)


def _take_answer(history: History, ports: Ports, answer: Answer) -> None:
    """What follows is saved before it counts: a start, a result, the end of the turn. One append has room for both."""
    bodies: list[Body] = [answer.message]
    if answer.message.stop_reason == "max_tokens" and not answer.message.calls:
        bodies.append(UserMessage(text=after_cut(answer.cut_call), turn_id=history.turn_id))
    ports.save_soon(*bodies)


async def _run_calls(calls: tuple[ToolCall, ...], history: History, ports: Ports) -> None:
    async def run(call: ToolCall) -> None:
        result = await ports.run_call(call)
        await ports.save(noted(history.open_turn, result))

    await in_groups(calls, ports.runs_beside, run)


async def _join_queued(history: History, ports: Ports) -> bool:
    """Prompts that came meanwhile become part of the conversation."""
    joined = bool(history.queue.steers)
    while steers := history.queue.steers:  # looked at anew each time: one may be withdrawn while another is saved
        await ports.save(said(steers[0], history.turn_id))
    return joined


async def _end(history: History, ports: Ports, end: EndTurn) -> None:
    """What steers and still waits becomes part of the conversation: it was accepted, and the next turn has it.

    What was to begin the next turn comes back, unless this one is done: see actors/DECISIONS, queued prompts.
    """
    await _join_queued(history, ports)
    ended = TurnEnded(
        turn_id=history.turn_id, reason=end.reason, text=end.text, refused_prompts=end.refused_prompts, code=end.code
    )
    await ports.save(*(history.queue.given_back() if end.reason != "done" else ()), ended)
