"""A terminal that is written to beside other work: never waited for, and sane whenever the writer is killed.

No mode of it is changed, keys stay what they are, and between two frames the cursor is visible, on an empty row of its
own below ours: a shell that gets the terminal back finds it as it left it, whoever was killed.
"""

import os
from collections.abc import Mapping

import trio

from supervisor.terminal import MODES_OFF
from ui.screen.terminal.renderer import Renderer, Resized, View
from ui.screen.terminal.theme import Theme, theme
from ui.screen.terminal.tty import capabilities
from ui.start import first_frame

LAST_S = 1.0
"""For a terminal that takes no output when all is over."""


class Line:
    """Of text that is said for good: it scrolls away with what is above our rows."""

    def __init__(self, text: str) -> None:
        """text: harmless, one line."""
        self._text = text

    def rows(self, width: int, theme: Theme) -> list[str]:
        return theme.wrapped([("", self._text)], width)


class Terminal:
    def __init__(self, descriptor: int, environ: Mapping[str, str]) -> None:
        """Of a terminal. Raises OSError where it cannot be opened once more: being non-blocking is to stay our own."""
        able = capabilities(environ)
        self.theme = theme(able.depth != "none")
        self._reflows, self._utf8 = able.reflows, able.utf8
        flags = os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC
        self._out = os.open(os.ttyname(descriptor), flags)
        self._rest = first_frame.encode(
            MODES_OFF, utf8=True
        )  # one of ours may have been killed in the middle of a frame
        self._size = first_frame.size(self._out)
        self._next_size = self._size
        self._renderer = Renderer(*self._size)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows, as the last frame had it."""
        return self._size

    def look(self) -> bool:
        """Is this a moment to draw? Not while others have the terminal, it takes nothing, or is being resized."""
        if not self._is_ours() or not self._flush():
            return False
        try:
            size = first_frame.size(self._out)
        except OSError:
            return False
        settled, self._next_size = size == self._next_size, size
        return settled

    def draw(self, said: list[Line], rows: list[str]) -> None:
        """said goes above the rows, which take the place of those of the last time."""
        view = View([*rows, ""], len(rows), 0)
        if self._next_size != self._size:
            width, height = self._size = self._next_size
            self._send(self._renderer.resize(Resized(width, height, None, self._reflows), view, self.theme))
        self._send(self._renderer.frame([*said], view, self.theme))

    def forget(self) -> None:
        """Somebody else has written here: ours begins anew, where the cursor is."""
        self._renderer = Renderer(*self._size)

    async def close(self) -> None:
        """What was drawn stays."""
        with trio.move_on_after(LAST_S, shield=True):
            while self._is_ours() and not self._flush():
                await trio.lowlevel.wait_writable(self._out)
        os.close(self._out)

    def _is_ours(self) -> bool:
        """Not in the background: there the shell has it."""
        try:
            return os.tcgetpgrp(self._out) == os.getpgrp()
        except OSError:
            return False

    def _send(self, text: str) -> None:
        self._rest += first_frame.encode(text, utf8=self._utf8)
        self._flush()

    def _flush(self) -> bool:
        """All is there. A terminal that is gone takes all."""
        try:
            while self._rest:
                self._rest = self._rest[os.write(self._out, self._rest) :]
        except BlockingIOError:
            return False
        except OSError:
            self._rest = b""
        return True
