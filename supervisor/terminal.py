"""Putting the terminal in order after whoever owned it died. Standard library only: the first frame uses it too.

A small mapped file says what the dead had on screen: the live rows (to be blanked) and how much of the session is in
the scrollback already (so that the next life neither reprints nor skips anything). See ui/DECISIONS: crash contract.
"""

import mmap
import os
import select
import struct
import termios
import time

TYPE_CHECKING = False  # importing typing or pathlib costs more than the first frame
if TYPE_CHECKING:
    from typing import Any

LAYOUT = struct.Struct("<HHHHBBBBBHIII64s")
MODES_OFF = "\x1b[?2026l\x1b[?25h\x1b[0m\x1b[?2004l\x1b[?1004l\x1b[<u\x1b[>4;0m"
"""Synchronised output, hidden cursor, colours, bracketed paste, focus, Kitty keys, modifyOtherKeys."""
SHAPE_OFF = "\x1b[0 q"
"""The cursor as the user's terminal has it. Only where it was changed: some terminals have another one by this."""
LEAVE_PAGER = "\x1b[?1049l"
TITLE_OFF, PROGRESS_OFF = "\x1b[23;0t", "\x1b]9;4;0\a"
"""The title from before, and that nothing goes on; each only where the terminal was told so."""
PATIENCE_S = 0.2
"""For a terminal that takes no output: the supervisor has other things to do."""


class Geometry:
    """What is on the screen, from the top of the live rows."""

    __slots__ = (
        *("above", "rows", "width", "height", "pager", "painted", "shaped", "titled", "goes_on"),
        *("last", "shown", "chars", "crc", "notes"),
    )

    def __init__(self) -> None:
        self.above = 0
        """Live rows above the cursor."""
        self.rows = 0
        self.width = 0
        self.height = 0
        self.pager = False
        self.shaped = False
        """The cursor has a shape of ours."""
        self.titled = False
        """The window has a title of ours."""
        self.goes_on = False
        """The terminal was told that something goes on."""
        self.painted = False
        """The screen itself has painted, not only the first frame of the launcher."""
        self.last = ""
        """Id of the last entry up to which everything is in the scrollback."""
        self.shown = 0
        """So many entries after it are there as well."""
        self.chars = 0
        """And so many characters of the message after those."""
        self.crc = 0
        """CRC-32 of these characters: an answer that began again differently is seen by it."""
        self.notes = 0
        """So many of the notes that had to wait for the end of a block."""

    def pack(self) -> bytes:
        return LAYOUT.pack(
            self.above,
            self.rows,
            self.width,
            self.height,
            self.pager,
            self.painted,
            self.shaped,
            self.titled,
            self.goes_on,
            self.shown,
            self.chars,
            self.crc,
            self.notes,
            self.last.encode(),
        )

    @classmethod
    def unpack(cls, data: bytes) -> "Geometry":
        it = cls()
        it.above, it.rows, it.width, it.height, *modes, it.shown, it.chars, it.crc, it.notes, last = LAYOUT.unpack(data)
        it.pager, it.painted, it.shaped, it.titled, it.goes_on = map(bool, modes)
        it.last = last.rstrip(b"\0").decode()
        return it


class GeometryFile:
    """Mapped, so that what is stored survives a SIGKILL and costs no system call."""

    def __init__(self, path: str) -> None:
        """Raises OSError."""
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+b") as file:
            file.truncate(LAYOUT.size)
            self._map = mmap.mmap(file.fileno(), LAYOUT.size)

    def read(self) -> Geometry:
        return Geometry.unpack(self._map[:])

    def store(self, geometry: Geometry) -> None:
        self._map[:] = geometry.pack()


class Terminal:
    """The terminal as it was before the session, kept by the process that survives the screen."""

    def __init__(self, saved: "list[Any] | None", path: str) -> None:
        """saved: what tcgetattr gave before the first frame; None: there is no terminal."""
        self._saved = saved
        self._path = path

    def restore(self, dead: bool) -> None:
        """dead: the screen died and comes back; else the session is over."""
        put_in_order(self._saved, self._path, "the screen was restarted" if dead else "", comes_back=dead)


def lend(saved: "list[Any] | None") -> None:
    """To the shell, for a while: nothing of ours is on it. Raises termios.error when it is gone."""
    if saved is not None:
        termios.tcsetattr(0, termios.TCSANOW, saved)
    _write(MODES_OFF)


def put_in_order(saved: "list[Any] | None", path: str, words: str = "", *, comes_back: bool = False) -> None:
    """Without a geometry file somebody has done it already. comes_back: keys typed until then are not echoed."""
    if saved is None or not os.isatty(0) or not os.isatty(1):
        return
    geometry = _last_geometry(path, keep=comes_back)
    if os.tcgetpgrp(0) != os.getpgrp():
        # The shell has the terminal back and has set it up; what is right of its cursor and below it is still ours.
        _write(_modes_off(geometry) + "\x1b[J" if geometry is not None else "")
        return
    attributes = [*saved]
    if comes_back:
        attributes[3] &= ~termios.ECHO
    termios.tcsetattr(0, termios.TCSANOW, attributes)
    if geometry is not None:
        last_words = f"\x1b[2m{words}\x1b[0m\r\n" if words else ""
        _write(_modes_off(geometry) + (LEAVE_PAGER if geometry.pager else "") + _blank(geometry) + last_words)


def _last_geometry(path: str, *, keep: bool) -> Geometry | None:
    """As stored. Kept for the next life it says that no live rows are left, as they are about to be blanked."""
    if not os.path.exists(path):  # noqa: PTH110  # no pathlib here
        return None
    file = GeometryFile(path)
    geometry, cleared = file.read(), file.read()
    if keep:
        cleared.above = cleared.rows = 0
        cleared.pager = cleared.shaped = cleared.titled = cleared.goes_on = False
        file.store(cleared)
    else:
        os.unlink(path)  # noqa: PTH108
    return geometry


def _modes_off(geometry: Geometry) -> str:
    undone = (geometry.shaped, SHAPE_OFF), (geometry.titled, TITLE_OFF), (geometry.goes_on, PROGRESS_OFF)
    return MODES_OFF + "".join(sequence for is_due, sequence in undone if is_due)


def _blank(geometry: Geometry) -> str:
    """Row by row: ED at the home cell would push the screen into tmux's history."""
    up = f"\x1b[{geometry.above}A" if geometry.above else ""
    back = f"\x1b[{geometry.rows - 1}A" if geometry.rows > 1 else ""
    return up + "\r" + "\x1b[B".join(["\x1b[2K"] * geometry.rows) + back


def _write(text: str) -> None:
    """By an open file of our own, so that non-blocking stays ours; a stopped terminal costs PATIENCE_S."""
    try:
        terminal = os.open(os.ttyname(1), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    data, deadline = text.encode(), time.monotonic() + PATIENCE_S
    poll = select.poll()
    poll.register(terminal, select.POLLOUT)
    try:
        while data and (left := deadline - time.monotonic()) > 0:
            if poll.poll(left * 1000):
                data = data[os.write(terminal, data) :]
    except OSError:
        return  # the terminal is gone
    finally:
        os.close(terminal)
