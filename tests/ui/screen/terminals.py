"""A terminal for tests: pyte with scrollback, and the rules every frame has to keep."""

import re

import pyte

from ui.screen.terminal.piece import Piece
from ui.screen.terminal.renderer import SYNC_OFF, SYNC_ON, Renderer, Resized, View
from ui.screen.terminal.theme import Theme
from ui.start.first_frame import encode

FORBIDDEN = ("\x1b[2J", "\x1b[3J", "\x1b[J", "\x1b[0J", "\x1b[?1049h")
SCROLL_REGION = re.compile(r"\x1b\[\d*(;\d*)?r")
PLAIN = Theme(colour=False)


class Emulator:
    """What a user sees of what a Renderer writes."""

    def __init__(self, width: int = 40, height: int = 12) -> None:
        self._seen = pyte.HistoryScreen(width, height, history=100_000, ratio=0.001)
        self._stream = pyte.Stream(self._seen)
        self.frames: list[str] = []

    def write(self, frame: str) -> None:
        self.frames.append(frame)
        self.feed(frame)

    def feed(self, text: str) -> None:
        """What somebody else writes."""
        self._stream.feed(text)

    @property
    def visible(self) -> list[str]:
        return [row.rstrip() for row in self._seen.display]

    @property
    def cursor(self) -> tuple[int, int]:
        return self._seen.cursor.y, self._seen.cursor.x

    @property
    def scrolled(self) -> int:
        """Rows in the scrollback."""
        return len(self._seen.history.top)

    @property
    def all_rows(self) -> list[str]:
        """Scrollback and screen, without the empty end."""
        history = ["".join(line[at].data for at in range(self._seen.columns)) for line in self._seen.history.top]
        rows = [row.rstrip() for row in (*history, *self.visible)]
        while rows and not rows[-1]:
            rows.pop()
        return rows

    def resize(self, width: int, height: int) -> None:
        """As a terminal that does not wrap again what it shows."""
        self._seen.resize(height, width)

    def reflow(self, width: int) -> None:
        """As a terminal that wraps again what it shows, its rows in plain text; the cursor stays on its cell."""
        rows, (row, column) = self.all_rows, self.cursor
        at = self.scrolled + row
        wrapped = [[text[start : start + width] for start in range(0, max(len(text), 1), width)] for text in rows]
        below = sum(len(parts) for parts in wrapped[at:]) - 1 - column // width
        height = self._seen.lines
        self._seen = pyte.HistoryScreen(width, height, history=100_000, ratio=0.001)
        self._stream = pyte.Stream(self._seen)
        self.feed("\r\n".join(part for parts in wrapped for part in parts) + "\r")
        self.feed((f"\x1b[{below}A" if below else "") + (f"\x1b[{column % width}C" if column % width else ""))

    def check(self) -> None:
        """The invariants of every frame."""
        for frame in self.frames:
            assert not any(sequence in frame for sequence in FORBIDDEN)
            assert not SCROLL_REGION.search(frame)
            assert not frame or (frame.startswith(SYNC_ON) and frame.rstrip("\a").endswith(SYNC_OFF))
            assert frame.count(SYNC_ON) <= 1


class Stage:
    """A Renderer in front of an Emulator."""

    def __init__(self, width: int = 40, height: int = 12, *, utf8: bool = True) -> None:
        """utf8: the terminal speaks it."""
        self._utf8 = utf8
        self.renderer = Renderer(width, height)
        self.emulator = Emulator(width, height)

    def frame(self, commit: list[Piece], view: View, theme: Theme = PLAIN) -> None:
        assert len(view.rows) < self.renderer.height
        before = self.emulator.cursor[0] - self.renderer.above
        self.emulator.write(encode(self.renderer.frame(commit, view, theme), utf8=self._utf8).decode())
        self.emulator.check()
        top = self.emulator.cursor[0] - view.row
        assert top >= 0 or before < 0
        assert self.emulator.cursor[1] == view.column

    def resize(self, new: Resized, view: View, theme: Theme = PLAIN) -> None:
        self.emulator.resize(new.width, new.height)
        self.emulator.write(self.renderer.resize(new, view, theme))
        self.emulator.check()
