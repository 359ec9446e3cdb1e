"""What a tool of an MCP server is called: SERVER___TOOL to models, server:tool to people and in rules."""

import hashlib
import re
from collections.abc import Iterable, Mapping

LONGEST = 64
"""Characters that every model service takes."""
MARK = "___"
SERVER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,39}")
"""What a server may be called. One that begins with - would be an option where its name is written behind a command."""
HASHED = re.compile(r"_[0-9a-f]{6}\Z")
"""How a name ends that had to be changed."""


def wire_names(server: str, tools: Iterable[str]) -> Mapping[str, str]:
    """Tool -> its name for models; the same whatever other tools there are, and no two alike."""
    return {tool: wire_name(server, tool) for tool in tools}


def wire_name(server: str, tool: str) -> str:
    """Where a name had to be changed its hash is part of it, so that two different tools never get one name.

    Also where the mark cannot be told from what is before it: a_ and b, a and _b would both be a____b; and where it
    ends as changed ones do, for it could be made to be one of those.
    """
    plain = f"{server}{MARK}{tool}"
    safe = re.sub(r"[^A-Za-z0-9_-]", "_", plain)
    if safe == plain and len(safe) <= LONGEST and plain.index(MARK) == len(server) and not HASHED.search(safe):
        return safe
    mark = "_" + hashlib.sha256(f"{server}\n{tool}".encode(errors="surrogatepass")).hexdigest()[:6]
    return safe[: LONGEST - len(mark)] + mark


def shown(server: str, tool: str) -> str:
    """For people and in rules."""
    return f"{server}:{tool}"
