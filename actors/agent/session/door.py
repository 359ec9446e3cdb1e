"""The door of a program: another one of the same user may look who is there, and ask for the session that is open.

It is a socket in TROUPER_HOME/run, a folder of the user alone. A process that is dead or on another machine does not
open, one that is stopped does not answer: so nobody has to guess from a number whether the holder lives.
"""

import math
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec
import trio

from actors.errors import Failed

PATIENCE_S = 1.0
"""For a line of whoever is alive."""
LET_GO_S = 10.0
"""For a turn to be ended and saved."""
LONGEST = 4096
"""Bytes of a line."""

Line = TypeVar("Line")


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A line from inside: at once when somebody comes, then about the end of the session here."""

    session_id: str = ""
    """What is open here."""
    busy: bool = False
    gone: bool = False
    problem: str = ""
    """Why it is not let go of."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The line from outside: let go of this session. Who only looks says nothing."""

    session_id: str
    who: str
    """For people."""


class Inside(Protocol):
    def look(self) -> Told: ...

    async def let_go(self, wanted: Wanted) -> None:
        """Raises Failed."""


class CannotAsk(Exception):
    """Nobody opens, or nobody answers."""


def path_of(home: str, run_id: str) -> Path:
    return Path(home, "run", f"{run_id}.door")


async def serve(path: Path, inside: Callable[[], Inside], nursery: trio.Nursery) -> None:
    """Until cancelled. inside: who is there now. Letting go is done in the nursery: it outlives the one who asked."""
    listener = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        unborn = path.with_suffix(".closed")
        _remove(unborn)
        await listener.bind(_address(unborn, folder))
        listener.listen()
        unborn.rename(path)
        while True:
            client, _ = await listener.accept()
            nursery.start_soon(_attend, trio.SocketStream(client), inside)
    except OSError:
        return  # it cannot be asked for then, only looked at and copied
    finally:
        listener.close()
        os.close(folder)
        _remove(path)


async def look(path: Path) -> Told | None:
    """What is open there; None: nobody answers."""
    with trio.move_on_after(PATIENCE_S):
        try:
            async with await _knock(path) as stream:
                return await _line(stream, Told)
        except CannotAsk:
            return None
    return None


async def ask_for(path: Path, wanted: Wanted) -> None:
    """Until the session is let go of. Raises CannotAsk in words for people."""
    with trio.move_on_after(PATIENCE_S) as answering:
        stream = await _knock(path)
        async with stream:
            there = await _line(stream, Told)
            answering.deadline = trio.current_time() + LET_GO_S
            if there.session_id != wanted.session_id:
                return
            await _say(stream, wanted)
            told = await _line(stream, Told)
            while not (told.gone or told.problem):
                told = await _line(stream, Told)
            if told.problem:
                raise CannotAsk(f"it could not let go: {told.problem}")
    if answering.cancelled_caught:
        raise CannotAsk("it does not answer; it may be stopped (then: fg in its terminal)")


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


async def _attend(stream: trio.SocketStream, inside: Callable[[], Inside]) -> None:
    async with stream:
        try:
            await _say(stream, inside().look())
            with trio.move_on_after(LET_GO_S) as listening:
                wanted = await _line(stream, Wanted)
                await _say(stream, inside().look())  # whoever has gone meanwhile gets nothing
                listening.deadline = math.inf
                await _let_go(stream, inside(), wanted)
        except CannotAsk:
            return


async def _let_go(stream: trio.SocketStream, inside: Inside, wanted: Wanted) -> None:
    """Raises CannotAsk when nobody hears of it."""
    try:
        await inside.let_go(wanted)
    except Failed as failure:
        await _say(stream, Told(problem=str(failure)))
    else:
        await _say(stream, Told(gone=True))


async def _knock(path: Path) -> trio.SocketStream:
    """Raises CannotAsk."""
    client = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        await client.connect(_address(path, folder))
    except OSError as error:
        client.close()
        raise CannotAsk("it cannot be reached") from error
    finally:
        os.close(folder)
    return trio.SocketStream(client)


def _address(path: Path, folder: int) -> str:
    """A unix socket's address holds some 100 bytes; through the folder's descriptor (Linux) the path may be longer."""
    return str(path) if len(os.fsencode(path)) <= 100 else f"/proc/self/fd/{folder}/{path.name}"


async def _say(stream: trio.SocketStream, line: msgspec.Struct) -> None:
    """Raises CannotAsk."""
    try:
        await stream.send_all(msgspec.json.encode(line) + b"\n")
    except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
        raise CannotAsk("it has ended") from error


async def _line(stream: trio.SocketStream, kind: type[Line]) -> Line:
    """Raises CannotAsk where there is none, or something else."""
    data = b""
    try:
        while not data.endswith(b"\n") and len(data) < LONGEST:
            if not (more := await stream.receive_some(1)):
                raise CannotAsk("it has ended")
            data += more
        return msgspec.json.decode(data, type=kind)
    except (trio.BrokenResourceError, msgspec.DecodeError) as error:
        raise CannotAsk("it has ended, or is of another version") from error
