"""What a sign-in needs of the launcher: a browser that can be opened, and a terminal that is put in order again."""

import os
import termios
from pathlib import Path

from actors.settings.config import Settings
from ui.start.launch_state import Launch


def beside_run(settings: Settings, kind: str) -> str:
    """The path of a pipe or a file of this start of the program."""
    return str(Path(settings.home, "run", f"{settings.run_id}.{kind}"))


def take_care_of_terminal(settings: Settings, launch: Launch) -> None:
    """The front changes it; whatever becomes of the front, it is put in order at the end."""
    if os.isatty(0) and os.isatty(1):
        from supervisor.terminal import Terminal

        launch.terminal = Terminal(termios.tcgetattr(0), beside_run(settings, "screen"))
