"""When a file was born, by statx(2): no command can set it, and a file that is moved keeps it."""

import ctypes
import functools
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

AT_FDCWD, AT_SYMLINK_NOFOLLOW = -100, 0x100
STATX_BTIME = 0x800
SIZE = 256
BORN = 80
"""Offset of stx_btime in struct statx: seconds, nanoseconds. The mask of what is known comes first."""
CLOCK_REALTIME_COARSE = 5
"""By which files are stamped; up to 10 ms behind the other. See linux/time.h."""


def now() -> float:
    """A file that is made from now on is stamped with this moment or a later one."""
    return time.clock_gettime(CLOCK_REALTIME_COARSE) if sys.platform == "linux" else time.time()


def born(path: Path) -> float | None:
    """Seconds since the epoch; None where the system or the file system does not say. Raises no error."""
    if sys.platform == "darwin":
        try:
            return path.lstat().st_birthtime
        except OSError:
            return None
    statx = _statx()
    buffer = ctypes.create_string_buffer(SIZE)
    if statx is None or statx(AT_FDCWD, os.fsencode(path), AT_SYMLINK_NOFOLLOW, STATX_BTIME, buffer):
        return None
    told = buffer.raw
    if not int.from_bytes(told[:4], sys.byteorder) & STATX_BTIME:
        return None
    seconds = int.from_bytes(told[BORN : BORN + 8], sys.byteorder, signed=True)
    return seconds + int.from_bytes(told[BORN + 8 : BORN + 12], sys.byteorder) / 1e9


@functools.cache
def _statx() -> Callable[..., int] | None:
    try:
        found: Callable[..., int] = ctypes.CDLL(None).statx
    except (AttributeError, OSError):
        return None  # a C library from before 2018
    return found
