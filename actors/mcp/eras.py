"""Which revision of the protocol a server speaks, remembered by its configuration: finding out can cost 10 s."""

import contextlib
from pathlib import Path
from typing import Literal

from actors.common.small_files import read_regular, replace_file
from actors.settings.mcp.servers import McpServer, digest

Mode = Literal["auto", "legacy"]
"""Ask first, and shake hands where that is not understood; shake hands at once, as servers before 2026 want it."""
FIRST_STATELESS = "2026-07-28"
MOST = 64
"""Bytes of what is remembered."""


def tries(server: McpServer, era: str) -> tuple[Mode, ...]:
    """In which order. era: as remembered, "" for not known. A server that dies of a question is not asked again."""
    if server.transport == "sse":
        return ("legacy",)
    if era and era < FIRST_STATELESS:
        return ("legacy", "auto")
    return ("auto", "legacy")


def remembered(home: str, server: McpServer) -> str:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return read_regular(_path(home, server), MOST, follow=False).decode()
    return ""


def remember(home: str, server: McpServer, era: str) -> None:
    """Not, where that cannot be written: it is found out again."""
    path = _path(home, server)
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(path, era.encode())


def _path(home: str, server: McpServer) -> Path:
    """By what was written, with its variables: their values are nobody's to keep."""
    return Path(home, "cache", "mcp", f"{server.name}.{digest(server)[:12]}.era")
