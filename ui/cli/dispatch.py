"""Which command it is, and errors to exit codes."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from actors.errors import BadConfiguration
from ui.cli.arguments import main_parser
from ui.cli.table import SUBCOMMANDS, module
from ui.common.exit_codes import USAGE
from ui.common.harmless import sanitise
from ui.common.usage_errors import Usage, check_text
from ui.start.launch_state import Launch


def run(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code."""
    try:
        check_text(*arguments, os.environ.get("TROUPER_HOME", ""), os.environ.get("HOME", ""))
        return _dispatch(arguments, launch)
    except (Usage, BadConfiguration) as error:
        launch.give_terminal_back()
        sys.stderr.write(f"trouper: {sanitise(str(error))}\n")  # it may quote a file of the workspace
        return USAGE


def _dispatch(arguments: Sequence[str], launch: Launch) -> int:
    name = arguments[0] if arguments else ""
    if name in SUBCOMMANDS:
        code: int = import_module(module(name)).main(arguments[1:], launch)
        return code
    from ui.cli import prompt

    return prompt.main(main_parser().parse_args(arguments), launch)
