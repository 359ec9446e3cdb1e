"""Reading what a command prints: as long as it runs, the rest of it, or to nobody."""

import os
from collections.abc import Callable

from actors.confinement.processes.process_trees import PIPE_BYTES, read

Feed = Callable[[bytes], None]


async def collect(pipe: int, feed: Feed) -> None:
    """To its end. Cancelled, nothing that was read is lost."""
    while data := await read(pipe):
        feed(data)


def drain(pipe: int, feed: Feed) -> bool:
    """What is left in the pipe of an ended command. True: somebody still holds its other end."""
    for _ in range(PIPE_BYTES // 4096):  # a background process may go on writing for ever
        try:
            data = os.read(pipe, PIPE_BYTES)
        except BlockingIOError:
            return True
        if not data:
            return False
        feed(data)
    return True


async def discard(pipe: int) -> None:
    """Reads to the end and closes it: what runs on in the background must not die of a closed pipe."""
    try:
        while await read(pipe):
            pass
    finally:
        os.close(pipe)
