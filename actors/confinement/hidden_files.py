"""What rules hide stays hidden wherever a command moves it: each file or folder is held by a descriptor.

The kernel tells where a descriptor's file is now, however often it was renamed. For the life of the worker; Linux only.
"""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

DELETED = " (deleted)"
"""What the kernel adds to the name, https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html."""


class Followed:
    def __init__(self) -> None:
        self._held: dict[tuple[int, int], tuple[int, str]] = {}
        """Device and inode -> descriptor, the pattern that hides it."""

    def hold(self, found: Mapping[Path, str]) -> None:
        """By the pattern that hides it; symlinks resolved. What is held already stays as it is."""
        for path, pattern in found.items():
            try:
                descriptor = os.open(path, _only_the_place() | os.O_NOFOLLOW | os.O_CLOEXEC)
            except OSError:
                continue  # gone meanwhile
            info = os.fstat(descriptor)
            if self._held.setdefault((info.st_dev, info.st_ino), (descriptor, pattern))[0] != descriptor:
                os.close(descriptor)

    def holds(self, info: os.stat_result, patterns: Collection[str]) -> bool:
        """It is one of the files that were found by these patterns."""
        return self._held.get((info.st_dev, info.st_ino), (0, ""))[1] in patterns

    def places(self, patterns: Collection[str]) -> dict[Path, tuple[int, int]]:
        """Where the files are now that were found by these patterns, each with its device and inode."""
        now: dict[Path, tuple[int, int]] = {}
        for key, (descriptor, pattern) in list(self._held.items()):
            place = str(Path(f"/proc/self/fd/{descriptor}").readlink())
            if place.endswith(DELETED):
                os.close(descriptor)
                del self._held[key]
            elif pattern in patterns:
                now[Path(place)] = key
        return now


def _only_the_place() -> int:
    return getattr(os, "O_PATH", os.O_RDONLY)
