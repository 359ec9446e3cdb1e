"""/resume, /new and /name: another session of this folder, and what this one is called."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import ListSessions, NameSession, Sessions, SessionSummary
from actors.messages.turn import OpenOther
from ui.common import harmless
from ui.screen.sessions.choice_list import Ask, age, choose
from ui.screen.transcript.arrival import ID_SHOWN

LISTED = 100
"""The latest."""
TITLE = 60
"""Characters."""


@dataclass(frozen=True)
class OtherSessions:
    mailbox: Mailbox
    agent: str
    cwd: str
    session_id: Callable[[], Awaitable[str]]
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""

    async def resume(self, which: str) -> None:
        """which: the beginning of an id, or words of its title; "" to choose among all of this folder."""
        try:
            found = meant(which, await self._others())
            if not found:
                what = (
                    f'no other session of this folder is meant by "{which}"' if which else "there is no other session"
                )
                self.say(f"{what}; trouper sessions list shows those of every folder", "warning")
            elif (chosen := found[0] if which and len(found) == 1 else await self._chosen(found)) is not None:
                await self._open(chosen.session_id)
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

    async def _others(self) -> list[SessionSummary]:
        listed = await self.mailbox.insist("store", ListSessions(cwd=self.cwd, limit=LISTED), Sessions)
        this = await self.session_id()
        return [one for one in listed.sessions if one.session_id != this]

    async def _chosen(self, found: list[SessionSummary]) -> SessionSummary | None:
        labels = [label(one, time.time()) for one in found]
        chosen = await choose(self.ask, "Go on with which session?", labels)
        return None if chosen is None else found[chosen]

    async def _open(self, session_id: str) -> None:
        await self.mailbox.insist(self.agent, OpenOther(session_id=session_id), Done)


def meant(which: str, sessions: list[SessionSummary]) -> list[SessionSummary]:
    """Newest first. An id or a whole title counts more than words of one."""
    words = which.casefold()
    exact = [one for one in sessions if which and (one.session_id == which or one.title.casefold() == words)]
    begun = [one for one in sessions if which and one.session_id.startswith(which)]
    return exact or begun or [one for one in sessions if words in one.title.casefold()]


def label(one: SessionSummary, now: float) -> str:
    """now: seconds since the epoch."""
    title = harmless.one_line(one.title)
    words = title if len(title) <= TITLE else f"{title[: TITLE - 1]}…"
    return f"{words}  ({one.session_id[:ID_SHOWN]} · {age(max(now - one.updated_at, 0.0))} · {one.entries} entries)"
