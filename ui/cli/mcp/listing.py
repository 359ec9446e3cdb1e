"""`trouper mcp list`, `get` and `logs`: the servers that are written down, which count, what those have and log."""

import argparse
from collections.abc import Iterator

import msgspec

from actors.settings.mcp import entries, remembered
from actors.settings.mcp.servers import McpServer
from actors.settings.redaction import redacted
from ui.cli.mcp import words
from ui.cli.mcp.here import Here, Written, add_name, meant
from ui.cli.mcp.rows import Row, listed, named, rows, with_what_it_has
from ui.common import json_text, server_logs
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import exposed_line
from ui.headless import one_answer

LOG_LINES = 200


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
    SUMMARY = "all that is written of one, and what it had the last time; values that may be secret are hidden"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        add_name(parser)
        parser.add_argument("--json", action="store_true")

    def main(self, options: argparse.Namespace, place: Here) -> int:
        one = meant(place, options.name)
        read = entries.read(one.name, one.entry, str(one.path), one.scope)
        state = next(row for row in rows(place.configured()) if (row.name, row.source) == (one.name, str(one.path)))
        if read.server and state.counts and (known := remembered.recall(place.home, read.server)):
            state = with_what_it_has(state, known)
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


class Logs:
    SUMMARY = f"the last {LOG_LINES} lines that a server has logged"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        add_name(parser)

    def main(self, options: argparse.Namespace, place: Here) -> int:
        meant(place, options.name)
        where = server_logs.file(place.home, options.name)
        try:
            lines = server_logs.last_lines(place.home, options.name, LOG_LINES)
        except FileNotFoundError:
            one_answer.complain(f"{options.name} has logged nothing yet ({where}).")
            return DONE
        except OSError as error:
            one_answer.complain(f"{where} cannot be read: {error.strerror or error}.")
            return FAILED
        return one_answer.printed("".join(f"{line}\n" for line in lines))


LIST, GET, LOGS = List(), Get(), Logs()


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
    for kind, line in named(state):
        yield exposed_line(f"{kind:15} {line}") + "\n"
