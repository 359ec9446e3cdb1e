"""The pages of a session that are held: those around what is seen, and of all others only where they end. No I/O."""

from collections.abc import Callable, Sequence

from actors.messages.conversation import Entry
from ui.screen.pager import telling
from ui.screen.pager.block import Block

HELD = 4
"""Pages at once."""
GROWN = 150
"""Entries of the last page, which grows: then it is read anew, in pages."""


class Page:
    def __init__(self, entries: Sequence[Entry]) -> None:
        self.before = entries[0].parent if entries else ""
        """Id of the entry that the page before this one ends with; "" at the beginning of the session."""
        self.end = entries[-1].id if entries else ""
        self._entries = list(entries)
        self.blocks = telling.blocks(entries)

    def __len__(self) -> int:
        return len(self._entries)

    def grown(self, entries: Sequence[Entry]) -> "Page":
        return Page([*self._entries, *entries])


class Window:
    """Neighbouring pages. Who keeps a place in the blocks is told how many are gone or new before the first."""

    def __init__(self, moved: Callable[[int], None]) -> None:
        self._moved = moved
        self._pages: list[Page] = []
        self._later: list[str] = []
        """Ends of the pages behind the window, the nearest one last; "" of the last one, which grows."""
        self.blocks: list[Block] = []

    @property
    def begins(self) -> bool:
        """The first page is the first one of the session."""
        return bool(self._pages) and not self._pages[0].before

    @property
    def ends(self) -> bool:
        """The last page is the last one of the session."""
        return bool(self._pages) and not self._later

    @property
    def before(self) -> str:
        """Where the page before the window ends."""
        return self._pages[0].before

    @property
    def later(self) -> str:
        """Where the page behind the window ends."""
        return self._later[-1]

    @property
    def last(self) -> str:
        """Id of the last entry that is held."""
        return self._pages[-1].end if self._pages else ""

    @property
    def overgrown(self) -> bool:
        return self.ends and len(self._pages[-1]) > GROWN

    @property
    def held_ends(self) -> list[str]:
        """Where the pages end that are held; "" for the one that grows."""
        ends = [page.end for page in self._pages]
        return [*ends[:-1], ""] if self.ends else ends

    @property
    def later_ends(self) -> list[str]:
        """Of the pages behind the window, the nearest first."""
        return self._later[::-1]

    def start(self, page: Page, later: Sequence[str] = ()) -> None:
        """With this page alone. later: ends of those behind it, the nearest one first."""
        self._pages, self._later = [page], list(later)[::-1]
        self._gather()

    def add_before(self, page: Page) -> None:
        self._pages.insert(0, page)
        if len(self._pages) > HELD:
            gone = self._pages.pop()
            self._later.append(gone.end if self._later else "")
        self._moved(len(page.blocks))
        self._gather()

    def add_behind(self, page: Page) -> None:
        self._later.pop()
        self._pages.append(page)
        if len(self._pages) > HELD:
            self._moved(-len(self._pages.pop(0).blocks))
        self._gather()

    def grow(self, entries: Sequence[Entry]) -> bool:
        """By what was said meanwhile; False where it does not follow on what is held."""
        if entries[0].parent != self.last:
            return False
        self._pages[-1] = self._pages[-1].grown(entries) if len(self._pages[-1]) else Page(entries)
        self._gather()
        return True

    def _gather(self) -> None:
        self.blocks = [block for page in self._pages for block in page.blocks]
