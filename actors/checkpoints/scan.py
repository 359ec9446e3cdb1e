"""What there is in a workspace: every file with its state, without reading it, and within limits."""

import errno
import os
import stat
from collections.abc import Collection, Iterable

import msgspec

from actors.checkpoints import open_folders
from actors.checkpoints.snapshot import PERMISSIONS
from actors.errors import failed

MOST_FILES = 30_000
"""And as many folders. Of more there is no checkpoint: to look at them took a second or more before each turn."""
MOST_BYTES = 500_000_000
AFTERWARDS = 4
"""So many times the limits hold for what a turn has left: to take it back is worth the time."""
LARGEST = 20_000_000
"""Bytes of one file; a larger one is left out and named."""
DEEPEST = 100
"""Folders in one another; each of them is open while those below are looked at."""
LEFTOVER = b".trouper-restoring-"
"""What the names of files begin with that are just being brought back."""
OURS = b".trouper/"
"""Rules, hooks and what was vouched for: the user's answers, which are not taken back with a turn."""

Stamp = tuple[int, int, int, int]
"""Inode, bytes, and in nanoseconds when the content and when anything was changed: another one, another file."""
UNSETTLED: Stamp = (0, 0, 0, 0)
"""Of no file."""


IGNORE = b".gitignore"


class Found(msgspec.Struct, frozen=True):
    mode: int
    stamp: Stamp
    is_large: bool


class Scan(msgspec.Struct, frozen=True):
    files: dict[bytes, Found]
    """Regular ones and symlinks."""
    folders: dict[bytes, int]
    left_out: dict[bytes, str]
    repositories: list[bytes]
    """Within the workspace; they are left alone."""
    leftovers: list[bytes]
    patterns: dict[bytes, Stamp]
    """What .gitignore files there are, also those that are ignored themselves."""


def stamp_of(info: os.stat_result) -> Stamp:
    return (info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns)


class _Walk:
    def __init__(self, passed: Collection[bytes], home: os.stat_result | None, share: int) -> None:
        """share: so many times the limits."""
        self.scan = Scan({}, {}, {}, [], [], {})
        self._passed = passed
        self._home = home
        self._most_files, self._most_bytes = MOST_FILES * share, MOST_BYTES * share
        self._bytes = 0

    def folder(self, descriptor: int, path: bytes, depth: int = 0) -> None:
        """path: "" for the workspace, else with a slash at its end. Raises Failed."""
        with os.scandir(descriptor) as listing:
            entries = [(os.fsencode(entry.name), entry) for entry in listing]
        if path and any(len(name) == 4 and name.lower() == b".git" for name, _ in entries):
            self.scan.repositories.append(path)
            self.scan.folders.pop(path)
            return
        for name, entry in entries:
            try:
                info = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # it has just gone
            except OSError as error:
                self.scan.left_out[path + name] = error.strerror or "it cannot be looked at"
                continue
            if stat.S_ISDIR(info.st_mode):
                self._inner(descriptor, name, path, info, depth)
                continue
            if name.startswith(LEFTOVER):
                self.scan.leftovers.append(path + name)
                continue
            if name == IGNORE:
                self.scan.patterns[path + name] = stamp_of(info)
            if path + name not in self._passed:
                self.file(path + name, info)

    def _inner(self, descriptor: int, name: bytes, path: bytes, info: os.stat_result, depth: int) -> None:
        inner = path + name + b"/"
        is_home = self._home is not None and os.path.samestat(info, self._home)
        if name.lower() == b".git" or inner in self._passed or inner == OURS or is_home:
            return
        self.scan.folders[inner] = info.st_mode & PERMISSIONS
        self._check(len(self.scan.folders), "folders")
        try:
            if depth == DEEPEST:
                raise OSError(errno.ENAMETOOLONG, "too many folders in one another")
            below = os.open(name, open_folders.FOLDER, dir_fd=descriptor)
        except OSError as error:
            self.scan.left_out[inner] = error.strerror or "it cannot be read"
            del self.scan.folders[inner]
            return
        try:
            self.folder(below, inner, depth + 1)
        finally:
            os.close(below)

    def file(self, path: bytes, info: os.stat_result) -> None:
        """Pipes, sockets and devices hold nothing that could be brought back."""
        if not stat.S_ISREG(info.st_mode) and not stat.S_ISLNK(info.st_mode):
            return
        kept = stat.S_IFREG | info.st_mode & PERMISSIONS if stat.S_ISREG(info.st_mode) else stat.S_IFLNK
        large = info.st_size > LARGEST
        self.scan.files[path] = Found(kept, stamp_of(info), large)
        self._check(len(self.scan.files), "files")
        self._bytes += 0 if large else info.st_size
        if self._bytes > self._most_bytes:
            raise failed("no_checkpoint", f"the workspace has more than {self._most_bytes // 1_000_000} MB.")

    def _check(self, count: int, of_what: str) -> None:
        if count > self._most_files:
            raise failed("no_checkpoint", f"the workspace has more than {self._most_files:,} {of_what}.")


def scan(
    root: int, passed: Collection[bytes], also: Iterable[bytes], home: os.stat_result | None, *, share: int = 1
) -> Scan:
    """also: files that count although they are ignored, where they are there. home: a folder that is left alone.

    Raises Failed where there is too much, OSError.
    """
    walk = _Walk(passed, home, share)
    walk.folder(root, b"")
    for path in also:
        if path not in walk.scan.files:
            try:
                walk.file(path, open_folders.status(root, path))
            except OSError:
                continue
    return walk.scan
