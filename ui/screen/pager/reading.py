"""The pager's way to the store: page by page what it wants, and what is said meanwhile; whoever dies, again."""

from collections.abc import Callable

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.conversation import Entry
from actors.messages.store import PageEnds, ReadPage, ReadPageEnds
from ui.common import harmless
from ui.screen.pager.frame import Order
from ui.screen.pager.pager import Pager
from ui.screen.pager.window import Page
from ui.screen.sessions import stored


class Reading:
    def __init__(self, mailbox: Mailbox, session_id: Callable[[], str], pager: Pager, poke: Callable[[], None]) -> None:
        """session_id: of the session that is shown; "" as long as that is not known."""
        self._mailbox = mailbox
        self._session_id = session_id
        self._pager = pager
        self._poke = poke
        self._told = trio.Event()
        self._news = False

    def heard(self) -> None:
        """Something was said in the session."""
        self._news = True
        self.look()

    def look(self) -> None:
        """The pager may want something."""
        self._told.set()

    async def run(self) -> None:
        while True:
            if self._session_id() and (self._pager.order is not None or self._news):
                await self._next()
                self._poke()
            else:
                await self._told.wait()
                self._told = trio.Event()

    async def _next(self) -> None:
        order = self._pager.order
        try:
            if order is not None:
                await self._do(order)
            elif self._news:
                await self._follow()
        except Failed as failure:
            self._pager.told = harmless.one_line(str(failure))
            self._news = False
            if self._pager.order == order:
                self._pager.order = None
            self._poke()
            await self._told.wait()

    async def _do(self, order: Order) -> None:
        pager = self._pager
        match order:
            case "last":
                self._news = False
                pager.window.start(await self._page())
                pager.to_last()
            case "first":
                await self._first()
            case "before":
                pager.window.add_before(await self._page(pager.window.before))
                pager.gathered()
            case "behind":
                await self._read_on()
            case "older_match" | "newer_match":
                await self._look_for(order)
                return
        if pager.order == order:
            pager.order = None

    async def _first(self) -> None:
        window = self._pager.window
        asked = ReadPageEnds(session_id=self._session_id(), end=window.before)
        ends = (await self._mailbox.insist("store", asked, PageEnds)).ends
        window.start(await self._page(ends[0]), [*ends[1:], *window.held_ends, *window.later_ends])
        self._pager.gathered()
        self._pager.home()

    async def _look_for(self, order: Order) -> None:
        """Page after page, until it is found, there is no more, or a key has come."""
        pager, older = self._pager, order == "older_match"
        window = pager.window
        if window.begins if older else window.ends:
            pager.told, pager.order = f"nothing {'before' if older else 'behind'} this: {pager.needle}", None
            return
        if older:
            window.add_before(await self._page(window.before))
            pager.gathered()
        else:
            await self._read_on()
        if pager.order == order and pager.find(older=older):
            pager.order = None

    async def _read_on(self) -> None:
        """The last page has grown meanwhile, so it is read from where the window ends."""
        pager, window = self._pager, self._pager.window
        if window.later:
            window.add_behind(await self._page(window.later))
        else:
            page = Page(await self._entries(ReadPage(session_id=self._session_id(), after=window.last)))
            if page.before != window.last:
                pager.order = "last"
                return
            window.add_behind(page)
        pager.gathered()

    async def _follow(self) -> None:
        """What was said since the last page was read."""
        pager, window = self._pager, self._pager.window
        self._news = False
        if not window.ends:
            return  # it is read when one comes there
        fresh = await self._entries(ReadPage(session_id=self._session_id(), after=window.last))
        at_end = pager.at_end
        if fresh and (not window.grow(fresh) or (at_end and window.overgrown)):
            pager.order = "last"  # the session went on elsewhere, or far
        elif fresh:
            self._go_on(at_end=at_end)

    def _go_on(self, *, at_end: bool) -> None:
        if at_end:
            self._pager.to_last()
        else:
            self._pager.gathered()

    async def _page(self, end: str = "") -> Page:
        """Raises Failed."""
        return Page(await self._entries(ReadPage(session_id=self._session_id(), end=end)))

    async def _entries(self, wanted: ReadPage) -> list[Entry]:
        return await stored.read(self._mailbox, wanted, Entry)
