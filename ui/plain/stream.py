"""Both ends of the plain screen: whole lines in, text without any escape sequence out.

The terminal stays in its own line mode: it echoes, edits and sends the signal of Ctrl-C.
"""

import os
import re
import select
from collections.abc import Callable

import trio

from ui.screen.terminal.tty import READ_SIZE, Tty
from ui.start import first_frame

SIZE = (1000, 10_000)
"""Cells and rows: whoever shows the lines wraps them."""
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P^_X][^\x07\x1b]*+(?:\x07|\x1b\\)|[ -/]*[0-~])")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


def bare(text: str) -> str:
    """Without colours, links, and whatever else is for a terminal."""
    return _CONTROL.sub("", _SEQUENCE.sub("", text))


class Stream(Tty):
    def __init__(self, gone: Callable[[], None], *, utf8: bool) -> None:
        """gone: told when nobody reads any more."""
        self._utf8 = utf8
        self._gone = gone
        self._out = _own_output()
        self.slow = False

    @property
    def is_echoed(self) -> bool:
        """What is typed is seen where our lines go."""
        return os.isatty(1)

    def size(self) -> tuple[int, int]:
        return SIZE

    async def line(self) -> str | None:
        """One line, without its end; None at the end of the input."""
        await trio.lowlevel.wait_readable(0)
        return self._read()

    def more(self) -> list[str]:
        """What has arrived with it: of a paste, each line is told by itself."""
        lines: list[str] = []
        while select.select([0], [], [], 0)[0] and (line := self._read()) is not None:
            lines.append(line)
        return lines

    def _read(self) -> str | None:
        try:
            data = os.read(0, READ_SIZE)
        except OSError:
            return None
        return data.decode(errors="replace").removesuffix("\n") if data else None

    async def write(self, text: str, whole: Callable[[bool], None] = lambda _: None) -> None:
        """All of it; whole: as of Tty."""
        data = memoryview(first_frame.encode(bare(text), utf8=self._utf8))
        whole(True)
        while data:
            try:
                data = data[os.write(self._out, data[: select.PIPE_BUF]) :]
            except BlockingIOError:
                whole(False)
                await trio.lowlevel.wait_writable(self._out)
                whole(True)
            except OSError:
                self._gone()
                return


def _own_output() -> int:
    """An open file of our own, so that being non-blocking is: of a terminal, or of a pipe; a file never blocks."""
    try:
        path = os.ttyname(1) if os.isatty(1) else "/proc/self/fd/1"
        return os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_APPEND)
    except OSError:
        return 1  # of another user, or where there is no /proc
