"""What the screen knows of each MCP server: as it is configured, and as it was told of last. No I/O."""

import difflib
from dataclasses import dataclass, field

from msgspec.structs import replace

from actors.messages.mcp import ServerIs, ServersAre
from actors.settings.config import Settings
from actors.settings.mcp.servers import IN_WORDS, LeftOutServer, McpServer
from ui.common import harmless

STATES = {
    "unstarted": "not started",
    "starting": "starting",
    "ready": "ready",
    "needs_login": "needs a login",
    "failed": "failed",
}
MOST_NEAR = 3


@dataclass(frozen=True)
class Row:
    """A server that is written down somewhere."""

    name: str
    state: str
    """In a word or two, for people."""
    transport: str
    """ "" of one that has a mistake."""
    server: McpServer | None = None
    """As it is configured; None: it does not count."""
    known: ServerIs | None = None
    tokens: int = 0
    """Of each request, for its tools."""
    source: str = ""
    why_not: str = ""
    """Why it does not count, and what to do."""

    @property
    def counts(self) -> bool:
        return self.server is not None


@dataclass
class Standing:
    settings: Settings
    _known: dict[str, ServerIs] = field(default_factory=dict)
    _dead: dict[str, ServerIs] = field(default_factory=dict)
    """Whose actors have died since it was heard of them: the gate does not hear of that."""
    _tokens: dict[str, int] = field(default_factory=dict)

    def are(self, told: ServersAre) -> None:
        """As the gate knows them, which has been told of all that this screen was told of."""
        self._known = {one.name: one for one in told.servers} | self._dead
        self._tokens = dict(told.tokens)

    def is_now(self, server: ServerIs) -> None:
        self._known[server.name] = server
        self._dead.pop(server.name, None)

    def costs(self, name: str, tokens: int) -> None:
        self._tokens[name] = tokens

    def process_died(self, name: str, why: str, *, for_good: bool) -> None:
        """Of the actor of this server: the next one, if there is one, begins anew."""
        if (known := self._known.get(name)) is not None:
            dead = replace(known, state="failed" if for_good else "starting", error=why, given_up=for_good)
            self.is_now(dead)
            self._dead[name] = dead

    def rows(self) -> tuple[Row, ...]:
        """By name; the one that counts first of a name. What there is stays the same for all of the session."""
        counting = [self._counting(server) for server in self._servers]
        left_out = [_left_out(one) for one in self.settings.mcp_left_out if not self._was_trusted(one)]
        return tuple(sorted([*counting, *left_out], key=lambda row: (row.name, not row.counts)))

    def named(self, name: str) -> Row | None:
        return next((row for row in self.rows() if row.name == name), None)

    def nearest(self, name: str) -> list[str]:
        return difflib.get_close_matches(name, {row.name for row in self.rows()}, n=MOST_NEAR)

    @property
    def _servers(self) -> list[McpServer]:
        trusted = [one.server for one in self.settings.mcp_left_out if one.server and self._was_trusted(one)]
        return [*self.settings.mcp, *trusted]

    def _was_trusted(self, one: LeftOutServer) -> bool:
        """When the session began: its user was asked."""
        return one.why == "untrusted" and one.name in self._known

    def _counting(self, server: McpServer) -> Row:
        known = self._known.get(server.name)
        return Row(
            name=server.name,
            state=STATES[known.state if known else "unstarted"],
            transport=server.transport,
            server=server,
            known=known,
            tokens=self._tokens.get(server.name, 0),
            source=server.source,
        )


def in_one_line(text: str) -> str:
    """All of it: what a server said last is in a line of its own, and the next step behind that."""
    return " ".join(harmless.sanitise(text).split())


def _left_out(one: LeftOutServer) -> Row:
    words = IN_WORDS[one.why]
    return Row(
        name=one.name,
        state=words,
        transport=one.transport,
        source=one.source,
        why_not=one.reason or f"it is {words} in {one.source}: trouper mcp enable {one.name}",
    )
