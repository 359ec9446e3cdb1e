"""`trouper mcp list` and `get`: the servers that are written down, where, which count, and what those have."""

import argparse
from collections.abc import Iterator, Sequence

import msgspec

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.messages.mcp import McpTool, ServerIs
from actors.settings.mcp import entries
from actors.settings.mcp.names import wire_name
from actors.settings.mcp.servers import Configured, LeftOutServer, McpServer
from actors.settings.redaction import redacted
from ui.cli.mcp import words
from ui.cli.mcp.here import Here, Written, add_name, meant
from ui.common import json_text
from ui.common.exit_codes import FAILED
from ui.common.harmless import exposed_line
from ui.headless import one_answer

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


class List:
    SUMMARY = "the servers; those that count are started and asked what they have"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true")

    def main(self, options: argparse.Namespace, place: Here) -> int:
        found = place.configured()
        for notice in found.notices:
            one_answer.complain(notice)
        if not (options.json or found.servers or found.left_out):
            return one_answer.printed("There are no MCP servers. Add one: trouper mcp add NAME -- COMMAND\n")
        every = tuple(rows(found))
        if not found.servers:
            return one_answer.printed(json_text.pretty(every) if options.json else "".join(listed(every)))
        from ui.cli.mcp.front import Asked  # with all that a front needs
        from ui.cli.mcp.running import run

        return run(place, Asked(what="list", rows=every, json=options.json))


class Get:
    SUMMARY = "all that is written of one; values that may be secret are hidden"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        add_name(parser)
        parser.add_argument("--json", action="store_true")

    def main(self, options: argparse.Namespace, place: Here) -> int:
        one = meant(place, options.name)
        read = entries.read(one.name, one.entry, str(one.path), one.scope)
        state = next(row for row in rows(place.configured()) if (row.name, row.source) == (one.name, str(one.path)))
        if options.json:
            said = {**msgspec.to_builtins(state), **(_said(read.server) if read.server else {})}
            code = one_answer.printed(json_text.pretty(said))
        else:
            code = one_answer.printed("".join(_whole(one, state, read.server)))
        for unheard in read.unheard:
            one_answer.complain(f"this does not count: {unheard}")
        if read.server:
            words.warn(read.server)
        return code if read.server else FAILED


LIST, GET = List(), Get()


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
        if row.counts and row.error:
            yield exposed_line(f"{'':{width}}  {row.error}") + "\n"


def _said(server: McpServer) -> dict[str, object]:
    """Of what is not as it is when it is left out."""
    whole = msgspec.to_builtins(server)
    shown = {
        key: value for key, value in whole.items() if key not in ("name", "transport", "source", "scope", "digest")
    }
    hidden: dict[str, object] = {"args": [redacted(text) for text in server.args], "url": redacted(server.url)}
    hidden |= {"env": dict(words.values(server.env)), "headers": dict(words.values(server.headers))}
    return shown | {key: value for key, value in hidden.items() if value}


def _whole(one: Written, state: Row, server: McpServer | None) -> Iterator[str]:
    counts = "yes" if state.counts else f"no: {state.error}"
    facts: list[tuple[str, object]] = [("name", one.name), ("file", one.path), ("scope", one.scope), ("counts", counts)]
    if server:
        facts += [("transport", server.transport), *_said(server).items()]
    for key, value in facts:
        text = value if isinstance(value, str) else str(value) if key == "file" else msgspec.json.encode(value).decode()
        yield exposed_line(f"{key:15} {text}") + "\n"
