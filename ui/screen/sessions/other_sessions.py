"""/resume, /takeover, /new and /name: another session of this folder, and what this one is called."""

import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import FindSession, ListSessions, NameSession, Sessions, SessionSummary
from actors.messages.turn import OpenOther
from actors.settings.config import Settings
from ui.common import harmless
from ui.common.amounts import price
from ui.screen.questions.choice_list import Ask, age, choose
from ui.screen.sessions.held_session import QUIT, STAY, HeldSession
from ui.screen.transcript.arrival import ID_SHOWN

NOT_OPENED = ("unknown_session", "ambiguous_session", "session_in_use")
"""Of the session of the command line: then the user says what instead, or leaves."""
LISTED = 100
"""The latest."""
TITLE = 60
"""Characters."""


@dataclass(frozen=True)
class OtherSessions:
    mailbox: Mailbox
    agent: str
    settings: Settings
    session_id: Callable[[], Awaitable[str]]
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""

    async def resume(self, which: str) -> None:
        """which: as of `trouper -r`, or words that several have; "" to choose among all of this folder."""
        try:
            session_id = await self._meant(which) if which else await self._chosen(await self._others())
            if session_id == await self.session_id():
                self.say("this is that session", "info")
            elif session_id:
                await self._open(session_id)
        except Failed as failure:
            self.say(str(failure), "error")

    async def instead(self, failure: Failed) -> str | None:
        """Of the session of the command line, which could not be opened: None to go on, else why not."""
        try:
            match failure.problem.code:
                case "session_in_use":
                    return None if await self._held.settle("", QUIT) else ""
                case "ambiguous_session":
                    meant = await self._chosen(await self._all_meant(self.settings.session_id))
                    if meant:
                        await self._open(meant, copied=self.settings.copy)
                        return None
                case _:
                    pass
        except Failed as later:
            return str(later)
        return str(failure)

    async def take_over(self) -> None:
        """The session that is looked at."""
        try:
            await self._held.take(await self.session_id())
        except Failed as failure:
            self.say(str(failure), "error")

    async def begin(self) -> bool:
        """A new one. False when there is none; the user has been told."""
        try:
            await self._open("")
        except Failed as failure:
            self.say(str(failure), "error")
            return False
        return True

    async def name(self, text: str) -> None:
        try:
            await self.mailbox.insist("store", NameSession(session_id=await self.session_id(), name=text), Done)
            self.say(f'this session is now called "{text}"', "info")
        except Failed as failure:
            self.say(str(failure), "error")

    async def _meant(self, which: str) -> str:
        """Where several are meant the user chooses; "" for none of them. Raises Failed."""
        found = await self._all_meant(which)
        if len(found) == 1:
            return found[0].session_id
        this = await self.session_id()
        return await self._chosen([one for one in found if one.session_id != this])

    async def _all_meant(self, which: str) -> Sequence[SessionSummary]:
        wanted = FindSession(said=which, cwd=self.settings.cwd, everywhere=self.settings.everywhere, several=True)
        return (await self.mailbox.insist("store", wanted, Sessions)).sessions

    async def _others(self) -> list[SessionSummary]:
        listed = await self.mailbox.insist("store", ListSessions(cwd=self.settings.cwd, limit=LISTED), Sessions)
        this = await self.session_id()
        return [one for one in listed.sessions if one.session_id != this]

    async def _chosen(self, found: Sequence[SessionSummary]) -> str:
        if not found:
            self.say("there is no other session of this folder; trouper sessions list --all shows every one", "warning")
            return ""
        rows = [in_list(one, time.time()) for one in found]
        chosen = await choose(self.ask, "Go on with which session?", rows)
        return "" if chosen is None else found[chosen].session_id

    async def _open(self, session_id: str, *, copied: bool = False) -> None:
        """Raises Failed."""
        copy_id = uuid.uuid4().hex if copied else ""
        try:
            await self.mailbox.insist(self.agent, OpenOther(session_id=session_id, copy_id=copy_id), Done)
        except Failed as failure:
            if failure.problem.code != "session_in_use":
                raise
            await self._held.settle(session_id, STAY)

    @property
    def _held(self) -> HeldSession:
        return HeldSession(self.mailbox, self.agent, self.ask, self.say)


def in_list(one: SessionSummary, now: float) -> tuple[str, ...]:
    """What it is called; and its branch, when it was gone on with, how much was said and what that cost, and its id.

    now: seconds since the epoch.
    """
    called = harmless.one_line(_called(one))
    words = called if len(called) <= TITLE else f"{called[: TITLE - 1]}…"
    branch, cost = harmless.one_line(one.branch), price(one.cost_usd) if one.cost_usd != 0 else ""
    said = how_many(one.entries, "entry")
    return words, branch, age(max(now - one.updated_at, 0.0)), said, cost, one.session_id[:ID_SHOWN]


def _called(one: SessionSummary) -> str:
    return one.name or one.title
