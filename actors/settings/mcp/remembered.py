"""What servers have had before, in TROUPER_HOME: a model can be told of their tools before they are started.

What is offered by it is no permission: the server itself says whether it still has a tool.
"""

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from actors.common.small_files import read_regular, replace_file
from actors.messages.mcp import ServerIs
from actors.settings.mcp.servers import McpServer

FOLDER = "mcp"
"""In TROUPER_HOME."""
MOST_BYTES = 4 << 20
OWN = frozenset({os.geteuid()})
NO_USE = (OSError, ValueError, RecursionError)
"""Whatever is wrong with a file costs a start of the server, and no more."""


class Remembered(msgspec.Struct, frozen=True):
    stamp: str
    server: ServerIs


def recall(home: Path, server: McpServer) -> ServerIs | None:
    """None where nothing is known of a server that is configured so."""
    with suppress(*NO_USE):
        found = msgspec.json.decode(read_regular(_file(home, server), MOST_BYTES, OWN), type=Remembered)
        if found.stamp == _stamp(server):
            return found.server
    return None


def remember(home: Path, server: McpServer, known: ServerIs) -> None:
    """Where it cannot be written the next session starts the server to ask."""
    file = _file(home, server)
    with suppress(*NO_USE):
        file.parent.mkdir(mode=0o700, exist_ok=True)
        replace_file(file, msgspec.json.encode(Remembered(_stamp(server), known)))


def _file(home: Path, server: McpServer) -> Path:
    return home / FOLDER / f"{server.name}.json"


def _stamp(server: McpServer) -> str:
    """Of all that is written of it."""
    return server.digest
