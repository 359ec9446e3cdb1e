"""`trouper mcp list` and `get`: the servers that are written down, where, and which count; none is started."""

import argparse
from collections.abc import Iterator

import msgspec

from actors.settings.mcp import entries
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
    error: str = ""
    """Why it does not count, and what to do."""


class List:
    SUMMARY = "the servers, where each is written, and which count"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true")

    def main(self, options: argparse.Namespace, place: Here) -> int:
        found = place.configured()
        for notice in found.notices:
            one_answer.complain(notice)
        if options.json:
            return one_answer.printed(json_text.pretty([*rows(found)]))
        if not (found.servers or found.left_out):
            return one_answer.printed("There are no MCP servers. Add one: trouper mcp add NAME -- COMMAND\n")
        return one_answer.printed("".join(_listed(found)))


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
        error=f"{WHY[one.why]}. {one.reason}".rstrip(". ") + ".",
    )


def _listed(found: Configured) -> Iterator[str]:
    servers = {(server.name, server.source): words.brief(server) for server in found.servers}
    of_untrusted = {(one.name, one.source): words.brief(one.server) for one in found.left_out if one.server}
    said = {**servers, **of_untrusted}
    every = list(rows(found))
    width = max(len(row.name) for row in every)
    for row in every:
        state = "" if row.counts else f"  [{row.error.partition('.')[0]}]"
        what = said.get((row.name, row.source), row.source)
        yield exposed_line(f"{row.name:{width}}  {row.transport or '-':5}  {row.scope:9}  {what}{state}") + "\n"


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
