"""What there is of a file in a folder that may be hostile; no link is followed."""

import os
import stat
from collections.abc import Mapping

import msgspec

from actors.checkpoints import open_folders
from actors.checkpoints.snapshot import above, for_people

LARGEST = 2_000_000_000
"""Bytes of a file."""


class Conflicting(Exception):
    """Why it cannot be what it is to be, for people."""


class Now(msgspec.Struct, frozen=True):
    mode: int
    """As of st_mode."""
    data: bytes
    """Of a file, or what a link says."""

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    @property
    def kind(self) -> str:
        """As git writes it."""
        if self.is_link:
            return "120000"
        return "100755" if self.mode & stat.S_IXUSR else "100644"


def seen(root: int, path: bytes, wanted: Mapping[bytes, object]) -> Now | None:
    """wanted: what is to come of this path and others; None: it goes. None: nothing is there, or it goes with that.

    Raises Conflicting.
    """
    going = wanted.get(path, path) is None
    for folder in above(path):
        inner = folder[:-1]
        mode = _mode(root, inner)
        if stat.S_ISDIR(mode):
            continue
        if mode == 0 or going or wanted.get(inner, inner) is None:
            return None
        raise Conflicting(f"{for_people(inner)} is no folder here")
    mode = _mode(root, path)
    if mode == 0:
        return None
    if stat.S_ISDIR(mode):
        if going or _goes(root, path + b"/", wanted):
            return None
        raise Conflicting("it is a folder here")
    if not stat.S_ISREG(mode) and not stat.S_ISLNK(mode):
        raise Conflicting("it is neither a file nor a folder here")
    try:
        return _read(root, path, mode)
    except OSError as error:
        raise Conflicting(f"it cannot be read here: {error.strerror}") from error


def _read(root: int, path: bytes, mode: int) -> Now:
    with open_folders.opened(root, path) as (folder, name):
        if stat.S_ISLNK(mode):
            return Now(mode, os.readlink(name, dir_fd=folder))
        descriptor = os.open(name, open_folders.FILE, dir_fd=folder)
    with open(descriptor, "rb") as file:  # noqa: PTH123
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or info.st_size > LARGEST:
            raise OSError(0, "it is too large, or being replaced")
        return Now(info.st_mode, file.read())


def named(root: int, folder: bytes, beginning: bytes) -> list[bytes]:
    """Files in a folder whose names begin so. folder: with a slash at its end, or b"" for the top."""
    found = _entries(root, folder) if folder else _listed(os.dup(root))
    return [folder + name for name, is_folder in found if not is_folder and name.startswith(beginning)]


def folders_in(root: int, folder: bytes) -> list[bytes]:
    """All below it, with a slash at the end, as itself has; none where it is no folder."""
    return [
        inner for name, is_folder in _entries(root, folder) if is_folder for inner in _with_all(root, folder + name)
    ]


def _with_all(root: int, folder: bytes) -> list[bytes]:
    return [folder + b"/", *folders_in(root, folder + b"/")]


def _goes(root: int, folder: bytes, wanted: Mapping[bytes, object]) -> bool:
    """All files that a folder has here are removed."""
    return all(
        _goes(root, folder + name + b"/", wanted) if is_folder else wanted.get(folder + name, name) is None
        for name, is_folder in _entries(root, folder)
    )


def _entries(root: int, folder: bytes) -> list[tuple[bytes, bool]]:
    """Name, and whether it is a folder. Nothing of one that cannot be read, or is none."""
    try:
        with open_folders.opened(root, folder) as (outer, name):
            descriptor = os.open(name, open_folders.FOLDER, dir_fd=outer)
    except OSError:
        return []
    return _listed(descriptor)


def _listed(descriptor: int) -> list[tuple[bytes, bool]]:
    """And it is closed."""
    try:
        with os.scandir(descriptor) as listing:
            return [(os.fsencode(entry.name), entry.is_dir(follow_symlinks=False)) for entry in listing]
    finally:
        os.close(descriptor)


def _mode(root: int, path: bytes) -> int:
    """0: nothing is there."""
    try:
        return open_folders.status(root, path).st_mode
    except OSError:
        return 0


def is_folder(root: int, folder: bytes) -> bool:
    """folder: with a slash at its end."""
    return stat.S_ISDIR(_mode(root, folder[:-1]))
