"""What models have for the resources of MCP servers: two tools for all of them, and what their calls mean. Pure."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from actors.common.own_tools import parsed, spec
from actors.common.plurals import how_many
from actors.errors import failed
from actors.messages.conversation import Effect, ToolCall, ToolResult
from actors.messages.mcp import McpResource, McpTemplate, ServerIs
from actors.messages.model import ToolSpec
from actors.settings.mcp.names import LIST_TOOL, READ_TOOL, READING, reading_call
from actors.settings.mcp.servers import McpServer

MOST_LISTED = 200
"""Of one server; a model that needs others asks for that server alone."""
MOST_OF_ONE = 1000
LINE_CHARS = 300


class ListArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    server: Annotated[str, msgspec.Meta(description="Only of this one; left out: of all.")] = ""


class ReadArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    server: Annotated[str, msgspec.Meta(min_length=1)]
    uri: Annotated[str, msgspec.Meta(min_length=1)]


LIST = spec(LIST_TOOL, ListArguments, "gate", Path(__file__).parent, "read")
READ = msgspec.structs.replace(
    spec(READ_TOOL, ReadArguments, "gate", Path(__file__).parent, "execute"), runs_in="mcp", server_tool=READING
)


def reading(server: McpServer, known: ServerIs) -> Iterator[ToolSpec]:
    """What a call of READ is judged and run as; nothing where there is nothing to read, or the user does not let it."""
    if (known.resources or known.templates) and server.lets_through(READING):
        effect: Effect = "read" if server.only_looks(READING) else "execute"
        yield msgspec.structs.replace(READ, name=reading_call(server.name), effect=effect, server=server.name)


def offered(readings: Iterable[ToolSpec]) -> tuple[ToolSpec, ...]:
    """To a model. Only where all of it looks does the tool: what one call is only its server says."""
    effects = {one.effect for one in readings}
    if not effects:
        return ()
    return LIST, msgspec.structs.replace(READ, effect="read" if effects == {"read"} else "execute")


def meant(call: ToolCall) -> ToolCall:
    """A call of READ is one of the server that it names. Raises Failed."""
    if call.name != READ.name:
        return call
    wanted = parsed(call, ReadArguments)
    arguments = msgspec.json.encode({"uri": wanted.uri}).decode()
    return msgspec.structs.replace(call, name=reading_call(wanted.server), arguments=arguments)


def listed(call: ToolCall, servers: Iterable[ServerIs]) -> ToolResult:
    """servers: those that may be read. Raises Failed."""
    wanted = parsed(call, ListArguments).server
    there = list(servers)
    meant = [one for one in there if wanted in ("", one.name)]
    if wanted and not meant:
        raise unreadable(wanted, there)
    output = "\n\n".join(_of(one, MOST_OF_ONE if wanted else MOST_LISTED) for one in meant)
    count = sum(len(one.resources) for one in meant)
    summary = f"{how_many(count, 'resource')} of {how_many(len(meant), 'server')}"
    return ToolResult(call_id=call.call_id, name=call.name, output=output, summary=summary)


def unreadable(server: str, there: Iterable[ServerIs]) -> Exception:
    names = ", ".join(one.name for one in there)
    advice = f"Servers with resources: {names or 'none'}."
    return failed("bad_arguments", f'no MCP server "{server}" has resources that you may read.', advice)


def _of(server: ServerIs, most: int) -> str:
    lines = [*map(_line, server.resources), *map(_line, server.templates)]
    extra = len(lines) - most
    more = [f"[{how_many(extra, 'more entry')} left out; name the server to see more of it]"] if extra > 0 else []
    return "\n".join([f"{server.name}:", *lines[:most], *more])


def _line(one: McpResource | McpTemplate) -> str:
    what = "template " if isinstance(one, McpTemplate) else ""
    named = one.name if one.name != one.uri else ""
    said = " - ".join(filter(None, (named, one.media_type, " ".join(one.description.split()))))
    return f"{what}{one.uri}  {said}".strip()[:LINE_CHARS]
