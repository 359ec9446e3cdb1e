"""Keys typed before the screen is there: the launcher shows them, and keeps all it has read for the screen.

The terminal tells by a signal that something was typed, so that it is shown in the middle of whatever is being
imported. The file of what was read says whose the terminal is: it has its name until the screen takes it. Linux only.
"""

import contextlib
import fcntl
import os
import signal
import time

from ui.start.first_echo import Echo
from ui.start.first_frame import PROMPT, encode, size, speaks_utf8

MOST = 4096
"""Bytes at once; more than that is no typing."""
TYPED, TAKEN = ".typed", ".taken"
KEPT_S = 3600.0
"""Of a program that still runs it is a draft long before."""


class EarlyKeys:
    """The launcher's side."""

    def __init__(self, geometry: str) -> None:
        """geometry: the path of its file. Raises OSError where the terminal cannot be opened."""
        self._geometry = geometry
        self._utf8 = speaks_utf8(os.environ)
        self._size = size(1)
        self._echo = Echo(self._size[0])
        self._over = self._reading = self._more = False
        # by an open file of our own: what is set on it is not set for the shell
        self._terminal = os.open(os.ttyname(0), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
        self._kept = os.open(_beside(geometry), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        signal.signal(signal.SIGIO, self._arrived)
        fcntl.fcntl(self._terminal, fcntl.F_SETOWN, os.getpid())  # first: else the signal is for the whole job
        fcntl.fcntl(self._terminal, fcntl.F_SETFL, os.O_NONBLOCK | os.O_ASYNC)
        self._arrived()  # what was typed before that

    def stop(self) -> None:
        """What was kept waits for the screen, what was not read for whoever reads the terminal next."""
        if not self._over:
            self._over = True
            # one that is on its way may still come: the handler stays, for without one it would end the program
            fcntl.fcntl(self._terminal, fcntl.F_SETFL, os.O_NONBLOCK)
            os.close(self._terminal)
            os.close(self._kept)

    def discard(self) -> None:
        """There will be no screen. The terminal is given back next, whatever becomes of the files."""
        self.stop()
        with contextlib.suppress(OSError):
            take(self._geometry)
            forget(self._geometry)

    def _arrived(self, *_: object) -> None:
        """Between any two steps of the program, this one included: what comes meanwhile is read afterwards."""
        self._more = True
        if self._over or self._reading:
            return
        self._reading, self._more = True, False
        try:
            self._pass_on()
        except OSError:
            self._echo.over = True  # the terminal is gone or takes no output
        if self._echo.over:
            self.stop()
        self._reading = False
        if self._more:
            self._arrived()

    def _pass_on(self) -> None:
        """Raises OSError, also when the screen is just taking the terminal."""
        fcntl.flock(self._kept, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if self._ours:
            self._show(self._read())
        else:
            self._echo.over = True
        fcntl.flock(self._kept, fcntl.LOCK_UN)

    def _read(self) -> bytes:
        """Raises OSError."""
        try:
            data = os.read(self._terminal, MOST)
        except BlockingIOError:
            return b""
        os.write(self._kept, data)
        self._echo.over = len(data) in {0, MOST}
        return data

    def _show(self, data: bytes) -> None:
        """Raises OSError."""
        before = self._echo.text
        self._echo.feed(data)
        if self._echo.text != before:
            # the whole row: nothing depends on how wide the terminal takes a character to be
            row = f"\r\x1b[{len(PROMPT)}C{self._echo.text}\x1b[K"
            os.write(self._terminal, encode(row, utf8=self._utf8))

    @property
    def _ours(self) -> bool:
        """Not taken, not in the background, and the first frame is where it was painted."""
        in_front = os.tcgetpgrp(self._terminal) == os.getpgrp()
        return in_front and os.path.exists(_beside(self._geometry)) and size(self._terminal) == self._size


def take(geometry: str) -> bytes:
    """What was typed so far; from now on the terminal is read by the caller alone.

    The caller's next life is given the same, unless it was forgotten.
    """
    with contextlib.suppress(FileNotFoundError), open(_beside(geometry), "r+b") as kept:
        fcntl.flock(kept, fcntl.LOCK_EX)  # NFS wants a file open for writing: flock(2)
        os.rename(_beside(geometry), _taken(geometry))
    try:
        with open(_taken(geometry), "rb") as taken:
            typed = taken.read()
    except FileNotFoundError:
        return b""
    if not typed:
        forget(geometry)
    return typed


def forget(geometry: str) -> None:
    """They have become a draft that is kept, or something was done with them."""
    if os.path.exists(_taken(geometry)):
        os.unlink(_taken(geometry))


def sweep(geometry: str) -> None:
    """What others left that were killed before their screen was there: it may be anything that people type."""
    with os.scandir(os.path.dirname(geometry)) as found:
        left = [entry for entry in found if entry.name.endswith((TYPED, TAKEN))]
    for entry in left:
        with contextlib.suppress(OSError):  # another program sweeps, too
            if entry.stat().st_mtime < time.time() - KEPT_S:
                os.unlink(entry.path)


def _beside(geometry: str) -> str:
    return f"{geometry}{TYPED}"


def _taken(geometry: str) -> str:
    return f"{geometry}{TAKEN}"
