"""What is said at the door of a batch, a JSON line each: where it stands, what it says, how it ends."""

from pathlib import Path

import msgspec

from ui.batch.live.standing import Standing

LONGEST = 16 * 1024 * 1024
"""Bytes of a line."""


class Said(msgspec.Struct, frozen=True, tag=True):
    """A line for good, such as how a task ended. Harmless."""

    text: str


class Pauses(msgspec.Struct, frozen=True, tag=True):
    """As asked: no task is begun any more, and those at work are being ended."""


class Ended(msgspec.Struct, frozen=True, tag=True):
    """The last word."""

    code: int
    """With which its program ends."""


Inside = Standing | Said | Pauses | Ended


class Pause(msgspec.Struct, frozen=True, tag=True):
    """The word from outside: pause in order, as for Ctrl-C. Who only looks says nothing."""

    who: str
    """For people."""


class NobodyThere(Exception):
    """No program runs the batch, or it does not answer. Text for the user."""


def path_of(home: str, run_id: str) -> Path:
    """In a folder of the user alone."""
    return Path(home, "run", f"{run_id}.batch-door")


def line(word: Inside | Pause) -> bytes:
    return msgspec.json.encode(word) + b"\n"
