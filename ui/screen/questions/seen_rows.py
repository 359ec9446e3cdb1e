"""How much of a question was on the screen: counted from its top, and only what was really painted. No I/O."""

from actors.common.plurals import how_many
from ui.screen.questions.page import NOTHING, Page
from ui.screen.terminal import cells

AHEAD = 200
"""Rows that are laid out below those that are shown, so that one knows how many there are, as long as there are few."""


class Reading:
    """The rows of one question, which are scrolled so that none is left out."""

    def __init__(self) -> None:
        self.first = 0
        """What is above this row is scrolled away."""
        self.whole = False
        """Every row was on the screen, at this width or another."""
        self.readable = True
        """No row that is shown is cut."""
        self._page = NOTHING
        self._room = 0
        self._seen = 0
        """So many rows from the top were on the screen."""
        self._drawn: int | None = None
        """The rows down to here are in the frame that is being written."""

    def fit(self, page: Page, room: int, width: int) -> list[str]:
        """Told by who draws; returns the rows to show. None counts as seen while one of them is cut at this width."""
        if page.rows[: self._seen] != self._page.rows[: self._seen]:
            self._seen = 0  # wrapped anew
        page.reach(self._seen + 2 * room + AHEAD)
        self._page, self._room = page, room
        self.scroll(0)
        shown = page.rows[self.first : self.first + room]
        self.readable = all(cells.width(row) <= width for row in shown)
        self._drawn = self.first + len(shown) if self.readable else 0
        return shown

    def painted(self) -> bool:
        """The frame that was drawn last is on the screen; False when this was not in it."""
        if self._drawn is None:
            return False
        self._seen = max(self._seen, self._drawn)
        self.whole = self.whole or (self._page.ended and self._seen >= len(self._page.rows))
        return True

    @property
    def unseen(self) -> int:
        """Rows that were not on the screen yet, once the frame that is being written is; of those that are laid out."""
        return 0 if self.whole else len(self._page.rows) - max(self._seen, self._drawn or 0)

    def counted(self, rows: int) -> str:
        """So many of those that are laid out, or more."""
        return how_many(rows, "row", more=not self._page.ended)

    @property
    def total(self) -> str:
        return self.counted(len(self._page.rows))

    @property
    def at_end(self) -> bool:
        return self._page.ended and self.first + self._room >= len(self._page.rows)

    @property
    def page(self) -> int:
        """Rows to scroll by for the next page: one stays."""
        return max(self._room - 1, 1)

    def scroll(self, rows: int) -> None:
        """Never past a row that was not on the screen, however fast the keys come."""
        self.first = max(min(self.first + rows, len(self._page.rows) - self._room, self._seen), 0)
