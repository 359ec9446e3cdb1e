"""Removing a folder in which others could do what they liked: nothing in it is followed, however deep it is."""

import contextlib
import os
import secrets
import stat
import sys
from pathlib import Path

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def remove(folder: Path) -> None:
    """As far as we may, however deep it is: what lies deeper is moved up, so two descriptors are enough."""
    with contextlib.suppress(OSError):
        open_up(str(folder))
        top = os.open(folder, FOLDER | os.O_NOFOLLOW)
        try:
            waiting = _emptied(top, top)
            while waiting:
                waiting += _removed(waiting.pop(), top)
        finally:
            os.close(top)
        folder.rmdir()


def _removed(name: str, top: int) -> list[str]:
    """What was in it and has to be removed next."""
    found: list[str] = []
    with contextlib.suppress(OSError):  # closed to us
        inside = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=top)
        try:
            found = _emptied(inside, top)
        finally:
            os.close(inside)
        os.rmdir(name, dir_fd=top)
    return found


def _emptied(folder: int, top: int) -> list[str]:
    """The folders that were in it, by their names in `top`; everything else is gone."""
    found = []
    with os.scandir(folder) as entries:
        inside = list(entries)
    for entry in inside:
        with contextlib.suppress(OSError):  # not ours to remove
            name = entry.name
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(name, dir_fd=folder)
                continue
            open_up(name, folder)
            if folder != top:
                name = secrets.token_hex(8)
                os.rename(entry.name, name, src_dir_fd=folder, dst_dir_fd=top)
            found.append(name)
    return found


def open_up(name: str, above: int | None = None) -> None:
    """Commands may have taken all rights from a folder of ours. Does nothing where it is none."""
    with contextlib.suppress(OSError):
        if sys.platform != "linux":
            os.chmod(name, stat.S_IRWXU, dir_fd=above, follow_symlinks=False)
            return
        itself = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above)
        try:
            Path(f"/proc/self/fd/{itself}").chmod(stat.S_IRWXU)
        finally:
            os.close(itself)
