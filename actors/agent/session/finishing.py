"""What has begun is finished, though whoever asked for it dies meanwhile."""

from collections.abc import Awaitable, Callable

import trio

from actors.errors import Failed


async def to_its_end(nursery: trio.Nursery, turn: trio.Lock, act: Callable[[], Awaitable[None]]) -> None:
    """In the nursery, when it is its turn. Raises Failed."""
    failures: list[Failed] = []
    over = trio.Event()

    async def finish() -> None:
        try:
            async with turn:
                await act()
        except Failed as failure:
            failures.append(failure)
        over.set()

    nursery.start_soon(finish)
    await over.wait()
    for failure in failures:
        raise failure
