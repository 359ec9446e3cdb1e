"""`trouper mcp ACTION`: the MCP servers that are configured. The actions are `ui.cli.mcp`."""

import argparse
from collections.abc import Sequence
from typing import Protocol

from ui.cli.arguments import Parser, without_common
from ui.cli.mcp import adding, calling, changing, importing, listing, restarting, serving, signing_in, trusting
from ui.cli.mcp.here import Here, here
from ui.start.launch_state import Launch

EXAMPLES = """
examples:
  trouper mcp add time -- uvx mcp-server-time
  trouper mcp add github --url https://api.githubcopilot.com/mcp/ --header 'Authorization: Bearer ${GITHUB_TOKEN}'
  trouper mcp add-json fetch '{"command": "uvx", "args": ["mcp-server-fetch"]}'
  trouper mcp list
  trouper mcp call time get_current_time '{"timezone": "Europe/Berlin"}'
  trouper mcp trust                      what this folder's .mcp.json would do; it counts once you trust it
  trouper mcp import claude-code         shown first, written when you say so
  claude mcp add trouper -- trouper mcp serve        the other way round: Claude Code gives Trouper tasks

Yours are in TROUPER_HOME/mcp.json, or in [mcp.NAME] of its config.toml, which counts more; .mcp.json is the folder's.
'${NAME}' and '${NAME:-default}' are variables of your environment, filled in where the server is started.
In one run the servers of .mcp.json also count with:
  --trust-mcp
"""


class Action(Protocol):
    """Of a module of `ui.cli.mcp`."""

    SUMMARY: str

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def main(self, options: argparse.Namespace, place: Here) -> int: ...


ACTIONS: dict[str, Action] = {
    "add": adding.ADD,
    "add-json": adding.ADD_JSON,
    "list": listing.LIST,
    "get": listing.GET,
    "call": calling.CALL,
    "logs": listing.LOGS,
    "restart": restarting.RESTART,
    "login": signing_in.LOGIN,
    "logout": signing_in.LOGOUT,
    "remove": changing.REMOVE,
    "enable": changing.ENABLE,
    "disable": changing.DISABLE,
    "trust": trusting.TRUST,
    "import": importing.IMPORT,
    "serve": serving.SERVE,
}


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    head, behind = _split(arguments)
    made = parser()
    options, further = made.parse_known_args(head)
    if options.action == "add":
        adding.take(options, further, behind)
    elif further:
        made.error(f"unrecognized arguments: {' '.join(further)}")
    return ACTIONS[options.action].main(options, here(options, launch))


def _split(arguments: Sequence[str]) -> tuple[Sequence[str], list[str]]:
    """Of `add`: what is before --, and the command behind it, which may have a -- of its own."""
    if list(arguments[:1]) != ["add"] or "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], list(arguments[at + 1 :])


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper mcp",
        description="The MCP servers that are configured: yours, and those that a folder brings.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    without_common(made)
    below = made.add_subparsers(dest="action", required=True, metavar="|".join(ACTIONS))
    for name, action in ACTIONS.items():
        one = below.add_parser(name, help=action.SUMMARY)
        action.arguments(one)
        one.add_argument("--cwd", default=None, metavar="FOLDER", help="the workspace (default: this folder)")
    return made
