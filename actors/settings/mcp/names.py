"""What a tool of an MCP server is called: SERVER___TOOL to models, server:tool to people and in rules."""

import hashlib
import re
from collections.abc import Iterable, Mapping

from actors.messages.conversation import ToolCall

LONGEST = 64
"""Characters that every model service takes."""
MARK = "___"
LIST_TOOL, READ_TOOL = "list_mcp_resources", "read_mcp_resource"
"""Of models, for what servers have beside tools: their names in other agents, too."""
READING = "resources/read"
"""What rules call it that a server's resources are read: in the protocol's own words, for it is no tool of a server."""
OTHERS = "mcp__"
"""What such a name begins with elsewhere: mcp__SERVER__TOOL."""
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


def reading_call(server: str) -> str:
    """The call that a model's READ_TOOL becomes, so that all that is for calls of this server is for it, too.

    No wire name has a slash.
    """
    return f"{server}{MARK}{READING}"


def meant(name: str) -> str:
    """The name for models, of a tool that a model names in another way; what names no server's tool stays as it is."""
    if name.startswith(OTHERS):
        server, mark, tool = name.removeprefix(OTHERS).partition("__")
        return wire_name(server, tool) if mark else name
    server, colon, tool = name.partition(":")
    return wire_name(server, tool) if colon and SERVER.fullmatch(server) else name


def shown(server: str, tool: str) -> str:
    """For people and in rules."""
    return f"{server}:{tool}"


def shown_tool(call: ToolCall) -> str:
    """What people call its tool."""
    return call.shown or shown_wire(call.name)


def shown_wire(name: str) -> str:
    """The same where nothing but the name for models is known: of one that was changed it is near to the server's own.

    No tool of ours has the mark in its name.
    """
    server, mark, tool = name.partition(MARK)
    return shown(server, tool) if mark and tool and SERVER.fullmatch(server) else name
