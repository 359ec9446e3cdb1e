"""Protected folders of a workspace that are not there: a command must not make them, so empty ones take their place.

They are there as long as a worker needs them and go with the last one, if they are still empty.
"""

import contextlib
import fcntl
import os
from pathlib import Path

MISSING = (".trouper", ".git/hooks")
ATTEMPTS = 3


class MountPoints:
    def __init__(self, workspace: Path | None) -> None:
        """None: none are needed. In an empty workspace nothing is made either: `git clone URL .` wants it empty."""
        self._held: dict[Path, int] = {}
        if workspace is not None and not is_empty(workspace):
            for name in MISSING:
                if (workspace / name).parent.is_dir() and (descriptor := _hold(workspace / name)) is not None:
                    self._held[workspace / name] = descriptor

    @property
    def descriptors(self) -> tuple[int, ...]:
        return tuple(self._held.values())

    def remove(self) -> None:
        """Those that nobody else holds."""
        for path, descriptor in self._held.items():
            with contextlib.suppress(OSError):  # held by another worker, or something is in it by now
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(path.lstat(), os.fstat(descriptor)):  # and not what a command has put there
                    path.rmdir()


def is_empty(folder: Path) -> bool:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return next(entries, None) is None
    return True


def _hold(path: Path) -> int | None:
    """A descriptor with a shared lock on it, if it is an empty folder. None: it is not, or cannot be made."""
    for _ in range(ATTEMPTS):
        try:
            path.mkdir(exist_ok=True)
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            return None
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        with contextlib.suppress(OSError):
            if path.stat().st_ino == os.fstat(descriptor).st_ino and is_empty(path):
                return descriptor
        os.close(descriptor)  # another worker has just removed it
    return None
