"""The folder for temporary files that a session's workers and commands have for themselves: made, held, removed.

It outlives a worker: the next one finds it, and who is the last of a session that is over removes it. Commands leave in
it what they like, and it is removed outside of their sandbox: nothing in it is followed.
"""

import contextlib
import fcntl
import hashlib
import os
import tempfile
from pathlib import Path

import msgspec

from actors.common.folders import lives, removal
from actors.common.small_files import read_regular

NOTED = "TROUPER_TEMPORARY"
"""Variable with the part of the worker's that its commands have."""
PART = "tmp"
OUTSIDE = "outside"
"""The part of what runs without a sandbox: no command in one can plant anything there, nor reach a socket."""
OWNER = "owner"
"""A file with the process whose session it is, and when that began: while it lives, the folder is not left over."""
NAME_CHARS = 12
MOST = 64
"""Bytes of what is in it."""


class PrivateFolder(msgspec.Struct, frozen=True):
    path: Path
    """Resolved. No command in a sandbox can write here, so none can put something in the place of its part."""
    lock: int
    """A descriptor, whose shared lock says that it is in use."""
    is_new: bool = True
    """No earlier life of a worker has had it."""

    @property
    def part(self) -> Path:
        """What commands have of it."""
        return self.path / PART

    @property
    def outside(self) -> Path:
        """What commands without a sandbox have of it."""
        return self.path / OUTSIDE

    def leave(self) -> None:
        """The session is over: the last one to say so removes it."""
        with contextlib.suppress(OSError):
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            removal.remove(self.path)


def of_session(session: str, owner: int) -> PrivateFolder:
    """The one there is, or a new one. session: any text. owner: the pid of who lives as long as the session does."""
    life = lives.of(owner)
    name = hashlib.sha256(f"{life} {session}".encode()).hexdigest()[:NAME_CHARS]
    path = _above() / name
    path.mkdir(mode=0o700, exist_ok=True)
    folder = _entered(path)
    is_new = not (path / OWNER).exists()
    (path / OWNER).write_text(life)
    return msgspec.structs.replace(folder, is_new=is_new)


def of_worker() -> PrivateFolder:
    """A new one that nobody else has."""
    return _entered(Path(tempfile.mkdtemp(dir=_above())))


def shared(part: str) -> PrivateFolder:
    """Another worker's. Raises OSError: it is not there any more, or nobody's but commands'."""
    path = Path(part).parent
    if path.is_symlink() or path.stat().st_uid != os.getuid() or not (path / OWNER).is_file():
        raise FileNotFoundError(part)
    return _entered(path)


def neighbours(part: Path) -> Path:
    """Where all sessions of the user have theirs."""
    return part.parent.parent


def _entered(path: Path) -> PrivateFolder:
    removal.open_up(str(path))
    folder = PrivateFolder(path.resolve(), _lock(path, fcntl.LOCK_SH))
    folder.part.mkdir(mode=0o700, exist_ok=True)
    folder.outside.mkdir(mode=0o700, exist_ok=True)
    return folder


def _above() -> Path:
    """Where they are. Removes those nobody uses any more."""
    above = Path(tempfile.gettempdir()) / f"trouper-{os.getuid()}"
    with contextlib.suppress(FileExistsError):  # somebody else's file of that name
        above.mkdir(mode=0o700)
    if above.is_symlink() or not above.is_dir() or above.stat().st_uid != os.getuid():
        above = Path(tempfile.mkdtemp(prefix="trouper-"))
    removal.open_up(str(above))
    for old in above.iterdir():
        with contextlib.suppress(OSError):  # in use, or gone meanwhile
            removal.open_up(str(old))
            lock = _lock(old, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not _is_owned(old):
                removal.remove(old)
            os.close(lock)
    return above


def _is_owned(folder: Path) -> bool:
    """Between two lives of its worker nobody holds it, and it is not left over."""
    try:
        life = read_regular(folder / OWNER, MOST).decode()
    except (OSError, ValueError):
        return False
    return lives.goes_on(life)


def _lock(folder: Path, how: int) -> int:
    descriptor = os.open(folder, removal.FOLDER)
    try:
        fcntl.flock(descriptor, how)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
