"""A fake server beside a test that is no trio task: it runs in a thread of its own."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

import trio

Server = TypeVar("Server")


@contextmanager
def in_thread(opened: Callable[[], AbstractAsyncContextManager[Server]]) -> Iterator[Server]:
    ready, servers = threading.Event(), list[Server]()
    enough = trio.Event()

    async def serve() -> None:
        async with opened() as server:
            servers.append(server)
            tokens.append(trio.lowlevel.current_trio_token())
            ready.set()
            await enough.wait()

    tokens: list[trio.lowlevel.TrioToken] = []
    thread = threading.Thread(target=trio.run, args=(serve,))
    thread.start()
    ready.wait()
    try:
        yield servers[0]
    finally:
        tokens[0].run_sync_soon(enough.set)
        thread.join()
