"""The templates that actors are forked from: the one of all, and those of kinds that import much more."""

import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from supervisor.process.spawner import Process, Spawner

Modules = tuple[str, ...]


class Templates:
    def __init__(self, of_all: Spawner, further: Callable[[Modules], Spawner]) -> None:
        """further: makes the spawner of a kind that preloads these."""
        self._further = further
        self._spawners: dict[Modules, Spawner] = {(): of_all}

    async def warm(self, template: Modules) -> None:
        """Until actors can be forked from it; it is started with the first that wants it."""
        if template not in self._spawners:
            self._spawners[template] = self._further(template)
            with suppress(OSError):  # no descriptor or process to be had: each is a fresh interpreter then
                self._spawners[template].exec_zygote()
        await self._spawners[template].warm()

    async def start(
        self, template: Modules, name: str, modules: Sequence[str], *, secrets: bool
    ) -> tuple[Process, socket.socket]:
        """As of Spawner."""
        return await self._spawners[template].start(name, modules, secrets=secrets)

    @asynccontextmanager
    async def nobody_unknown(self) -> AsyncIterator[set[int]]:
        """Pids of ours that are no actor's; inside, no child of ours has a pid that nobody knows yet."""
        async with AsyncExitStack() as stack:
            for spawner in list(self._spawners.values()):
                await stack.enter_async_context(spawner.lock)
            yield set().union(*(spawner.known for spawner in self._spawners.values()))

    def close(self) -> None:
        for spawner in self._spawners.values():
            spawner.close()
