"""/resume, /takeover, /new and /name: another session, which is opened where it is of this folder; this one's name."""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import FindSession, ListSessions, NameSession, Sessions, SessionSummary
from actors.messages.turn import OpenOther
from actors.settings.config import Settings
from ui.screen.questions.choice_list import Ask
from ui.screen.sessions.elsewhere import how_to_go_on, is_elsewhere
from ui.screen.sessions.held_session import QUIT, STAY, HeldSession
from ui.screen.sessions.session_list import SessionList

NOT_OPENED = ("unknown_session", "ambiguous_session", "session_in_use")
"""Of the session of the command line: then the user says what instead, or leaves."""
LISTED = 100
"""The latest."""


@dataclass(frozen=True)
class OtherSessions:
    mailbox: Mailbox
    agent: str
    settings: Settings
    session_id: Callable[[], Awaitable[str]]
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""
    listing: SessionList
    to_clipboard: Callable[[str], None]

    async def resume(self, which: str) -> None:
        """which: as of `trouper -r`, or words that several have; "" to choose among all."""
        try:
            meant = await self._meant(which)
            if meant is None:
                return
            if meant.session_id == await self.session_id():
                self.say("this is that session", "info")
            elif is_elsewhere(meant, self.settings.cwd):
                await self._point_to(meant)
            else:
                await self._open(meant.session_id)
        except Failed as failure:
            self.say(str(failure), "error")

    async def instead(self, failure: Failed) -> str | None:
        """Of the session of the command line, which could not be opened: None to go on, else why not."""
        try:
            match failure.problem.code:
                case "session_in_use":
                    return None if await self._held.settle("", QUIT) else ""
                case "ambiguous_session":
                    return await self._one_of_several(failure)
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

    async def _one_of_several(self, failure: Failed) -> str | None:
        """As of instead. Raises Failed."""
        find = partial(self._found, self.settings.session_id, "")
        meant = await self.listing.choose(find, everywhere=self.settings.everywhere)
        if meant is None:
            return str(failure)
        if is_elsewhere(meant, self.settings.cwd):
            return (await how_to_go_on(meant))[0]
        await self._open(meant.session_id, copied=self.settings.copy)
        return None

    async def _meant(self, which: str) -> SessionSummary | None:
        """Where several are meant, or "" is, the user chooses; None for none of them. Raises Failed."""
        everywhere = self.settings.everywhere
        if not which:
            return await self.listing.choose(self._others, everywhere=everywhere)
        found = await self._all_meant(which, everywhere=everywhere)
        if len(found) == 1:
            return found[0]
        find = partial(self._found, which, await self.session_id())
        return await self.listing.choose(find, everywhere=everywhere)

    async def _found(self, which: str, this: str, everywhere: bool) -> Sequence[SessionSummary]:
        """Those that are meant but this one; none is no failure."""
        try:
            found = await self._all_meant(which, everywhere=everywhere)
        except Failed as failure:
            if failure.problem.code != "unknown_session":
                raise
            return ()
        return [one for one in found if one.session_id != this]

    async def _all_meant(self, which: str, *, everywhere: bool) -> Sequence[SessionSummary]:
        wanted = FindSession(said=which, cwd=self.settings.cwd, everywhere=everywhere, several=True)
        return (await self.mailbox.insist("store", wanted, Sessions)).sessions

    async def _others(self, everywhere: bool) -> Sequence[SessionSummary]:
        wanted = ListSessions(cwd="" if everywhere else self.settings.cwd, limit=LISTED)
        this = await self.session_id()
        return [
            one for one in (await self.mailbox.insist("store", wanted, Sessions)).sessions if one.session_id != this
        ]

    async def _point_to(self, one: SessionSummary) -> None:
        told, command = await how_to_go_on(one)
        if command:
            self.to_clipboard(command)
        self.say(told, "info")

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
