"""Reading small files that anybody may have put there: a pipe would hold us up for ever, a device would never end."""

import errno
import os
import stat
from collections.abc import Set
from pathlib import Path


def read_regular(path: Path, most: int, owners: Set[int] | None = None) -> bytes:
    """The first `most` bytes. Raises OSError, also when it is no regular file or none of these owners' (None: any)."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        if owners is not None and found.st_uid not in owners:
            raise PermissionError(errno.EPERM, "it belongs to somebody else", str(path))
        return os.read(descriptor, most)
    finally:
        os.close(descriptor)
