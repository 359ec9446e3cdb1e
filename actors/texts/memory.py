"""What the user wants remembered in every session: a Markdown file of theirs, a line each, which only they add to."""

import errno
import os
import stat
from pathlib import Path

from actors.texts.documents import plain

FILE = "memory.md"
"""In TROUPER_HOME."""
MOST = 32 * 1024
"""Bytes of it: every request carries all of it."""
LONGEST = 1000
"""Characters of one line."""
TOLD = "What the user wants you to remember, from {path}:"


class NotRemembered(Exception):
    """In words that say why."""


def file(home: Path) -> Path:
    return home / FILE


def line(text: str) -> str:
    """As it is written down: one line, so that all of it is seen by who says yes. Raises NotRemembered."""
    if not (said := plain(text)):
        raise NotRemembered("there is nothing to remember.")
    if len(said) > LONGEST:
        raise NotRemembered(f"one thing to remember has {LONGEST:,} characters at most; this has {len(said):,}.")
    return f"- {said}"


def add(home: Path, text: str) -> None:
    """On disk when it returns. Raises NotRemembered."""
    path, said = file(home), line(text)
    try:
        _append(path, said)
    except OSError as error:
        raise NotRemembered(f"{path} cannot be written: {error.strerror or error}.") from error


def _append(path: Path, said: str) -> None:
    """In one write, for others may add to it at the same time. Raises OSError and NotRemembered."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o600)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        if found.st_size + len(said.encode()) > MOST:
            raise NotRemembered(f"{path} is full ({MOST // 1024} KB). Take out what is no longer needed.")
        last = os.pread(descriptor, 1, found.st_size - 1) if found.st_size else b"\n"
        os.write(descriptor, ("" if last == b"\n" else "\n").encode() + said.encode() + b"\n")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
