"""`trouper mcp call`: one call of a server's tool, without a model and without the gate: the user makes it."""

import argparse
import os
import sys

import msgspec

from actors.messages.mcp import Elicit
from ui.cli.mcp.here import Here, meant
from ui.cli.mcp.running import run
from ui.common.usage_errors import Usage


class Call:
    SUMMARY = "call a tool; its result is printed as JSON, the exit code is 1 when it has failed"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="SERVER")
        parser.add_argument("tool", metavar="TOOL", help="as the server calls it")
        parser.add_argument("given", metavar="JSON", nargs="?", default="{}", help='the arguments, or "-" for stdin')
        parser.add_argument(
            "--elicit",
            choices=("ask", "defaults", "decline"),
            default=None,
            metavar="HOW",
            help="what a server is told that asks for something: ask (on a terminal), defaults or decline",
        )

    def main(self, options: argparse.Namespace, place: Here) -> int:
        from ui.cli.mcp.front import Asked  # with all that a front needs

        counting = meant_to_count(place, options.name)
        given = sys.stdin.read() if options.given == "-" else options.given
        try:
            msgspec.json.decode(given, type=dict[str, msgspec.Raw])
        except msgspec.DecodeError as error:
            raise Usage(f'the arguments are not a JSON object: {error}. For example: \'{{"path": "a.md"}}\'') from error
        elicit: Elicit = options.elicit or ("ask" if os.isatty(0) and os.isatty(1) else "decline")
        asked = Asked(what="call", server=counting, tool=options.tool, arguments=given, elicit=elicit)
        return run(place, asked, interactive=elicit == "ask")


CALL = Call()


def meant_to_count(place: Here, name: str) -> str:
    """Raises Usage and BadConfiguration: what does not count is not started."""
    found = place.configured()
    if name in {server.name for server in found.servers}:
        return name
    meant(place, name)
    why = next((one.reason or one.why for one in found.left_out if one.name == name), "it does not count here")
    raise Usage(f'the MCP server "{name}" does not count: {why}')
