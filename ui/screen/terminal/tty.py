"""The terminal: what it can do, by its environment; its two ends, never blocking; its modes."""

import base64
import os
import re
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import trio

from ui.screen.terminal.keys import Decoder, Event
from ui.screen.terminal.themes import styles
from ui.start import first_frame

READ_SIZE = 65536
BACKGROUND_QUESTION = "\x1b]11;?\a"
"""Its colour: asked at the start and never waited for, as not every terminal answers."""
CURSOR_QUESTION = "\x1b[6n"
SIZE_QUESTION = "\x1b[18t"
"""In cells; asked with the other one, which every terminal answers."""
STILL_S = 5.0
"""Between two looks at the clock where nothing is to move."""
_LINKING_PROGRAMS = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby")
_LINKING_TERMS = ("xterm-kitty", "xterm-ghostty", "wezterm", "foot", "foot-extra", "alacritty", "contour")
_NO_REFLOW = ("linux", "screen", "vt", "rxvt")


@dataclass(frozen=True)
class Capabilities:
    depth: styles.Depth
    dark: bool | None
    """The background; None: the environment does not say."""
    tells_background: bool
    """It may, when it is asked; and it prints nothing of the question."""
    links: bool
    """OSC 8: text that leads somewhere."""
    utf8: bool
    reflows: bool
    """It wraps what is on the screen at a new width."""
    settle_s: float
    """So long after the last resize signal its rows are where they will be; tmux tells us up to 250 ms late.
    Longer there, as each page that is drawn in the middle of a slow drag may meet its next step.
    """
    answer_s: float
    """So long a question about its size waits for the answer; tmux always gives one."""
    moves: bool
    """Its user wants to see motion."""
    spin_s: float
    """Between two spinner frames; without motion between two looks at the clock."""
    lone_esc_s: float
    """So long after an escape byte, it was the key. A terminal writes a sequence in one piece: only a network tears it,
    see DECISIONS."""


def capabilities(environ: Mapping[str, str]) -> Capabilities:
    name = environ.get("TERM", "")
    in_tmux = bool(environ.get("TMUX"))
    remote = bool(environ.get("SSH_TTY") or environ.get("SSH_CONNECTION"))
    moves = not environ.get("PREFERS_REDUCED_MOTION")
    return Capabilities(
        depth=(depth := styles.depth(environ)),
        dark=_dark(environ),
        tells_background=depth != "none" and not name.startswith(("linux", "vt")),
        links=depth != "none" and _knows_links(environ),
        utf8=first_frame.speaks_utf8(environ),
        reflows=in_tmux or not (name.startswith(_NO_REFLOW) or "XTERM_VERSION" in environ),
        settle_s=0.6 if in_tmux else 0.06,
        answer_s=5.0 if in_tmux else 0.2,
        moves=moves,
        spin_s=STILL_S if not moves else 1.0 if remote else 0.125,
        lone_esc_s=0.01 if remote else 0.003,
    )


def _dark(environ: Mapping[str, str]) -> bool | None:
    """By COLORFGBG of rxvt, Konsole and others, such as "0;15"."""
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    return background not in {"7", "15"} if background.isdecimal() else None


MOST_COPIED = 74_994
"""Bytes for OSC 52: what xterm takes, and less than the 100,000 of base64 that others do."""


def clipboard(text: str) -> str:
    """OSC 52, by which a terminal fills its clipboard, also over ssh."""
    return f"\x1b]52;c;{base64.b64encode(text.encode(errors='replace')).decode()}\x07"


def _knows_links(environ: Mapping[str, str]) -> bool:
    """Others would print the address, or nothing: so only those that are known."""
    program = environ.get("TERM_PROGRAM", "")
    if "TMUX" in environ or program == "tmux":
        version = re.match(r"(\d+)\.(\d+)", environ.get("TERM_PROGRAM_VERSION", "") if program == "tmux" else "")
        return version is not None and (int(version[1]), int(version[2])) >= (3, 4)
    if environ.get("TERM", "").startswith("screen"):
        return False
    vte = environ.get("VTE_VERSION", "")
    return (
        program in _LINKING_PROGRAMS
        or environ.get("TERM", "") in _LINKING_TERMS
        or "WT_SESSION" in environ
        or (vte.isdecimal() and int(vte) >= 5000)
    )


class Tty:
    """Reads by fd 0; writes by an open file of its own, so that being non-blocking stays its own affair."""

    def __init__(self, *, utf8: bool) -> None:
        """Raises OSError."""
        self._utf8 = utf8
        flags = os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            self._out = os.open(os.ttyname(1), flags)
        except OSError:  # another user's terminal, after su
            self._out = os.open("/dev/tty", flags)
        self._ours = trio.Event()
        self._ours.set()
        self._size = (80, 24)
        self.slow = False
        """The last write had to wait."""

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            self._size = first_frame.size(self._out)
        except OSError:
            return self._size  # the terminal is gone: as it was
        return self._size

    async def read(self) -> bytes:
        """b"" when the terminal is gone."""
        await trio.lowlevel.wait_readable(0)
        while not self._ours.is_set():
            await self._ours.wait()
            await trio.lowlevel.wait_readable(0)
        try:
            return os.read(0, READ_SIZE)
        except OSError:
            return b""

    @contextmanager
    def lent(self) -> Iterator[None]:
        """What is typed is for somebody else: a job in the background is stopped for reading it."""
        self._ours = trio.Event()
        try:
            yield
        except (OSError, termios.error):
            return  # it is gone, as the next `read` says
        finally:
            self._ours.set()

    async def write(self, text: str, whole: Callable[[bool], None] = lambda _: None) -> None:
        """All of it, however long the terminal is stopped; nothing when it is gone, which `read` tells.

        whole: told True before the system calls that may complete it, False when they did not: who dies right after
        the last one has its word there already.
        """
        data = memoryview(first_frame.encode(text, utf8=self._utf8))
        began = time.monotonic()
        whole(True)
        while data:
            try:
                data = data[os.write(self._out, data) :]
            except BlockingIOError:
                whole(False)
                await trio.lowlevel.wait_writable(self._out)
                whole(True)
            except OSError:
                return
        self.slow = time.monotonic() - began > 0.05


def take_over(saved: list[Any] | None, *, painted: bool) -> str:
    """Raw mode, and what switches the modes on. painted: the first frame did that already."""
    if saved is not None:
        first_frame.set_raw(saved)
    return "" if painted else first_frame.MODES_ON


def drop_typed() -> None:
    """What nobody has read yet."""
    with suppress(termios.error):  # it is gone, as the next `read` says
        termios.tcflush(0, termios.TCIFLUSH)


async def typed(terminal: Tty, decoder: Decoder) -> list[Event] | None:
    """What comes next, which may be that a lone escape was one; None: the terminal is gone."""
    with trio.move_on_after(float("inf") if decoder.patience_s is None else decoder.patience_s):
        data = await terminal.read()
        return decoder.feed(data) if data else None
    return decoder.flush()
