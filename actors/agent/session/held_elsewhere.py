"""A session that another program has: who that is, and having it let go of, when the user says so."""

import os
import platform
import uuid
from contextlib import suppress

import msgspec
import trio

from actors.agent.session import resume, steered
from actors.agent.session.history import History
from actors.common import holders
from actors.common.doors import visitor
from actors.common.doors.lines import CannotAsk
from actors.common.doors.words import Told, Wanted, path_of
from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.base import Problem
from actors.messages.store import Holder, HolderOf
from actors.messages.turn import OpenOther
from actors.settings.config import Settings

TAKE_OVER = "/takeover takes it over."


class Elsewhere(msgspec.Struct, frozen=True):
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
    there = await visitor.look(path_of(settings.home, holder.run_id))
    if there is None:
        state = "it does not answer: it is on another machine, stopped, or cannot be asked"
    elif there.session_id != holder.session_id:
        state = ""
    else:
        state = "in the middle of a turn" if there.busy else "idle"
    return msgspec.structs.replace(holder, state=state)


async def instead(mailbox: Mailbox, settings: Settings, problem: Problem) -> Elsewhere:
    """Of the session that could not be opened: one of a subagent is looked at; of any other the user says what."""
    if problem.code == "session_in_use" and settings.interactive:
        with suppress(Failed):
            said = await resume.wanted(mailbox, settings)
            wanted = HolderOf(session_id=said, cwd=settings.cwd, everywhere=settings.everywhere)
            session_id = (await mailbox.insist("store", wanted, Holder)).session_id
            if await steered.found(settings.home, session_id) is not None:
                return await looked_at(mailbox, settings, session_id)
    return Elsewhere(problem)


def told(settings: Settings, history: History, *, busy: bool) -> Told:
    """Who is here, at the door."""
    pid, terminal = os.getppid(), settings.terminal
    return Told(session_id=history.session_id, busy=busy, cwd=settings.cwd, pid=pid, terminal=terminal)


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
    with trio.move_on_after(visitor.LET_GO_S):
        while (holder.pid, holder.host) == (first.pid, first.host) and may_have_it(holder):
            try:
                wanted = Wanted(session_id=holder.session_id, who=this_program(settings))
                await visitor.ask_for(path_of(settings.home, holder.run_id), wanted)
            except CannotAsk as reason:
                why = str(reason)
            else:
                return
            if holder.host != platform.node():
                why = f"it is on {holder.host}, or cannot be asked from here"
                break
            await trio.sleep(visitor.AGAIN_S)
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
