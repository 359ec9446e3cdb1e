"""What all commands refuse: arguments that make no sense, text that is none, a workspace that is not there."""

import argparse
import os
from pathlib import Path

OF_A_SESSION = ", then go on with: trouper -c"
"""The end of a hint of the store's; what is no session is gone on with by the same command."""


class Usage(Exception):
    """The arguments do not make sense; text for the user."""


def check_text(*texts: str) -> None:
    """Everything that actors are told is UTF-8; the system's names need not be. Raises Usage."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise Usage(f"{text} is not UTF-8. Give it, or the folder, another name.") from error


def workspace(options: argparse.Namespace) -> Path:
    """Raises Usage."""
    folder = Path(options.cwd or os.curdir).resolve()
    check_text(str(folder))
    if not folder.is_dir():
        raise Usage(f"--cwd {folder}: there is no such folder.")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise Usage(f"--cwd {folder}: you may not read it.")
    return folder
