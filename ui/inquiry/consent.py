"""Whether a large inquiry may begin: asked on the terminal once, else refused with what to say instead."""

import os
import sys

import trio

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import Recall, Recalled, Remember
from actors.settings.config import Settings
from ui.headless.stdout import STDERR, say

STDIN = 0
WITHOUT_TERMINAL = "Nobody can be asked here: say --yes, or --max-cost USD for a limit."


async def agreed(mailbox: Mailbox, settings: Settings, question: str) -> bool:
    """In this run of the program it is asked once, whoever dies. Raises Failed."""
    key = f"inquiry agreed/{settings.run_id}"
    if (await mailbox.insist("store", Recall(key=key), Recalled)).value is not None:
        return True
    say(f"{question} [y/N] ", end="")
    line = await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
    if line.strip().casefold() not in ("y", "yes"):
        return False
    await mailbox.insist("store", Remember(key=key, value="yes"), Done)
    return True


def can_ask() -> bool:
    return os.isatty(STDIN) and os.isatty(STDERR)
