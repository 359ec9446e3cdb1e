"""What one command and all it started use: more than the machine can bear, and it has to end."""

import contextlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from actors.confinement import limits

PAGE = os.sysconf("SC_PAGE_SIZE")
MB = 1024 * 1024


class Bounds(msgspec.Struct, frozen=True):
    processes: int
    memory: int
    """Bytes."""
    free: int
    """Bytes that have to stay free on each disk."""


def usual() -> Bounds:
    memory = int(os.sysconf("SC_PHYS_PAGES") * PAGE * limits.COMMAND_MEMORY_SHARE)
    return Bounds(limits.COMMAND_PROCESSES, memory, limits.FREE_BYTES)


class Watch:
    """Over one command, from its start."""

    def __init__(self, bounds: Bounds, folders: Iterable[Path]) -> None:
        self._bounds = bounds
        self._folders = [folder for folder in folders if _free(folder) >= bounds.free]

    def excess(self, pids: Sequence[int]) -> str:
        """What there is too much of, for the model; "" for nothing."""
        if len(pids) > self._bounds.processes:
            return f"it had more than {self._bounds.processes} processes"
        # what processes share is counted once for each at first, and exactly only when that is too much
        if sum(map(_resident, pids)) > self._bounds.memory and sum(map(_own, pids)) > self._bounds.memory:
            return f"it used more than {self._bounds.memory // MB} MB of memory"
        for folder in self._folders:
            if _free(folder) < self._bounds.free:
                return f"it left less than {self._bounds.free // MB} MB free on the disk of {folder}"
        return ""


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * PAGE
    return 0


def _own(pid: int) -> int:
    """Its proportional share of what it has in memory; all of it where that is not told."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return _resident(pid)


def _free(folder: Path) -> int:
    try:
        disk = os.statvfs(folder)
    except OSError:
        return 0
    return disk.f_bavail * disk.f_frsize
