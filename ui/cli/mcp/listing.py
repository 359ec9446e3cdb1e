"""`trouper mcp list` and `get`: the servers that are written down, where, which count, and what those have."""

import argparse
from collections.abc import Iterator

import msgspec

from actors.settings.mcp import entries
from actors.settings.mcp.servers import McpServer
from actors.settings.redaction import redacted
from ui.cli.mcp import words
from ui.cli.mcp.here import Here, Written, add_name, meant
from ui.cli.mcp.rows import Row, listed, rows
from ui.common import json_text
from ui.common.exit_codes import FAILED
from ui.common.harmless import exposed_line
from ui.headless import one_answer


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
            words.warn(read.server, place.cwd)
        return code if read.server else FAILED


LIST, GET = List(), Get()


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
