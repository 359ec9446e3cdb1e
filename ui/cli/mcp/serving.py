"""`trouper mcp serve`: Trouper as an MCP server on stdin and stdout, for other programs to give it tasks."""

import argparse
import os
import sys

import msgspec

from actors.messages.budget import Budget
from actors.messages.tool import Mode
from actors.settings.config import Settings
from ui.cli.arguments import add_asking, add_running, positive
from ui.cli.mcp.here import Here
from ui.common.usage_errors import Usage
from ui.start.fronts import encoded

AT_A_TERMINAL = (
    "mcp serve speaks MCP on stdin and stdout, so it is started by a program that is given it as a server. For Claude "
    "Code: claude mcp add trouper -- trouper mcp serve"
)


class Serve:
    SUMMARY = "be an MCP server on stdin and stdout: other programs give tasks to Trouper"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--all-folders", action="store_true", help="sessions of every folder may be searched and read"
        )
        parser.add_argument("--max-turns", type=positive, metavar="N", help="model requests in one task (default 40)")
        add_asking(parser)
        add_running(parser)

    def main(self, options: argparse.Namespace, place: Here) -> int:
        from ui.serve.terms import SERVED, ServeFront
        from ui.start import session_settings
        from ui.start.session_run import Run, supervise

        if os.environ.get(SERVED):
            raise Usage("this is below a Trouper that is an MCP server itself; one below the other would never end.")
        if sys.stdin is not None and sys.stdin.isatty():
            raise Usage(AT_A_TERMINAL)
        settings = session_settings.for_asking(session_settings.prepare(options, place.launch), options)
        os.environ[SERVED] = "1"
        front = encoded(ServeFront(all_folders=options.all_folders))
        settings = msgspec.structs.replace(
            settings,
            mode=mode(settings),
            mode_chosen=True,
            max_turns=options.max_turns or settings.max_turns,
            budgets=_of_all(settings),
            asks_approvals=True,
            front=front,
        )
        return supervise(Run(settings=settings, launch=place.launch, entry="ui.serve.front:run", main_agent=False))


def mode(settings: Settings) -> Mode:
    """What config.toml says is meant for the user's own sessions: here only the flag gives more than the default."""
    from ui.batch.places import WIDTH

    return settings.mode if settings.mode_chosen or WIDTH[settings.mode] <= WIDTH["default"] else "default"


def _of_all(settings: Settings) -> tuple[Budget, ...]:
    """For all tasks together: their sessions are named after this one."""
    of_server = {"session_id": settings.session_id, "what": "this MCP server", "again": "trouper mcp serve"}
    return tuple(msgspec.structs.replace(budget, **of_server) for budget in settings.budgets)


SERVE = Serve()
