"""Folders below a top, and where repositories are in them: looked through once, and from then on only what changed."""

import os
import time
from collections import deque
from collections.abc import Container, Iterator
from pathlib import Path

from actors.common.small_files import entries as listed

LEFT_OUT = frozenset({".git", "node_modules", "__pycache__", ".venv", "venv"})
"""Many folders, in which nobody works with git."""
Stamp = tuple[int, int]
"""Inode and time of the last change, which no command can set both."""


class Finder:
    def __init__(self, top: Path, most: int, left_out: Container[str] = LEFT_OUT) -> None:
        """most: so many folders are looked at, those near the top first, and later as many again that are new."""
        self._most = most
        self._left_out = left_out
        self._listed: dict[str, Stamp | None] = {str(top): None}
        """Folders, as they were when they were listed."""
        self._since: int | None = None
        """What is new was changed no earlier, by the clock of these folders; None: there was no look yet."""
        self.too_many = False
        """There are new ones that are not looked at."""

    def tops(self) -> list[Path]:
        """Folders with a repository that are new, or have changed since this was last asked; the top itself, too."""
        return [folder for folder, entries in self.changed() if _is_repository({entry.name for entry in entries})]

    def changed(self) -> Iterator[tuple[Path, list["os.DirEntry[str]"]]]:
        """Folders that are new, or have changed since this was last asked, and what is in them."""
        waiting = deque(path for path, before in self._listed.items() if before is None or stamp_of(path) != before)
        while waiting:
            path = waiting.popleft()
            stamp = stamp_of(path)
            if stamp is None:
                self._listed.pop(path, None)
                continue
            self._listed[path] = stamp
            entries = listed(path)
            yield Path(path), entries
            for entry in entries:
                is_listed = entry.path in self._listed or entry.name in self._left_out
                if not is_listed and entry.is_dir(follow_symlinks=False) and self._counts(entry.path):
                    self._listed[entry.path] = None
                    waiting.append(entry.path)
        if self._since is None:
            self._since = min(max((stamp[1] for stamp in self._listed.values() if stamp), default=0), time.time_ns())

    def _counts(self, path: str) -> bool:
        """What was there first leaves room for what comes: else the more there is, the less would be found."""
        if len(self._listed) < self._most or self._since is None:
            return len(self._listed) < self._most
        if len(self._listed) >= 2 * self._most:
            self.too_many = True
            return False
        stamp = stamp_of(path)
        return stamp is not None and stamp[1] >= self._since


def is_bare(folder: Path) -> bool:
    """git takes the folder itself for a repository."""
    return _is_bare({name for name in ("HEAD", "objects", "refs", "commondir") if os.path.lexists(folder / name)})


def _is_repository(names: set[str]) -> bool:
    return ".git" in names or _is_bare(names)


def _is_bare(names: set[str]) -> bool:
    return "HEAD" in names and ({"objects", "refs"} <= names or "commondir" in names)


def stamp_of(path: str) -> Stamp | None:
    """None: it is not there."""
    try:
        info = os.lstat(path)
    except OSError:
        return None
    return info.st_ino, info.st_ctime_ns
