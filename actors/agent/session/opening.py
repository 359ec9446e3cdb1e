"""A session that is being opened: who watches is told its end at once, all else waits until the agent has read it."""

from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
import trio

from actors.agent.session import resume, told
from actors.agent.session.history import History
from actors.errors import Failed
from actors.mailbox import Mailbox, Request
from actors.messages.tool import OfferTools, Tools
from actors.messages.turn import Event, Notice, Subscribe
from actors.settings.config import Settings

Attend = Callable[[Subscribe, Request], Awaitable[None]]
"""The handler of a subscription."""


class Opening:
    """A long session is read for seconds, but who sits before the screen sees where it stands, and types."""

    def __init__(self, mailbox: Mailbox, settings: Settings, nursery: trio.Nursery) -> None:
        """nursery: for subscriptions, which outlive the opening."""
        self._mailbox = mailbox
        self._settings = settings
        self._nursery = nursery
        self._waiting: list[Request] = []
        self._last_id = ""
        self._end: list[Event] = []
        self._end_known = trio.Event()
        self._rest_wanted = trio.Event()
        """Who watches has the end, or somebody wants more than that."""
        self._over = trio.Event()
        self._attend: Attend | None = None
        self._failure: Failed | None = None

    async def history(self) -> History:
        """Raises Failed."""
        histories: list[History] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._listen)
            try:
                histories.append(await resume.load(self._mailbox, self._settings, self._opened))
            except Failed as failure:
                self._failure = failure
            nursery.cancel_scope.cancel()
        if self._failure is not None:
            raise self._failure
        return histories[0]

    async def hand_over(self, serve: Callable[[Request], None], attend: Attend | None) -> None:
        """What has waited, in its order. attend: None where no session is shown."""
        self._attend = attend
        self._end_known.set()
        self._over.set()
        for request in self._waiting:
            serve(request)
            await trio.lowlevel.checkpoint()  # a cancel comes after the prompt it is meant for

    async def _opened(self, session_id: str) -> None:
        """Its end is read and told before all of it is asked for: that keeps the store busy. Raises Failed."""
        if not self._settings.interactive:
            return
        end = await resume.end(self._mailbox, session_id, told.MOST)
        earlier = told.untold(await told.stored(self._mailbox, session_id), end)
        if not earlier:
            return
        offered = await self._mailbox.insist("gate", OfferTools(session_id=session_id, anew=True), Tools)
        info = told.session_info(History(session_id, end), offered, self._settings, busy=False)
        self._end = [msgspec.structs.replace(info, earlier=earlier), *told.additions(end)]
        if offered.taken_up:
            self._end.append(Notice(text=offered.taken_up, level="warning"))
        self._last_id = end[-1].id
        self._end_known.set()
        await self._rest_wanted.wait()

    async def _listen(self) -> None:
        async for request in self._mailbox:
            match request.message:
                case Subscribe(after="", only_end=True) as wanted:
                    self._nursery.start_soon(request.serve, partial(self._tell, wanted))
                case _:
                    self._waiting.append(request)
                    self._rest_wanted.set()

    async def _tell(self, wanted: Subscribe, request: Request) -> None:
        """The end, and what is after it once all is read. Raises Failed."""
        await self._end_known.wait()
        for event in self._end:
            await request.send(event)
        self._rest_wanted.set()
        await self._over.wait()
        if self._attend is not None:
            await self._attend(msgspec.structs.replace(wanted, after=self._last_id), request)
        elif self._failure is not None:
            raise self._failure
