"""Lock files that die with whoever holds them, say who that is, and are removed with the last of them."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def take(path: Path, says: bytes = b"") -> int:
    """The descriptor that holds the lock. Raises BlockingIOError when another process holds it, OSError.

    says: about the holder, for whoever comes later.
    """
    while True:
        descriptor = _open(path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_still(descriptor, path):
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, says, 0)
                return descriptor
        except OSError:
            os.close(descriptor)
            raise
        os.close(descriptor)  # its holder removed it between our opening and our locking


def release(path: Path, descriptor: int) -> None:
    path.unlink(missing_ok=True)
    os.close(descriptor)


def said(path: Path) -> bytes:
    """By whoever holds it, or held it last and was killed; b"" where nobody does."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def is_free(path: Path) -> bool:
    """Nobody holds it. Raises OSError."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Wait for the lock, for a moment's work. Raises OSError."""
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _is_still(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
