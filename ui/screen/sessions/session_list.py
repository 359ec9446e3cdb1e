"""The list that a session is chosen from: those of this folder or of all, and one of them thrown away in it."""

import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from msgspec.structs import replace

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.store import SessionSummary
from actors.messages.tool import UserAsked
from ui.common import harmless
from ui.common.amounts import price
from ui.screen.questions import choice_list
from ui.screen.questions.answers import Heard
from ui.screen.questions.choice_list import age
from ui.screen.questions.session_keys import Wish
from ui.screen.sessions.deletion import throw_away
from ui.screen.transcript.arrival import ID_SHOWN
from ui.start.first_frame import short

Find = Callable[[bool], Awaitable[Sequence[SessionSummary]]]
"""The sessions in question: of all folders, or of this one. Raises Failed."""
TITLE = "Go on with which session?"
NONE = "there is no other session"
NONE_HERE = "no other session of this folder"
WORDS = 60
"""Characters of what a session is called."""
FOLDER = 24
"""Characters of a folder, of which the end is shown."""


@dataclass(frozen=True)
class SessionList:
    mailbox: Mailbox
    open: Callable[[UserAsked], AbstractContextManager[Heard]]
    renew: Callable[[UserAsked], None]
    """The list that is open, as it is now."""
    here: Callable[[], str]
    """Id of the session on the screen; "" before there is one."""
    say: Callable[[str, str], None]
    """text, level."""

    async def choose(self, find: Find, *, everywhere: bool = False) -> SessionSummary | None:
        """None: all stays as it is. Where this folder has none, those of all are shown. Raises Failed."""
        found = await find(everywhere)
        if not found and not everywhere:
            everywhere, found = True, await find(True)
        if not found:
            self.say(NONE, "warning")
            return None
        with self.open(question(found, time.time(), everywhere=everywhere)) as heard:
            known: dict[str, SessionSummary] = {}
            async for one in heard:
                known |= {each.session_id: each for each in found}
                if not isinstance(one, Wish):
                    return known.get(one.choice)
                if one.act == "switch":
                    everywhere = not everywhere
                else:
                    await self._delete(known[one.choice])
                found = await find(everywhere)
                self.renew(question(found, time.time(), everywhere=everywhere))
        return None

    async def _delete(self, one: SessionSummary) -> None:
        if one.session_id == self.here():  # it was opened while the list was
            self.say("this session is open here, so it is not deleted", "warning")
            return
        try:
            self.say(await throw_away(self.mailbox, one), "info")
        except Failed as failure:
            self.say(str(failure), "error")


def question(found: Sequence[SessionSummary], now: float, *, everywhere: bool) -> UserAsked:
    """now: seconds since the epoch."""
    title = f"{TITLE} (all projects)" if everywhere else TITLE
    listed = choice_list.question(title, [in_list(one, now, everywhere=everywhere) for one in found])
    choices = [replace(choice, id=one.session_id) for choice, one in zip(listed.choices, found, strict=True)]
    return replace(
        listed,
        kind="all sessions" if everywhere else "sessions",
        detail="" if found else NONE if everywhere else NONE_HERE,
        choices=tuple(choices),
        default=choices[0].id if choices else "",
    )


def in_list(one: SessionSummary, now: float, *, everywhere: bool = False) -> tuple[str, ...]:
    """What it is called; and its branch, when it was gone on with, how much was said, what that cost, and its id.

    everywhere: only its folder, when, and how much. now: seconds since the epoch.
    """
    called = harmless.one_line(one.name or one.title)
    words = called if len(called) <= WORDS else f"{called[: WORDS - 1]}…"
    when, said = age(max(now - one.updated_at, 0.0)), how_many(one.entries, "entry")
    if everywhere:
        return words, _ending(harmless.exposed_line(short(one.cwd))), when, said
    branch, cost = harmless.one_line(one.branch), price(one.cost_usd) if one.cost_usd != 0 else ""
    return words, branch, when, said, cost, one.session_id[:ID_SHOWN]


def _ending(folder: str) -> str:
    return folder if len(folder) <= FOLDER else f"…{folder[1 - FOLDER :]}"
