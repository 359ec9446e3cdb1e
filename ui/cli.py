"""The command line: which command it is, and errors to exit codes."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from actors.errors import BadConfiguration
from ui.arguments import main_parser
from ui.start import Launch

DONE, FAILED, USAGE = 0, 1, 2


class Usage(Exception):
    """The arguments do not make sense; text for the user."""


def run(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code."""
    try:
        return _dispatch(arguments, launch)
    except (Usage, BadConfiguration) as error:
        launch.give_terminal_back()
        sys.stderr.write(f"trouper: {error}\n")
        return USAGE


def _dispatch(arguments: Sequence[str], launch: Launch) -> int:
    match arguments[0] if arguments else "":
        case "batch":
            from ui import batch_cli

            return batch_cli.main(arguments[1:], launch)
        case "sessions":
            from ui import sessions_cli

            return sessions_cli.main(arguments[1:], launch)
        case "tools":
            from ui import tools_cli

            return tools_cli.main(arguments[1:], launch)
        case "top":
            from ui import top

            return top.main(arguments[1:])
        case "demo":
            from ui import demo

            return demo.main(arguments[1:], launch)
        case _:
            from ui import conversation

            return conversation.main(main_parser().parse_args(arguments), launch)


def workspace(options: argparse.Namespace) -> Path:
    """Raises Usage."""
    folder = Path(options.cwd or os.curdir).resolve()
    if not folder.is_dir():
        raise Usage(f"--cwd {folder}: there is no such folder.")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise Usage(f"--cwd {folder}: you may not read it.")
    return folder
