"""The inline renderer: rows in, escape sequences out; it knows what is on the screen and does no I/O.

Rows above the live ones are never rewritten, but once after a resize. No scroll regions, no alternate screen, no
erase-below (it pushes the screen into tmux's history), only relative moves. Every frame is one synchronised update.
"""

from collections import deque
from dataclasses import dataclass

from ui.screen.terminal import cells
from ui.screen.terminal.piece import Piece
from ui.screen.terminal.theme import Theme

KEPT_ROWS = 2000
"""Rows of the scrollback that can be drawn again after a resize."""
SYNC_ON, SYNC_OFF = "\x1b[?2026h\x1b[?25l", "\x1b[?25h\x1b[?2026l"


@dataclass(frozen=True)
class View:
    """The live rows, none wider than the screen, fewer than its height; and the cursor in them."""

    rows: list[str]
    row: int
    column: int


@dataclass(frozen=True)
class Printed:
    """A piece as it went to the scrollback."""

    piece: Piece
    rows: list[str]


@dataclass(frozen=True)
class Resized:
    """The terminal has another size, and nobody drags at it any more."""

    width: int
    height: int
    caret: int | None
    """The cursor's row on the screen, from 1; None: unknown, then only the live rows are drawn."""
    reflows: bool
    """The terminal has wrapped the rows at the new width by itself."""


class Renderer:
    def __init__(self, width: int, height: int, *, above: int = 0, rows: int = 0) -> None:
        """above, rows: what somebody else painted that is ours now; the cursor is `above` rows below its top."""
        self.width = width
        self.height = height
        self._live: list[str | None] = [None] * rows
        self._row = above
        self._column: int | None = None
        self._kept: deque[Printed] = deque()
        self._kept_rows = 0

    @property
    def rows(self) -> int:
        return len(self._live)

    @property
    def above(self) -> int:
        return self._row

    def frame(self, commit: list[Piece], view: View, theme: Theme) -> str:
        """The pieces go to the scrollback, the view becomes the live rows. "" when nothing changes."""
        printed = [Printed(piece, piece.rows(self.width, theme)) for piece in commit]
        self._keep(printed)
        return self._synchronised(self._paint([row for piece in printed for row in piece.rows], view))

    def adopt(self, header: Piece, row: str, column: int) -> None:
        """The first frame: the header as this row above the live ones, whose first is blank; the cursor in `column`."""
        self._keep([Printed(header, [row])])
        self._live[0], self._column = "", column

    def give_way(self, commit: list[Piece], theme: Theme) -> str:
        """Blank live rows, the cursor at their top: what is above it belongs to somebody else from now on."""
        changes = self.frame(commit, View([""], 0, 0), theme)
        self._kept.clear()
        self._kept_rows = 0
        return changes

    def resize(self, new: Resized, view: View, theme: Theme) -> str:
        """Draw the visible page again at a new size, with the cursor on the last cell until the next frame.

        There it is in the same row of cells whether the terminal wraps what is drawn, or what it has drawn, for a size
        that it got meanwhile.
        """
        wrap_at, caret = new.width if new.reflows else self.width, new.caret
        heights = [cells.height("─" * self.width if row is None else row, wrap_at) for row in self._live]
        up = sum(heights[: self._row]) + (self._column or 0) // wrap_at
        again: list[Printed] = []
        if caret is not None:
            up = min(up, caret - 1)
            while self._kept:
                reflowed = sum(cells.height(row, wrap_at) for row in self._kept[-1].rows)
                if up + reflowed > caret - 1:
                    break
                up += reflowed
                again.insert(0, self._kept.pop())
                self._kept_rows -= len(again[0].rows)
        below = new.height - caret if caret is not None else max(sum(heights) - up - 1, 0)
        self.width, self.height = new.width, new.height
        start = (f"\x1b[{up}A" if up else "") + "\r" + self._blank(up + below)
        self._live, self._row, self._column = [], 0, None
        printed = [Printed(it.piece, it.piece.rows(self.width, theme)) for it in again]
        self._keep(printed)
        end = View(view.rows, len(view.rows) - 1, max(cells.width(view.rows[-1]) - 1, 0))
        return self._synchronised(start + self._paint([row for piece in printed for row in piece.rows], end))

    def _blank(self, below: int) -> str:
        """This row and so many below it, row by row, and back."""
        return "\x1b[B".join(["\x1b[2K"] * (below + 1)) + (f"\x1b[{below}A" if below else "")

    def _keep(self, printed: list[Printed]) -> None:
        self._kept.extend(printed)
        self._kept_rows += sum(len(piece.rows) for piece in printed)
        while self._kept_rows > KEPT_ROWS:
            self._kept_rows -= len(self._kept.popleft().rows)

    def _synchronised(self, changes: str) -> str:
        return f"{SYNC_ON}{changes}{SYNC_OFF}" if changes else ""

    def _paint(self, commit: list[str], view: View) -> str:
        """Row by row against what is there, from the top of the live rows."""
        pen = _Pen(self._row, max(len(self._live) - 1, 0))
        at = 0
        for row in (*commit, *view.rows):
            rows, used = cells.extent(row, self.width)
            if rows > 1 or at >= len(self._live) or self._live[at] != row:
                pen.write(at, row + ("" if used == self.width else "\x1b[K"), rows)
            at += rows
        for surplus in range(at, len(self._live)):
            pen.write(surplus, "\x1b[2K", 1)
        caret = at - len(view.rows) + view.row
        if pen.strokes or (caret, view.column) != (self._row, self._column):
            pen.move(caret, view.column)
        # also when nothing is written: what was live may be committed as it stands
        self._live, self._row, self._column = list(view.rows), view.row, view.column
        return "".join(pen.strokes)


class _Pen:
    """Writes rows at places relative to the top of the live rows."""

    def __init__(self, at: int, bottom: int) -> None:
        self._at = at
        self._bottom = bottom
        self.strokes: list[str] = []

    def write(self, at: int, row: str, rows: int) -> None:
        self._go(at)
        self.strokes += ("\r", row)
        self._at = at + rows - 1
        self._bottom = max(self._bottom, self._at)

    def move(self, at: int, column: int) -> None:
        self._go(at)
        self.strokes.append("\r" + (f"\x1b[{column}C" if column else ""))

    def _go(self, at: int) -> None:
        reachable = min(at, self._bottom)
        if reachable < self._at:
            self.strokes.append(f"\x1b[{self._at - reachable}A")
        elif reachable > self._at:
            self.strokes.append(f"\x1b[{reachable - self._at}B")
        if at > self._bottom:  # only a newline scrolls
            self.strokes.append("\r\n" * (at - self._bottom))
        self._bottom = max(self._bottom, at)
        self._at = at
