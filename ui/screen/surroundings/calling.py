"""Calling somebody who looks elsewhere: by the terminal, or by macOS where the terminal has no notifications."""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Protocol

import trio

LONGEST_S = 5.0
"""The system's own word may take so long, or it is not waited for."""
SCRIPT = ("on run argv", "display notification (item 1 of argv) with title (item 2 of argv)", "end run")
"""AppleScript, which has no text of anybody in it: what is shown are its arguments."""
TITLE = "trouper"


class Looked(Protocol):
    @property
    def focused(self) -> bool:
        """Its user looks at the terminal."""


@dataclass(frozen=True)
class Calling:
    by_terminal: Callable[[str], None]
    terminal: Looked
    start: Callable[..., None]
    """A task: its function and arguments."""
    _: KW_ONLY
    system: bool
    """macOS calls, too."""

    def call(self, why: str) -> None:
        """why: words of our own."""
        if self.terminal.focused:
            return
        self.by_terminal(why)
        if self.system:
            self.start(notify, command(why))


def command(why: str) -> tuple[str, ...]:
    return ("osascript", *(word for line in SCRIPT for word in ("-e", line)), "--", why, TITLE)


async def notify(words: tuple[str, ...]) -> None:
    """Nobody is told where it does not work: the terminal has rung its bell."""
    if shutil.which(words[0]) is None:
        return
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    with trio.move_on_after(LONGEST_S):
        await trio.run_process(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            check=False,
        )
