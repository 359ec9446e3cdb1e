"""A compaction that the user has asked for, while it goes on: one at a time, and no turn begins before it is over."""

from collections.abc import Awaitable, Callable

import trio

from actors.errors import failed


class AskedCompaction:
    def __init__(self) -> None:
        self._scope: trio.CancelScope | None = None
        self.over = trio.Event()
        self.over.set()

    @property
    def is_on(self) -> bool:
        return self._scope is not None

    def begin(self) -> trio.CancelScope:
        """For `run`, which has to follow at once."""
        self._scope, self.over = trio.CancelScope(), trio.Event()
        return self._scope

    async def run(
        self, scope: trio.CancelScope, compact: Callable[[], Awaitable[None]], stopped: Callable[[], Awaitable[None]]
    ) -> None:
        """stopped: follows where it was. Raises Failed, also then."""
        try:
            with scope:
                await compact()
            if scope.cancelled_caught:
                await stopped()
        finally:
            self._scope = None
            self.over.set()
        if scope.cancelled_caught:
            raise failed("refused", "interrupted: the conversation is as it was.")

    async def stop(self) -> None:
        if self._scope is not None:
            self._scope.cancel()
            await self.over.wait()
