"""From another program: a look at a batch that runs, or a word to it."""

import math
import socket
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
import trio

from supervisor.tree_socket import address
from ui.batch.live.standing import Standing
from ui.batch.live.words import LONGEST, Ended, Inside, NobodyThere, Pause, Pauses, Said, line, path_of

PATIENCE_S = 5.0
"""For the first word of a program that lives."""


class Visit:
    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._data = b""
        self._lines: deque[bytes] = deque()

    async def word(self) -> Inside | None:
        """The next one; None: its program was killed. Raises NobodyThere where it is of another version."""
        while not self._lines:
            if not (more := await self._more()):
                return None
            *whole, self._data = (self._data + more).split(b"\n")
            self._lines.extend(whole)
        try:
            word: Inside = msgspec.json.decode(self._lines.popleft(), type=Inside)
        except msgspec.DecodeError as error:
            raise NobodyThere("the program that runs it is of another version.") from error
        return word

    async def _more(self) -> bytes:
        if len(self._data) > LONGEST:
            return b""
        try:
            return await self._stream.receive_some(65536)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return b""

    async def ask_to_pause(self, who: str) -> None:
        """It is acknowledged among the words. Raises NobodyThere."""
        try:
            await self._stream.send_all(line(Pause(who)))
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise NobodyThere("the program that ran it has just ended.") from error


@asynccontextmanager
async def visit(home: str, run_id: str) -> AsyncIterator[Visit]:
    """Raises NobodyThere."""
    client = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        await client.connect(address(path_of(home, run_id)))
    except OSError as error:
        client.close()
        raise NobodyThere("no program runs it now.") from error
    async with trio.SocketStream(client) as stream:
        yield Visit(stream)


async def standing_of(home: str, run_id: str) -> Standing | None:
    """None: no program runs it, or it does not answer."""
    with trio.move_on_after(PATIENCE_S):
        try:
            async with visit(home, run_id) as there:
                while (word := await there.word()) is not None:
                    if isinstance(word, Standing):
                        return word
        except NobodyThere:
            return None
    return None


async def pause(home: str, run_id: str, who: str, said: Callable[[str], None]) -> Ended | None:
    """Until its program has ended; None: it was killed before. said: what it says meanwhile.

    Raises NobodyThere, also when it does not answer.
    """
    async with visit(home, run_id) as there:
        await there.ask_to_pause(who)
        with trio.move_on_after(PATIENCE_S) as answering:
            while (word := await there.word()) is not None:
                match word:
                    case Pauses():
                        answering.deadline = math.inf
                    case Said(text=text):
                        said(text)
                    case Ended():
                        return word
                    case Standing():
                        pass
        if answering.cancelled_caught:
            raise NobodyThere("its program does not answer; it may be stopped (then: fg in its terminal).")
    return None
