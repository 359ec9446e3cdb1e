"""Small files: read although anybody may have put them there, and replaced whole.

A pipe would hold a reader up for ever, a device would never end.
"""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator, Set
from contextlib import contextmanager, suppress
from pathlib import Path

TYPE_CHECKING = False  # importing typing costs a tenth of the first frame
if TYPE_CHECKING:
    from typing import IO


def read_regular(path: Path, most: int, owners: Set[int] | None = None, *, follow: bool = True) -> bytes:
    """The first `most` bytes. Raises OSError, also when it is no regular file or none of these owners' (None: any).

    follow: it may be a symlink.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW))
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        if owners is not None and found.st_uid not in owners:
            raise PermissionError(errno.EPERM, "it belongs to somebody else", str(path))
        return os.read(descriptor, most)
    finally:
        os.close(descriptor)


def is_there(path: Path) -> bool:
    """Not, when that cannot be known: whoever made the path may have made it too long, or closed a folder of it."""
    return mode_of(path) != 0


def is_folder(path: Path) -> bool:
    return stat.S_ISDIR(mode_of(path))


def is_file(path: Path) -> bool:
    return stat.S_ISREG(mode_of(path))


def mode_of(path: Path | str) -> int:
    """Of what it leads to; 0 where that cannot be known."""
    try:
        return os.stat(path).st_mode  # noqa: PTH116  # of a word as well
    except (OSError, ValueError):
        return 0


def entries(folder: str) -> list["os.DirEntry[str]"]:
    """None of a folder that is gone, or closed to us and so to commands."""
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []


def replace_file(path: Path, data: bytes) -> None:
    """As `replacing`."""
    with replacing(path) as file:
        file.write(data)


@contextmanager
def replacing(path: Path, *, durable: bool = True) -> "Iterator[IO[bytes]]":
    """All of what is written or all of what was there, for this user only; on disk when it is left, where that counts.

    The folder has to be there. Raises OSError.
    """
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            if durable:
                os.fsync(descriptor)
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise
