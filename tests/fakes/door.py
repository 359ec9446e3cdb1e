"""An agent behind a door, with two subagents: it answers whoever comes, and does what is asked once it may."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import trio

from actors.common.doors import door
from actors.common.doors.words import Ordered, Told, Wanted
from actors.errors import failed
from actors.messages.mcp import RestartServers, ServersRestarted
from actors.messages.subagent import CancelSubagent, SteerSubagent, SubagentIs

SCOUT = SubagentIs(name="scout", kind="explore", session_id="s1.1", state="running")
SERVERS = ("box", "zoo")
PORTER = SubagentIs(name="porter", kind="explore", session_id="s1.2", state="blocked")


class Room:
    """Inside, and the parent of both."""

    def __init__(self) -> None:
        self.told = Told(session_id="s1", cwd="/work", pid=os.getpid())
        self.scout = SCOUT
        self.done: list[str] = []
        self.asked = trio.Event()
        self.ended = trio.Event()
        self.may = trio.Event()
        self.may.set()

    @property
    def parent(self) -> "Room":
        return self

    def look(self) -> Told:
        return self.told

    def agents(self, below: str) -> tuple[SubagentIs, ...]:
        return tuple(one for one in (self.scout, PORTER) if below in ("", one.session_id))

    async def let_go(self, wanted: Wanted) -> None:
        self.done.append(f"let go of {wanted.session_id}")

    async def end_of(self, name: str) -> SubagentIs | None:
        """Of one that is cancelled, before all of it is gone."""
        if name != "scout":
            return None
        await self.ended.wait()
        return msgspec.structs.replace(SCOUT, state="cancelled")

    async def ordered(self, wanted: Ordered) -> SubagentIs:
        """Raises Failed."""
        self.asked.set()
        await self.may.wait()
        match wanted.order:
            case CancelSubagent(name="scout"):
                self.done.append("cancel")
                self.scout = msgspec.structs.replace(SCOUT, state="cancelled")
                return self.scout
            case SteerSubagent(name="scout", text=text):
                self.done.append(text)
                return self.scout
            case _:
                raise failed("bad_request", "there is no such agent.", "There are: scout.")

    async def restart(self, wanted: RestartServers) -> ServersRestarted:
        """Of the servers of its program. Raises Failed."""
        if "lost" in wanted.servers:
            raise failed("gone", "the gate is gone.", "Start anew.")
        return ServersRestarted(
            restarted=tuple(name for name in wanted.servers or SERVERS if name in SERVERS),
            missing=tuple(name for name in wanted.servers if name not in SERVERS),
        )


@asynccontextmanager
async def open_door(path: Path, room: Room) -> AsyncIterator[None]:
    """Its folder is there."""
    left = path.stat().st_ino if path.exists() else 0
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.serve, path, lambda: room, nursery, room.restart)
        while not path.exists() or path.stat().st_ino == left:
            await trio.lowlevel.checkpoint()
        yield
        nursery.cancel_scope.cancel()
