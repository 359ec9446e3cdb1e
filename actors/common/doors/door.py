"""The door of an agent: another program of the same user may look who is there, and ask something of it.

It is a socket in TROUPER_HOME/run, a folder of the user alone. A process that is dead or on another machine does not
open, one that is stopped does not answer: so nobody has to guess from a number whether the holder lives.
"""

import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import trio

from actors.common.doors.lines import CannotAsk, Lines, address
from actors.common.doors.words import LONGEST, CarriedOut, Ordered, Restarted, Told, Wanted, WhoWorks, Word, Working
from actors.errors import Failed
from actors.messages.mcp import RestartServers, ServersRestarted
from actors.messages.subagent import CancelSubagent, SubagentIs

SPEAKING_S = 10.0
"""For whoever comes, to say what he wants."""
MOST_VISITORS = 64
"""At once; who comes then finds the door shut, and knocks again."""


class Parent(Protocol):
    """Of subagents."""

    def agents(self, below: str) -> tuple[SubagentIs, ...]:
        """As of WhoWorks."""

    async def ordered(self, wanted: Ordered) -> SubagentIs:
        """How it stands then. Raises Failed."""

    async def end_of(self, name: str) -> SubagentIs | None:
        """How it has ended, once that is on disk; None: there is no such subagent, or its end cannot be saved."""


class Inside(Protocol):
    @property
    def parent(self) -> Parent: ...

    def look(self) -> Told: ...

    async def let_go(self, wanted: Wanted) -> None:
        """Raises Failed."""


Restart = Callable[[RestartServers], Awaitable[ServersRestarted]]


async def serve(path: Path, inside: Callable[[], Inside], nursery: trio.Nursery, restart: Restart) -> None:
    """Until cancelled. inside: who is there now. What is asked is done in the nursery, and outlives who has asked.

    restart: of MCP servers; raises Failed.
    """
    listener = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    visitors: set[trio.SocketStream] = set()

    async def attend(stream: trio.SocketStream) -> None:
        try:
            async with stream:
                with suppress(CannotAsk):
                    await _attend(Lines(stream, LONGEST), inside, restart)
        finally:
            visitors.discard(stream)

    try:
        unborn = path.with_suffix(".closed")
        _remove(unborn)
        with address(unborn) as where:
            await listener.bind(where)
        listener.listen()
        unborn.rename(path)
        while True:
            client, _ = await listener.accept()
            if len(visitors) >= MOST_VISITORS:
                client.close()
                continue
            visitors.add(stream := trio.SocketStream(client))
            nursery.start_soon(attend, stream)
    except OSError:
        return  # it cannot be asked for then, only looked at and copied
    finally:
        listener.close()
        _remove(path)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


async def _attend(lines: Lines, inside: Callable[[], Inside], restart: Restart) -> None:
    """Raises CannotAsk when nobody hears of it."""
    await lines.say(inside().look())
    word: Word | None = None
    with trio.move_on_after(SPEAKING_S):
        word = await lines.hear(Word)
    match word:
        case Wanted():
            await _let_go(lines, inside)
        case WhoWorks(below=below):
            await lines.say(Working(agents=inside().parent.agents(below)))
        case Ordered():
            await lines.say(await _ordered(lines, inside().parent, word))
        case RestartServers():
            await lines.say(await _restarted(restart, word))
        case None:
            return


async def _restarted(restart: Restart, wanted: RestartServers) -> Restarted:
    try:
        return Restarted(answer=await restart(wanted))
    except Failed as failure:
        return Restarted(problem=str(failure))


async def _let_go(lines: Lines, inside: Callable[[], Inside]) -> None:
    """Once it is asked for again: whoever has gone meanwhile gets nothing. Raises CannotAsk."""
    await lines.say(inside().look())
    wanted: Wanted | None = None
    with trio.move_on_after(SPEAKING_S):
        wanted = await lines.hear(Wanted)
    if wanted is None:
        return
    try:
        await inside().let_go(wanted)
    except Failed as failure:
        await lines.say(Told(problem=str(failure)))
    else:
        await lines.say(Told(gone=True))


async def _ordered(lines: Lines, parent: Parent, wanted: Ordered) -> CarriedOut:
    carried_out: list[CarriedOut] = []
    async with trio.open_nursery() as nursery:
        if isinstance(wanted.order, CancelSubagent):
            nursery.start_soon(_tell_of_end, lines, parent, wanted.order.name)
        try:
            carried_out.append(CarriedOut(agent=await parent.ordered(wanted)))
        except Failed as failure:
            carried_out.append(CarriedOut(problem=str(failure)))
        nursery.cancel_scope.cancel()
    return carried_out[0]


async def _tell_of_end(lines: Lines, parent: Parent, name: str) -> None:
    """At once: a program that has waited for nobody else may end before all of the agent is gone."""
    if (ended := await parent.end_of(name)) is not None:
        with suppress(CannotAsk):
            await lines.say(CarriedOut(agent=ended, stopping=True))
