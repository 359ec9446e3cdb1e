"""A row for each server: as it is written, and what it says of itself once it was asked."""

from collections.abc import Iterator, Sequence

import msgspec

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.messages.mcp import McpTool, ServerIs
from actors.settings.mcp.names import wire_name
from actors.settings.mcp.servers import Configured, LeftOutServer, McpServer
from ui.cli.mcp import words
from ui.common.harmless import exposed_line

WHY = {
    "disabled": "disabled",
    "untrusted": "not trusted",
    "shadowed": "counts less than another",
    "refused": "has a mistake",
}


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    wire_name: str
    """As models are told it."""
    description: str
    input_schema: msgspec.Raw
    annotations: msgspec.Raw
    """The server's own; nothing relies on them."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Of `list --json`."""

    name: str
    transport: str
    """ "" of one that has a mistake."""
    scope: str
    source: str
    enabled: bool
    trusted: bool
    counts: bool
    what: str = ""
    """It runs or reaches."""
    state: str = ""
    """ready, starting, needs_login or failed; why it does not count: disabled, untrusted, shadowed or refused."""
    era: str = ""
    """Revision of the protocol."""
    version: str = ""
    tools: tuple[Tool, ...] = ()
    error: str = ""
    """Why it is not ready or does not count, and what to do."""


def rows(found: Configured) -> Iterator[Row]:
    """By name; those that count come first of a name."""
    counting = [(server.name, 0, _row(server)) for server in found.servers]
    left_out = [(one.name, 1, _left_out(one)) for one in found.left_out]
    yield from (row for _, _, row in sorted([*counting, *left_out], key=lambda each: each[:2]))


def _row(server: McpServer) -> Row:
    return Row(
        name=server.name,
        transport=server.transport,
        scope=server.scope,
        source=server.source,
        enabled=True,
        trusted=True,
        counts=True,
        what=words.brief(server),
    )


def told(row: Row, found: ServerIs | Failed | None) -> Row:
    """With what its server says, or why that says nothing. None: it was not asked."""
    match found:
        case None:
            return row
        case Failed():
            return msgspec.structs.replace(row, state="failed", error=str(found))
        case ServerIs():
            tools = tuple(_tool(row.name, tool) for tool in found.tools)
            said = {"state": found.state, "era": found.era, "version": found.version, "error": found.error}
            return msgspec.structs.replace(row, tools=tools, **said)


def _tool(server: str, tool: McpTool) -> Tool:
    return Tool(
        name=tool.name,
        wire_name=wire_name(server, tool.name),
        description=tool.description,
        input_schema=msgspec.Raw(tool.input_schema.encode()),
        annotations=msgspec.Raw((tool.annotations or "{}").encode()),
    )


def _left_out(one: LeftOutServer) -> Row:
    return Row(
        name=one.name,
        transport=one.transport,
        scope=one.scope,
        source=one.source,
        enabled=one.why != "disabled",
        trusted=one.scope == "user",
        counts=False,
        what=words.brief(one.server) if one.server else one.source,
        state=one.why,
        error=f"{WHY[one.why]}. {one.reason}".rstrip(". ") + ".",
    )


def listed(every: Sequence[Row]) -> Iterator[str]:
    """A line each, and below it what is wrong."""
    width = max(len(row.name) for row in every)
    for row in every:
        has = how_many(len(row.tools), "tool") if row.state == "ready" else WHY.get(row.state, row.state)
        facts = " · ".join(filter(None, (has, row.version, row.era)))
        yield exposed_line(f"{row.name:{width}}  {row.transport or '-':5}  {row.scope:9}  {row.what}  [{facts}]") + "\n"
        if row.error and (row.counts or row.state == "refused"):
            yield exposed_line(f"{'':{width}}  {row.error}") + "\n"
