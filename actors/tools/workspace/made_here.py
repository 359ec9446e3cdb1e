"""What the session itself made: files of the file tools, and files that were born while one of its commands ran.

Kept in the worker's memory: after its death nothing counts as made. What a background job makes does not count either,
for the user works at the same time, and all of that time would be the job's.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from actors.tools.workspace.birth_times import born, now


class Made(msgspec.Struct):
    spans: list[tuple[float, float]] = msgspec.field(default_factory=list)
    """Seconds since the epoch."""
    files: dict[Path, int] = msgspec.field(default_factory=dict)
    """Inodes, of the file tools."""

    @contextlib.contextmanager
    def during(self) -> Iterator[None]:
        began = now()
        try:
            yield
        finally:
            self.spans.append((began, time.time()))

    def note(self, path: Path, inode: int, replaced: os.stat_result | None) -> None:
        """A file tool has put a file there; what it replaced may have been the session's as well."""
        if replaced is None or self.files.get(path) == replaced.st_ino:
            self.files[path] = inode

    def has(self, path: Path, info: os.stat_result) -> bool:
        if self.files.get(path) == info.st_ino:
            return True
        at = born(path) if self.spans else None
        return at is not None and any(began <= at <= ended for began, ended in self.spans)
