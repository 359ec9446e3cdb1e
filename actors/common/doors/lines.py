"""JSON lines over the socket of a door, of bounded length: who says too much, or takes nothing, is left alone."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import trio

TAKING_S = 10.0
"""For whoever was written to, to read it."""
PIECE = 64 * 1024
ADDRESS = 100
"""Bytes; a unix socket's address holds 104 to 108."""


class CannotAsk(Exception):
    """Nobody opens, nobody answers, or it is not done. In words for people."""


class Gone(CannotAsk):
    """Nobody opens, or who did has ended meanwhile: perhaps there will be a next life."""


class Silent(CannotAsk):
    """Somebody is there, and says nothing."""


class Lines:
    def __init__(self, stream: trio.SocketStream, longest: int) -> None:
        """longest: bytes of a line from the other side."""
        self._stream = stream
        self._longest = longest
        self._data = bytearray()

    async def say(self, line: msgspec.Struct) -> None:
        """Raises CannotAsk."""
        with trio.move_on_after(TAKING_S) as taking:
            try:
                await self._stream.send_all(msgspec.json.encode(line) + b"\n")
            except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
                raise Gone("it has ended") from error
        if taking.cancelled_caught:
            raise Silent("it does not answer")

    async def hear(self, kind: object) -> Any:  # noqa: ANN401  # a union is no type[...]
        """The next line, which is of this kind. Raises CannotAsk where there is none, or something else."""
        while (end := self._data.find(b"\n")) < 0:
            if len(self._data) > self._longest:
                raise CannotAsk("it says too much")
            try:
                more = await self._stream.receive_some(PIECE)
            except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
                raise Gone("it has ended") from error
            if not more:
                raise Gone("it has ended")
            self._data += more
        line = bytes(self._data[:end])
        del self._data[: end + 1]
        if end > self._longest:
            raise CannotAsk("it says too much")
        try:
            return msgspec.json.decode(line, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise CannotAsk("it is of another version") from error


@contextmanager
def address(path: Path) -> Iterator[str]:
    """Of the socket; where the path is too long for one, through its folder's descriptor (Linux). Raises OSError."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield str(path) if len(os.fsencode(path)) <= ADDRESS else f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
