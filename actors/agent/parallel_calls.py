"""The calls of one answer: those that change nothing run side by side, the others one by one, in call order."""

from collections.abc import Awaitable, Callable, Iterable
from itertools import groupby

import trio

from actors.errors import Failed
from actors.messages.conversation import ToolCall

AT_ONCE = 8


async def in_groups(
    calls: Iterable[ToolCall], runs_beside: Callable[[ToolCall], bool], run: Callable[[ToolCall], Awaitable[None]]
) -> None:
    """Neighbours that may run side by side do; what stands between two others waits for the one and is waited for.

    Raises Failed, the first one, when those that run beside it are over; nothing is begun after it.
    """
    for beside, group in groupby(calls, runs_beside):
        await _run(list(group), run, at_once=AT_ONCE if beside else 1)


async def _run(calls: list[ToolCall], run: Callable[[ToolCall], Awaitable[None]], at_once: int) -> None:
    failures: list[Failed] = []
    waiting = iter(calls)

    async def take() -> None:
        for call in waiting:
            if failures:
                return
            try:
                await run(call)
            except Failed as failure:
                failures.append(failure)

    async with trio.open_nursery() as nursery:
        for _ in range(min(at_once, len(calls))):
            nursery.start_soon(take)
    if failures:
        raise failures[0]
