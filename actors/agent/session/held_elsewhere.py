"""A session that another program has: who that is, and having it let go of, when the user says so."""

import os
import platform
import uuid
from contextlib import suppress
from dataclasses import dataclass

import msgspec
import trio

from actors.agent.session import door, resume
from actors.agent.session.history import History
from actors.common import holders
from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.base import Problem
from actors.messages.store import Holder, HolderOf
from actors.messages.turn import OpenOther
from actors.settings.config import Settings

AGAIN_S = 0.2
"""Between two knocks at the door of one that is just being restarted."""
TAKE_OVER = "/takeover takes it over."


@dataclass(frozen=True)
class Elsewhere:
    """A session that this agent does not have."""

    problem: Problem
    """What every request is answered."""
    session_id: str = ""
    """It can be looked at; "" for none."""


async def who_has(mailbox: Mailbox, settings: Settings, said: str) -> Holder:
    """With what it is doing. said: as of OpenSession. Raises Failed."""
    wanted = HolderOf(session_id=said, cwd=settings.cwd, everywhere=settings.everywhere)
    holder = await mailbox.insist("store", wanted, Holder)
    if not holder.pid or holder.run_id == settings.run_id:
        return holder
    told = await door.look(door.path_of(settings.home, holder.run_id))
    if told is None:
        state = "it does not answer: it is on another machine, stopped, or cannot be asked"
    elif told.session_id != holder.session_id:
        state = ""
    else:
        state = "in the middle of a turn" if told.busy else "idle"
    return msgspec.structs.replace(holder, state=state)


async def opened(mailbox: Mailbox, settings: Settings, wanted: OpenOther) -> History | Elsewhere:
    """Raises Failed."""
    if wanted.held == "view":
        return await looked_at(mailbox, settings, wanted.session_id)
    if wanted.copy_id:
        return await resume.open_copy(mailbox, settings, wanted.session_id, wanted.copy_id)
    if not wanted.session_id:
        return await resume.open_fresh(mailbox, settings, uuid.uuid4().hex)
    if wanted.held == "take":
        await _have_let_go(mailbox, settings, wanted.session_id)
    return await resume.open_other(mailbox, settings, wanted.session_id)


async def looked_at(mailbox: Mailbox, settings: Settings, session_id: str) -> Elsewhere:
    """Raises Failed."""
    wanted = HolderOf(session_id=session_id, cwd=settings.cwd)
    holder = await mailbox.insist("store", wanted, Holder)
    text = f"this session is read-only here: {holders.in_words(holder)} has it."
    return Elsewhere(Problem(code="session_in_use", text=text, hint=TAKE_OVER), holder.session_id)


def taken_by(session_id: str, who: str) -> Elsewhere:
    """It was ours."""
    text = f"{who} has taken this session over: it is read-only here."
    return Elsewhere(Problem(code="session_in_use", text=text, hint="/takeover takes it back."), session_id)


def this_program(settings: Settings) -> str:
    return holders.in_words(Holder(session_id="", pid=os.getppid(), terminal=settings.terminal))


async def _have_let_go(mailbox: Mailbox, settings: Settings, session_id: str) -> None:
    """By the one that has it now; whoever gets it afterwards is not asked. Raises Failed."""
    asked = HolderOf(session_id=session_id, cwd=settings.cwd)
    first = holder = await mailbox.insist("store", asked, Holder)
    if holder.run_id == settings.run_id:
        return  # it is ours since it was asked for first
    why = ""
    with trio.move_on_after(door.LET_GO_S):
        while (holder.pid, holder.host) == (first.pid, first.host) and may_have_it(holder):
            try:
                wanted = door.Wanted(session_id=holder.session_id, who=this_program(settings))
                await door.ask_for(door.path_of(settings.home, holder.run_id), wanted)
            except door.CannotAsk as reason:
                why = str(reason)
            else:
                return
            if holder.host != platform.node():
                why = f"it is on {holder.host}, or cannot be asked from here"
                break
            await trio.sleep(AGAIN_S)
            holder = await mailbox.insist("store", asked, Holder)
        else:
            return
    text = f"session {session_id} was not let go of by {holders.in_words(holder)}: {why or 'it takes too long'}."
    raise failed("session_in_use", text, "It can be looked at, and gone on with in a copy.")


def may_have_it(holder: Holder) -> bool:
    """Who was killed left its word."""
    if not holder.pid or holder.host != platform.node():
        return holder.pid != 0
    with suppress(PermissionError):
        try:
            os.kill(holder.pid, 0)
        except ProcessLookupError:
            return False
    return True
