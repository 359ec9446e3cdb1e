"""The command line: which command it is, and errors to exit codes."""

import os
import sys
from collections.abc import Sequence

from actors.errors import BadConfiguration
from ui.arguments import main_parser
from ui.harmless import sanitise
from ui.start import Launch
from ui.usage import USAGE, Usage, check_text


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
    match arguments[0] if arguments else "":
        case "auth":
            from ui import auth_cli

            return auth_cli.main(arguments[1:], launch)
        case "batch":
            from ui import batch_cli

            return batch_cli.main(arguments[1:], launch)
        case "doctor":
            from ui import doctor_cli

            return doctor_cli.main(arguments[1:], launch)
        case "models":
            from ui import models_cli

            return models_cli.main(arguments[1:], launch)
        case "permissions":
            from ui import permissions_cli

            return permissions_cli.main(arguments[1:], launch)
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
