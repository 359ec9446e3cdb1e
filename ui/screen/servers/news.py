"""What of the changes of MCP servers is worth a line: gone for good, to be signed in to, back. No I/O."""

from collections.abc import Iterator
from contextlib import contextmanager

from actors.common.plurals import how_many
from actors.messages.mcp import ServerIs
from ui.screen.servers.standing import in_one_line


class News:
    """One line for each; tries between say nothing."""

    def __init__(self) -> None:
        self._down: set[str] = set()
        """Servers, of which that was told."""
        self._awaited: set[str] = set()
        """The user has asked for something of these and is told how that ends."""

    def heard(self, server: ServerIs) -> tuple[str, str] | None:
        """Text and level."""
        is_down = server.state == "needs_login" or server.given_up
        was_down = server.name in self._down
        if is_down:
            self._down.add(server.name)
        elif server.state == "ready":
            self._down.discard(server.name)
        if server.name in self._awaited or is_down == was_down or not (is_down or server.state == "ready"):
            return None
        return outcome(server, "is back")

    def is_awaited(self, server: str) -> bool:
        return server in self._awaited

    @contextmanager
    def awaited(self, server: str) -> Iterator[None]:
        self._awaited.add(server)
        try:
            yield
        finally:
            self._awaited.discard(server)


def outcome(server: ServerIs, is_up: str) -> tuple[str, str]:
    """How it stands, and the next step. is_up: what is said of one that is ready."""
    if server.state == "ready":
        return f"the MCP server {server.name} {is_up}: {how_many(len(server.tools), 'tool')}", "info"
    not_yet = f"the MCP server {server.name} is not ready yet: /mcp {server.name}"
    return in_one_line(server.error) or not_yet, "warning"
