"""Which MCP servers a session has and what they can do; each is an actor, started when somebody needs it."""

from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import trio

from actors.errors import Failed, failed
from actors.gate.mcp.tool_specs import specs
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.mcp import DescribeServer, ServerIs
from actors.messages.model import ToolSpec
from actors.messages.system import StartActor
from actors.messages.tool import OfferChanged
from actors.settings.config import Settings
from actors.settings.mcp.names import MARK
from actors.settings.mcp.servers import McpServer

MORE_S = 10.0
"""Beside a server's own time to start: for its actor, which a busy machine takes seconds to begin."""
AT_ONCE = 4
"""Servers that are started side by side, so that the answer that comes meanwhile has its share of the processors."""
TURN_S = 2.0
"""For one of them: a slow one holds up the others no longer."""
AFTER_S = 0.3
"""The request that is about to be made goes first: to import what servers need takes a processor for a second."""


def actor_of(server: str) -> str:
    return f"mcp:{server}"


class Catalogue:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._home = Path(settings.home)
        self._servers = {one.name: one for one in sorted(settings.mcp, key=lambda one: one.name)}
        self._known: dict[str, ServerIs] = {}
        self._heard: set[str] = set()
        """Those that have told themselves; of the others what is known is from a session before."""
        self._recalled = self._looked = False
        self._every: dict[str, ToolSpec] = {}
        """By name, also those that are gone: a model may still have been told of them."""
        self._turns: dict[str, tuple[str, tuple[ToolSpec, ...]]] = {}
        """What each agent was told in its turn: the same until that ends, for services cache by prefix."""

    @property
    def every(self) -> tuple[ToolSpec, ...]:
        self._recall()
        return tuple(self._every.values())

    def told(self, agent: str, turn_id: str) -> tuple[ToolSpec, ...]:
        """What its model is told of in this turn."""
        self._recall()
        turn, offered = self._turns.get(agent, ("", ()))
        if turn != turn_id or not (turn and self._settings.interactive):
            offered = tuple(spec for name in self._known for spec in specs(self._servers[name], self._known[name]))
            self._turns[agent] = turn_id, offered
        return offered

    def described(self) -> tuple[ServerIs, ...]:
        """All that count here, by name, as they are now."""
        self._recall()
        return tuple(self._as_it_is(server) for server in self._servers.values())

    def _as_it_is(self, server: McpServer) -> ServerIs:
        unknown = ServerIs(name=server.name, state="unstarted", transport=server.transport)
        known = self._known.get(server.name, unknown)
        return known if server.name in self._heard else msgspec.structs.replace(known, state="unstarted", error="")

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
        return actor

    async def changed(self, known: ServerIs) -> None:
        """It has come up, gone down, or has other tools; of one that is down the tools stay."""
        server = self._servers.get(known.name)
        if server is None:
            return
        self._learn(known)
        self._heard.add(known.name)
        if not self._settings.interactive:  # there may be no other turn
            for agent in self._turns:
                self._mailbox.tell(agent, OfferChanged())
        if known.state == "ready":
            from actors.settings.mcp import remembered

            write = partial(remembered.remember, self._home, server, known)
            await trio.to_thread.run_sync(write, abandon_on_cancel=True)

    def _recall(self) -> None:
        """Once, when somebody wants to know: no start waits for files that nobody asks about."""
        if self._recalled:
            return
        self._recalled = True
        if not self._servers:
            return
        from actors.settings.mcp import remembered  # only who has servers pays for it

        for server in self._servers.values():
            if server.name not in self._known and (known := remembered.recall(self._home, server)):
                self._learn(known)

    def _learn(self, known: ServerIs) -> None:
        self._known[known.name] = known
        self._known = {name: self._known[name] for name in sorted(self._known)}
        self._every |= {spec.name: spec for spec in specs(self._servers[known.name], known)}
