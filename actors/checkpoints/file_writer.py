"""Bringing files back into a workspace that may be hostile: no symlink is followed, each file is replaced whole.

What turns out to be in the way stays, and is named. Broken off at any point, the same again completes it.
"""

import os
import secrets
import stat
from collections.abc import Callable, Iterable

from actors.checkpoints import open_folders
from actors.checkpoints.comparison import Plan
from actors.checkpoints.scan import LEFTOVER
from actors.checkpoints.snapshot import PERMISSIONS, File

NEW_FOLDER = 0o700
"""Until all is in it."""


def carry_out(root: int, planned: Plan, content: Callable[[str], bytes]) -> dict[bytes, str]:
    """What could not be done, and why. content: of a blob. Raises what that raises."""
    failures: dict[bytes, str] = {}
    opened_up: dict[bytes, int] = {}

    def attempt(path: bytes, act: Callable[[int, bytes], None]) -> None:
        try:
            _unlock(root, path, opened_up)
            with open_folders.opened(root, path) as (folder, name):
                act(folder, name)
        except OSError as error:
            failures[path] = error.strerror or "it cannot be written"

    for path in planned.remove:
        attempt(path, _remove)
    for path in planned.remove_folders:
        attempt(path, _remove_folder)
        failures.pop(path, None)  # something that stays is in it
    for path in planned.make_folders:
        attempt(path, _make_folder)
    for path, file in planned.write.items():
        data = content(file.oid)
        attempt(path, lambda folder, name, file=file, data=data: _write(folder, name, file, data))  # type: ignore[misc]
    for path, mode in sorted((opened_up | planned.folder_modes).items(), reverse=True):
        attempt(path, lambda folder, name, mode=mode: _set_mode(folder, name, mode))  # type: ignore[misc]
    return {path: why for path, why in failures.items() if path not in opened_up}  # those may be gone by now


def clean(root: int, leftovers: Iterable[bytes]) -> None:
    """What a restore that was broken off had begun to write."""
    for path in leftovers:
        try:
            with open_folders.opened(root, path) as (folder, name):
                os.unlink(name, dir_fd=folder)
        except OSError:
            continue


def _unlock(root: int, path: bytes, opened_up: dict[bytes, int]) -> None:
    """The folder it lies in may be closed to its own user. Raises OSError."""
    above = path.rstrip(b"/").rpartition(b"/")[0]
    if not above or above + b"/" in opened_up:
        return
    info = open_folders.status(root, above)
    if stat.S_ISDIR(info.st_mode) and info.st_mode & stat.S_IRWXU != stat.S_IRWXU:
        with open_folders.opened(root, above) as (folder, name):
            _set_mode(folder, name, info.st_mode & PERMISSIONS | stat.S_IRWXU)
        opened_up[above + b"/"] = info.st_mode & PERMISSIONS


def _remove(folder: int, name: bytes) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return


def _remove_folder(folder: int, name: bytes) -> None:
    os.rmdir(name, dir_fd=folder)


def _make_folder(folder: int, name: bytes) -> None:
    try:
        os.mkdir(name, NEW_FOLDER, dir_fd=folder)
    except FileExistsError:
        if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise


def _write(folder: int, name: bytes, file: File, data: bytes) -> None:
    """Another name first, then the real one, in one step."""
    temporary = LEFTOVER + secrets.token_hex(8).encode()
    try:
        if file.is_link:
            os.symlink(data, temporary, dir_fd=folder)
        else:
            _write_file(folder, temporary, file.mode & PERMISSIONS, data)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        _remove(folder, temporary)
        raise


def _write_file(folder: int, name: bytes, mode: int, data: bytes) -> None:
    how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, how, 0o600, dir_fd=folder)
    with open(descriptor, "wb") as file:  # noqa: PTH123
        file.write(data)
        os.fchmod(descriptor, mode)


def _set_mode(folder: int, name: bytes, mode: int) -> None:
    """Of a folder, and of no link to one."""
    descriptor = os.open(name, open_folders.FOLDER, dir_fd=folder)
    try:
        os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)
