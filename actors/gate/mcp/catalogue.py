"""Which MCP servers a session has and what they can do; each is an actor, started when somebody needs it."""

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import trio

from actors.errors import Failed, failed
from actors.gate.mcp.tool_specs import specs, tokens
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.mcp import (
    DescribeServer,
    RestartServer,
    RestartServers,
    ServerChanged,
    ServerIs,
    ServersAre,
    ServersRestarted,
    ServerState,
)
from actors.messages.model import ToolSpec
from actors.messages.system import StartActor
from actors.messages.tool import OfferChanged
from actors.settings.config import Settings
from actors.settings.mcp.names import MARK, READ_TOOL, READING, reading_call
from actors.settings.mcp.servers import McpServer

MOST_GONE = 1000
"""Tools of one server that are gone and still known; one that has new names all the time is not to fill our memory."""
MORE_S = 10.0
"""Beside a server's own time to start: for its actor, which a busy machine takes seconds to begin."""
AT_ONCE = 4
"""Servers that are started side by side, so that the answer that comes meanwhile has its share of the processors."""
TURN_S = 2.0
"""For one of them: a slow one holds up the others no longer."""
AFTER_S = 0.3
"""The request that is about to be made goes first: to import what servers need takes a processor for a second."""


class Told(NamedTuple):
    """To one agent in one turn."""

    turn_id: str
    tools: tuple[ToolSpec, ...]
    servers: tuple[ServerIs, ...]
    """By name, those of which anything is known."""


NOTHING = Told("", (), ())


def actor_of(server: str) -> str:
    return f"mcp:{server}"


class Catalogue:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._home = Path(settings.home)
        self._servers = {one.name: one for one in sorted(settings.mcp, key=lambda one: one.name)}
        self._known: dict[str, ServerIs] = {}
        self._has: dict[str, tuple[ToolSpec, ...]] = {}
        """What each of these has now, as ours."""
        self._heard: set[str] = set()
        """Those that have told themselves; of the others what is known is from a session before."""
        self._begun: set[str] = set()
        """Those whose actors were started by us."""
        self._recalled = self._looked = False
        self._every: dict[str, ToolSpec] = {}
        """By name, also those that are gone: a model may still have been told of them."""
        self._turns: dict[str, Told] = {}
        """What each agent was told in its turn: the same until that ends, for services cache by prefix."""

    @property
    def every(self) -> tuple[ToolSpec, ...]:
        self._recall()
        return tuple(self._every.values())

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """As they are now."""
        self._recall()
        return tuple(spec for name in self._known for spec in self._has[name])

    def told(self, agent: str, turn_id: str) -> Told:
        """What its model is told of in this turn."""
        self._recall()
        told = self._turns.get(agent, NOTHING)
        if told.turn_id != turn_id or not (turn_id and self._settings.interactive):
            tools = (*self._for_resources(), *self.tools)
            told = self._turns[agent] = Told(turn_id, tools, tuple(self._known.values()))
        return told

    def _for_resources(self) -> tuple[ToolSpec, ...]:
        if not self._known:
            return ()
        from actors.gate.mcp import resource_tools  # only who has servers pays for it

        return resource_tools.offered(self._readings)

    @property
    def _readings(self) -> list[ToolSpec]:
        """Of those that have something to be read now."""
        from actors.gate.mcp.resource_tools import reading

        return [spec for name in self._known for spec in reading(self._servers[name], self._known[name])]

    def meant(self, call: ToolCall) -> ToolCall:
        """What a call is judged, asked about and run as. Raises Failed."""
        if call.name != READ_TOOL:
            return call
        from actors.gate.mcp import resource_tools

        return resource_tools.meant(call)

    def resources(self, call: ToolCall) -> ToolResult:
        """What a model is told that it may read. Raises Failed, also for wrong arguments."""
        from actors.gate.mcp import resource_tools

        self._recall()
        return resource_tools.listed(call, self._readable)

    @property
    def _readable(self) -> list[ServerIs]:
        return [self._known[spec.server] for spec in self._readings]

    def described(self) -> ServersAre:
        """All that count here, as they are now."""
        self._recall()
        return ServersAre(
            servers=tuple(self._as_it_is(server) for server in self._servers.values()),
            tokens={name: self._tokens(name) for name in self._known},
        )

    def _show(self, server: ServerIs) -> None:
        """Where somebody looks on."""
        if self._settings.interactive:
            self._mailbox.tell("ui", ServerChanged(server=server, tokens=self._tokens(server.name)))

    def _tokens(self, name: str) -> int:
        """What its tools take of each request: nothing where they are searched instead of offered."""
        offered = tokens(self.tools) <= self._settings.mcp_tools_tokens
        return tokens(self._has.get(name, ())) if offered else 0

    def _as_it_is(self, server: McpServer) -> ServerIs:
        state: ServerState = "starting" if server.name in self._begun else "unstarted"
        unknown = ServerIs(name=server.name, state=state, transport=server.transport)
        known = self._known.get(server.name, unknown)
        return known if server.name in self._heard else msgspec.structs.replace(known, state=state, error="")

    async def start_unknown(self) -> None:
        """Once: those of which nothing is remembered have to be asked. What goes wrong their first call says."""
        if self._looked:
            return
        self._looked = True
        unknown = [name for name in self._servers if name not in self._known]
        if unknown:
            await trio.sleep(AFTER_S)
        turns = trio.Semaphore(AT_ONCE)
        async with trio.open_nursery() as nursery:
            for name in unknown:
                with trio.move_on_after(TURN_S):
                    await turns.acquire()
                nursery.start_soon(self._look, name, turns)

    async def _look(self, server: str, turns: trio.Semaphore) -> None:
        with suppress(Failed):
            await self._ask(server)
        turns.release()

    async def heard_of(self, tool: str) -> None:
        """A model may know a tool, from a session before or from its user, of a server that has not told it yet.

        Raises Failed, where that server is not there.
        """
        self._recall()
        if tool in self._every:
            return
        for server in [one for one in self._servers.values() if tool.startswith(f"{one.name}{MARK}")]:
            with trio.move_on_after(server.start_timeout_s + MORE_S):
                await self._ask(server.name)
            if tool not in self._every and (known := self._known.get(server.name)) and known.error:
                raise failed("tool_failed", known.error)
        if tool.endswith(f"{MARK}{READING}") and tool not in self._every:
            from actors.gate.mcp import resource_tools

            raise resource_tools.unreadable(tool.removesuffix(f"{MARK}{READING}"), self._readable)

    async def _ask(self, server: str) -> None:
        """What it has, once it is there or has failed: an earlier life of ours may have been told. Raises Failed."""
        within = DescribeServer(within_s=self._servers[server].start_timeout_s)
        await self.changed(await self._mailbox.insist(await self.ready(server), within, ServerIs))

    async def ready(self, server: str) -> str:
        """Its actor's name; that runs, or is being started. Raises Failed."""
        if server not in self._servers:
            raise failed("no_such_tool", f"there is no MCP server {server}.", "See: trouper mcp list")
        actor = actor_of(server)
        await self._mailbox.insist("supervisor", StartActor(name=actor), Done)
        if server not in self._begun:
            self._begun.add(server)
            self._show(self._as_it_is(self._servers[server]))
        return actor

    async def restart(self, wanted: RestartServers) -> ServersRestarted:
        """Each is asked; how long it then takes nobody waits for."""
        running = tuple(one.name for one in self.described().servers if one.state != "unstarted")
        failed: dict[str, str] = {}
        restarted = [name for name in wanted.servers or running if name in self._servers]
        for name in restarted:
            try:
                await self._mailbox.insist(await self.ready(name), RestartServer(), Done)
            except Failed as failure:
                failed[name] = str(failure)
        return ServersRestarted(
            restarted=tuple(name for name in restarted if name not in failed),
            missing=tuple(name for name in wanted.servers if name not in self._servers),
            failed=failed,
        )

    async def changed(self, known: ServerIs) -> None:
        """It has come up, gone down, or has other tools; of one that is down the tools stay."""
        server = self._servers.get(known.name)
        if server is None:
            return
        self._learn(known)
        self._heard.add(known.name)
        self._forget_some(server)
        self._show(known)
        if not self._settings.interactive:  # there may be no other turn
            for agent in self._turns:
                self._mailbox.tell(agent, OfferChanged())
        if known.state == "ready":
            from actors.settings.mcp import remembered

            write = partial(remembered.remember, self._home, server, known)
            await trio.to_thread.run_sync(write, abandon_on_cancel=True)

    def _forget_some(self, server: McpServer) -> None:
        """Of what it had before, that which is gone longest."""
        now = {reading_call(server.name), *(spec.name for spec in self._has[server.name])}
        gone = [name for name, spec in self._every.items() if spec.server == server.name and name not in now]
        for name in gone[:-MOST_GONE]:
            del self._every[name]

    def _recall(self) -> None:
        """Once, when somebody wants to know: no start waits for files that nobody asks about."""
        if self._recalled:
            return
        self._recalled = True
        if not self._servers:
            return
        from actors.gate.mcp.resource_tools import LIST  # only who has servers pays for it
        from actors.settings.mcp import remembered

        self._every[LIST.name] = LIST
        for server in self._servers.values():
            if server.name not in self._known and (known := remembered.recall(self._home, server)):
                self._learn(known)

    def _learn(self, known: ServerIs) -> None:
        self._known[known.name] = known
        self._known = {name: self._known[name] for name in sorted(self._known)}
        from actors.gate.mcp.resource_tools import reading

        server = self._servers[known.name]
        self._has[known.name] = specs(server, known)
        self._every |= {spec.name: spec for spec in (*self._has[known.name], *reading(server, known))}
