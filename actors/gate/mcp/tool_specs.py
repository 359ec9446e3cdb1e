"""From a server's tools to ours: which are offered, under which name, and what they count as. Pure."""

import re
from collections.abc import Iterable

import msgspec

from actors.messages.mcp import McpTool, ServerIs
from actors.messages.model import ToolSpec
from actors.settings.mcp.names import shown, wire_name
from actors.settings.mcp.servers import McpServer
from actors.texts.token_estimate import of_tool

MOST_TOOLS = 500
"""Of one server; a model finds nothing among more."""
MOST_DESCRIPTION = 4_000
"""Characters; what is longer is cut."""
PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
"""What an argument may be called, as Anthropic has it."""
UNTAKEN = ("oneOf", "anyOf", "allOf")
"""At the top of a schema, where services take none of them: what does not fit them the server says."""
NO_ARGUMENTS = '{"type":"object"}'


def specs(server: McpServer, known: ServerIs) -> tuple[ToolSpec, ...]:
    """In the order of their names: services cache by prefix, and servers list them as they like."""
    tools = sorted(offered(server, known.tools), key=lambda tool: tool.name)[:MOST_TOOLS]
    by_name = {spec.name: spec for spec in (_spec(server, tool) for tool in tools)}
    return tuple(by_name.values())


def offered(server: McpServer, tools: Iterable[McpTool]) -> Iterable[McpTool]:
    """What the user lets through."""
    return (tool for tool in tools if server.lets_through(tool.name))


def tokens(tools: Iterable[ToolSpec]) -> int:
    """About so many, of each request that they are offered with."""
    return sum(of_tool(tool.name, tool.description, tool.parameters) for tool in tools)


def _spec(server: McpServer, tool: McpTool) -> ToolSpec:
    return ToolSpec(
        name=wire_name(server.name, tool.name),
        description=tool.description[:MOST_DESCRIPTION] or shown(server.name, tool.name),
        parameters=_schema(tool.input_schema),
        # what a server says of itself decides nothing
        effect="read" if server.only_looks(tool.name) else "execute",
        runs_in="mcp",
        server=server.name,
        server_tool=tool.name,
    )


def _schema(text: str) -> str:
    """Services refuse a whole request for one tool whose schema is none that they take."""
    try:
        schema = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return NO_ARGUMENTS
    if not isinstance(schema, dict):
        return NO_ARGUMENTS
    named = schema.get("properties", {})
    if not isinstance(named, dict) or not all(map(PROPERTY.fullmatch, named)):
        return NO_ARGUMENTS
    kept = {key: value for key, value in schema.items() if key not in UNTAKEN}
    return msgspec.json.encode({**kept, "type": "object"}).decode()
