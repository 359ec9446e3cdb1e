"""`trouper mcp call`: one call of a server's tool, without a model and without the gate: the user makes it."""

import argparse
import os
import sys

import msgspec

from actors.messages.mcp import Elicit
from ui.cli.mcp.here import Here, meant_to_count
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
