"""Whether files that rules hide were moved while a search went on: then it may have read one under another name.

Who looks at a name afterwards may find another file there. A rename leaves its time at what is renamed and at the
folder that it is in, however often there and back: where one of the two has kept its time nothing was renamed.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

TICK_NS = 20_000_000
"""The clock of the kernel's file times may stand still for so long: two changes within have the same time."""


class Watched:
    """Hidden files, and the folders that they are in, as they are now. Blocks."""

    def __init__(self, hidden: Iterable[Path], held: Mapping[Path, tuple[int, int]], workspace: Path) -> None:
        """hidden: places, whether or not something is there. held: where files were just now, with device and inode.

        Paths are absolute, symlinks resolved. No command can rename the workspace itself.
        """
        self._at = time.time_ns()
        self._watched = {each for path in (*hidden, *held) for each in _below(path, workspace)}
        self._before = self._times()
        self._lost = any(_node(path) != node for path, node in held.items())

    def have_moved(self) -> bool:
        """Or may have. Also what came or went."""
        now = self._times()

        def may_differ(path: Path) -> bool:
            return now[path] != self._before[path] or now[path] > self._at - TICK_NS

        return self._lost or any(may_differ(path) and may_differ(path.parent) for path in self._watched)

    def _times(self) -> dict[Path, int]:
        return {path: _changed(path) for path in {*self._watched, *(path.parent for path in self._watched)}}


def _below(path: Path, workspace: Path) -> Iterator[Path]:
    for each in (path, *path.parents[:-1]):
        if each == workspace:
            return
        yield each


def _node(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        info = path.lstat()
        return info.st_dev, info.st_ino
    return None


def _changed(path: Path) -> int:
    """0: it is not there. Not the time of its content, which anybody may set."""
    with suppress(OSError):
        return path.lstat().st_ctime_ns
    return 0
