"""Files, folders and symlinks, copied by descriptors: what a command swaps meanwhile does no harm."""

import os
import secrets
import shutil
import stat
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from actors.confinement.errors import ToolFailed
from actors.tools.workspace.folder import Workspace

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
WRITING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
DEEPEST = 200
"""Folders in folders: each takes two descriptors while it is copied."""
BLOCK = 1 << 20
Check = Callable[[Path, os.stat_result], None]
"""Called with the path and what was really opened there; raises ToolFailed."""


class Ends(NamedTuple):
    """Descriptors of the folders that something is in, and is to be in."""

    old: int
    new: int


def open_made(workspace: Workspace, folder: Path) -> int:
    """A descriptor of the folder; it and those above it are made where they are missing. Raises ToolFailed, OSError."""
    missing: list[str] = []
    while not os.path.lexists(folder):
        missing.append(folder.name)
        folder = folder.parent
    descriptor = workspace.open_folder(folder)
    for name in reversed(missing):
        try:
            os.mkdir(name, dir_fd=descriptor)
            below = os.open(name, FOLDER, dir_fd=descriptor)
        finally:
            os.close(descriptor)
        descriptor = below
    return descriptor


def copy(path: Path, ends: Ends, name: str, check: Check) -> None:
    """The entry of that path, under this name: whole, or nothing is there. Raises ToolFailed, OSError."""
    waiting = f".{name[:100]}.{secrets.token_hex(6)}.tmp"
    try:
        _copy(path, ends, waiting, check)
        os.rename(waiting, name, src_dir_fd=ends.new, dst_dir_fd=ends.new)
    except BaseException:
        remove(waiting, ends.new)
        raise


def remove(name: str, folder: int) -> None:
    """With all that is in it; not there is fine."""
    try:
        os.unlink(name, dir_fd=folder)
    except (IsADirectoryError, PermissionError):  # macOS says the second
        shutil.rmtree(name, ignore_errors=True, dir_fd=folder)
    except FileNotFoundError:
        return


def _copy(path: Path, ends: Ends, name: str, check: Check, depth: int = 0) -> None:
    info = os.stat(path.name, dir_fd=ends.old, follow_symlinks=False)
    if stat.S_ISLNK(info.st_mode):
        check(path, info)
        os.symlink(os.readlink(path.name, dir_fd=ends.old), name, dir_fd=ends.new)
        return
    is_folder = stat.S_ISDIR(info.st_mode)
    if depth > DEEPEST:
        raise ToolFailed(f"{path.name} is in more than {DEEPEST} folders, which is too deep to be copied. Use bash.")
    with ExitStack() as stack:
        old = os.open(path.name, FOLDER if is_folder else READING, dir_fd=ends.old)
        stack.callback(os.close, old)
        info = os.fstat(old)
        check(path, info)
        new = _made_folder(ends.new, name) if is_folder else os.open(name, WRITING, 0o600, dir_fd=ends.new)
        stack.callback(os.close, new)
        if is_folder:
            for below in _names(old):
                _copy(path / below, Ends(old, new), below, check, depth + 1)
        else:
            _pour(old, new)
        os.fchmod(new, stat.S_IMODE(info.st_mode))
        os.utime(new, ns=(info.st_atime_ns, info.st_mtime_ns))


def _names(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]


def _made_folder(destination: int, name: str) -> int:
    os.mkdir(name, 0o700, dir_fd=destination)
    return os.open(name, FOLDER, dir_fd=destination)


def _pour(source: int, destination: int) -> None:
    while data := os.read(source, BLOCK):
        while data:
            data = data[os.write(destination, data) :]
