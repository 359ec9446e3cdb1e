"""From another program: a look at who is behind a door, or something asked of it."""

import math
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec
import trio

from actors.common.doors import words
from actors.common.doors.lines import CannotAsk, Gone, Lines, Silent, address
from actors.common.doors.words import SUFFIX, CarriedOut, Ordered, Restarted, Told, Wanted, WhoWorks, Working
from actors.messages.mcp import RestartServers, ServersRestarted
from actors.messages.subagent import SubagentIs

PATIENCE_S = 1.0
"""For a line of whoever is alive, while the user waits to be asked something else."""
LISTED_S = 5.0
"""The same for who is to be listed, or to do something, also on a machine with much to do."""
LET_GO_S = 10.0
"""For a turn to be ended and saved."""
ORDERED_S = 60.0
"""For something that is asked of a subagent: it is on disk then, and of a cancelled one nothing runs any more."""
AGAIN_S = 0.2
"""Between two knocks at the door of an agent that is just being restarted."""
LONGEST = 4 * 1024 * 1024
"""Bytes of a line from inside."""
SILENT = "it does not answer; it may be stopped (then: fg in its terminal)"


class Refused(CannotAsk):
    """It answers why it does not do that, and what to do instead."""


class Program(msgspec.Struct, frozen=True):
    """An agent behind a door, with the subagents it has."""

    path: Path
    told: Told
    agents: tuple[SubagentIs, ...]

    @property
    def lives(self) -> bool:
        try:
            os.kill(self.told.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def doors(home: str) -> list[Path]:
    """Also of programs that were killed."""
    return sorted(Path(home, "run").glob(f"*{SUFFIX}"))


async def look(path: Path) -> Told | None:
    """What is open there; None: nobody answers."""
    try:
        async with _visit(path, PATIENCE_S) as (_, told):
            return told
    except CannotAsk:
        return None


async def ask_for(path: Path, wanted: Wanted) -> None:
    """Until the session is let go of. Raises CannotAsk in words for people."""
    with trio.move_on_after(LET_GO_S) as answering:
        async with _visit(path, PATIENCE_S) as (lines, there):
            if there.session_id != wanted.session_id:
                return
            await lines.say(wanted)
            await lines.hear(Told)
            await lines.say(wanted)
            told: Told = await lines.hear(Told)
            if told.problem:
                raise CannotAsk(f"it could not let go: {told.problem}")
    if answering.cancelled_caught:
        raise Silent(SILENT)


async def program(path: Path, below: str = "") -> Program:
    """below: as of WhoWorks. Raises CannotAsk; Silent where somebody is there."""
    with trio.move_on_after(LISTED_S):
        async with _visit(path, LISTED_S) as (lines, told):
            await lines.say(WhoWorks(below=below))
            working: Working = await lines.hear(Working)
            return Program(path, told, working.agents)
    raise Silent(SILENT)


async def programs(home: str, lives: Callable[[Path], bool]) -> tuple[list[Program], list[Path]]:
    """Those that answer, and the doors of those that do not. lives: whose door is shut, for it is just restarted."""
    found: dict[Path, Program] = {}
    silent: list[Path] = []

    async def ask(path: Path) -> None:
        try:
            with trio.move_on_after(LISTED_S):
                found[path] = await _program_again(path, lives)
            if path not in found:
                silent.append(path)
        except Gone:
            return  # it was killed, or has just ended
        except CannotAsk:
            silent.append(path)

    async with trio.open_nursery() as nursery:
        for path in doors(home):
            nursery.start_soon(ask, path)
    return [found[path] for path in sorted(found)], sorted(silent)


async def parent_of(home: str, session_id: str) -> Program | None:
    """The program that has this subagent, with it alone; None where nobody has, or whoever has does not answer."""
    found: list[Program] = []

    async def ask(path: Path) -> None:
        with suppress(CannotAsk):
            there = await program(path, session_id)
            if there.agents:
                found.append(there)
                nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        for path in doors(home):
            nursery.start_soon(ask, path)
    return next(iter(found), None)


async def _program_again(path: Path, lives: Callable[[Path], bool]) -> Program:
    """Raises CannotAsk."""
    while True:
        try:
            return await program(path)
        except Gone:
            if not lives(path):
                raise
        await trio.sleep(AGAIN_S)


async def order(to: Program, wanted: Ordered) -> SubagentIs:
    """How the subagent stands then. An agent that dies meanwhile is asked again in its next life.

    Raises CannotAsk; Refused where that is the answer.
    """
    if len(msgspec.json.encode(wanted)) >= words.LONGEST:
        raise Refused(f"the text is too long: there is room for {words.LONGEST // 1024} KB. Have it read a file.")
    with trio.move_on_after(ORDERED_S):
        while True:
            try:
                carried_out = await _order(to.path, wanted)
            except Gone as why:
                if not to.lives:
                    raise Gone("its program has ended") from why
                await trio.sleep(AGAIN_S)
            else:
                if carried_out.agent is None:
                    raise Refused(carried_out.problem)
                return carried_out.agent
    raise Silent(f"it was told, but has not answered for {ORDERED_S:.0f} s")


async def restart_servers(path: Path, wanted: RestartServers) -> ServersRestarted:
    """Of the program of this door. Raises CannotAsk; Refused where that is the answer."""
    with trio.move_on_after(ORDERED_S):
        async with _visit(path, LISTED_S) as (lines, _):
            await lines.say(wanted)
            said: Restarted = await lines.hear(Restarted)
            if said.answer is None:
                raise Refused(said.problem)
            return said.answer
    raise Silent(f"it was told, but has not answered for {ORDERED_S:.0f} s")


async def _order(path: Path, wanted: Ordered) -> CarriedOut:
    """Raises CannotAsk."""
    async with _visit(path, LISTED_S) as (lines, _):
        await lines.say(wanted)
        carried_out: CarriedOut = await lines.hear(CarriedOut)
        if carried_out.stopping:
            with suppress(Gone):  # that it has ended is known
                carried_out = await lines.hear(CarriedOut)
        return carried_out


@asynccontextmanager
async def _visit(path: Path, patience_s: float) -> AsyncIterator[tuple[Lines, Told]]:
    """With what is told at once. Raises CannotAsk; Silent where somebody is there, but nothing is told for so long."""
    with trio.move_on_after(patience_s) as answering:
        async with await _knock(path) as stream:
            lines = Lines(stream, LONGEST)
            told: Told = await lines.hear(Told)
            answering.deadline = math.inf
            yield lines, told
    if answering.cancelled_caught:
        raise Silent(SILENT)


async def _knock(path: Path) -> trio.SocketStream:
    """Raises CannotAsk."""
    client = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with address(path) as where:
            await client.connect(where)
    except OSError as error:
        client.close()
        raise Gone("it cannot be reached") from error
    return trio.SocketStream(client)
