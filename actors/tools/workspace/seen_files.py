"""What the model knows of files: which ones it has read or written, and how they were then.

A worker knows it of one call only: the agent has it from results, and says it with each call, whichever worker runs it.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from actors.messages.conversation import MOST_SEEN, Seen, Stamp
from actors.tools.output import encodable


class Sight:
    """Of one call: what was known before it, and what it has seen itself."""

    def __init__(self, known: Iterable[Seen] | None = None) -> None:
        """known: None where nobody says it, so nothing that is there is new to who calls."""
        self._is_told = known is not None
        self._known = {one.path: one.stamp for one in known or ()}
        self._new: dict[str, Stamp] = {}

    def note(self, path: Path, info: os.stat_result) -> None:
        name = encodable(str(path))
        self._known[name] = self._new[name] = _stamp(info)

    def forget(self, path: Path) -> None:
        """It was written by who does not know all that is in it."""
        name = encodable(str(path))
        self._known.pop(name, None)
        self._new.pop(name, None)

    def has_changed(self, path: Path, info: os.stat_result) -> bool:
        """Since it was last read or written; False when it never was."""
        return encodable(str(path)) in self._known and not self._is_known(info)

    def is_unknown(self, path: Path, info: os.stat_result) -> bool:
        """It was neither read nor written, nor was it under another name."""
        return self._is_told and encodable(str(path)) not in self._known and not self._is_known(info)

    @property
    def seen(self) -> tuple[Seen, ...]:
        """By this call; the latest."""
        return tuple(Seen(path=path, stamp=stamp) for path, stamp in self._new.items())[-MOST_SEEN:]

    def _is_known(self, info: os.stat_result) -> bool:
        """By any name: what was moved is still what was read."""
        return _stamp(info) in self._known.values()


def _stamp(info: os.stat_result) -> Stamp:
    return (info.st_ino, info.st_size, info.st_mtime_ns)
