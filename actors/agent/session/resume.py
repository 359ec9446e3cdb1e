"""Which session an agent has, and its entries: what an earlier life of this agent had open comes first."""

import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from actors.agent.session.history import History
from actors.common.checkout import git_branch
from actors.errors import ActorDied
from actors.mailbox import INSIST, Mailbox
from actors.messages.base import Done
from actors.messages.conversation import Entry
from actors.messages.store import (
    CloseSession,
    OpenSession,
    ReadSession,
    Recall,
    Recalled,
    Remember,
    SessionOpened,
    open_session_key,
)
from actors.messages.tool import CarryMode
from actors.settings.config import Settings


async def load(
    mailbox: Mailbox, settings: Settings, on_open: Callable[[str], Awaitable[None]] | None = None
) -> History:
    """on_open: given the id of a session that is there already, before it is read. Raises Failed."""
    before = (await mailbox.insist("store", Recall(key=_key(mailbox, settings)), Recalled)).value
    copy_id = fresh_id(mailbox, settings, "copy") if settings.copy and not before else ""
    wanted = _request(settings, before or settings.session_id, resume=bool(before) or settings.resume, copy_id=copy_id)
    if on_open is not None and wanted.resume:
        session_id = (await _open(mailbox, msgspec.structs.replace(wanted, at=""))).session_id
        await on_open(session_id)
        wanted = _request(settings, session_id, resume=True)
    history = await _open(mailbox, wanted)
    if settings.resume and history.session_id != before:
        await remember(mailbox, settings, history.session_id)  # "the latest" may be another one by then
    return history


async def wanted(mailbox: Mailbox, settings: Settings) -> str:
    """What `load` opens, as of OpenSession. Raises Failed."""
    return (await mailbox.insist("store", Recall(key=_key(mailbox, settings)), Recalled)).value or settings.session_id


async def open_fresh(mailbox: Mailbox, settings: Settings, session_id: str) -> History:
    """Made if it is not there yet; it begins in the mode there is. Raises Failed."""
    history = await _open(mailbox, _request(settings, session_id, resume=False))
    await mailbox.insist("gate", CarryMode(session_id=session_id), Done)
    return history


async def open_other(mailbox: Mailbox, settings: Settings, session_id: str) -> History:
    """Another session of this folder, where it stands. Raises Failed."""
    return await _open(mailbox, _request(settings, session_id, resume=True))


async def open_copy(mailbox: Mailbox, settings: Settings, session_id: str, copy_id: str) -> History:
    """With every turn that has come to its end. Raises Failed."""
    return await _open(mailbox, _request(settings, session_id, resume=True, copy_id=copy_id))


async def open_at(mailbox: Mailbox, settings: Settings, session_id: str, entry_id: str) -> History:
    """As it was when this was its last entry. Raises Failed."""
    return await _open(mailbox, _request(settings, session_id, resume=True, at=entry_id))


async def end(mailbox: Mailbox, session_id: str, most: int) -> list[Entry]:
    """The last entries of the path it stands on, for people. Raises Failed."""
    _, entries = await _read(mailbox, ReadSession(session_id=session_id, last=most))
    return entries


async def leave(mailbox: Mailbox, session_id: str) -> None:
    """Another program may have it from now on. Raises Failed."""
    await mailbox.insist("store", CloseSession(session_id=session_id), Done)


async def remember(mailbox: Mailbox, settings: Settings, session_id: str) -> None:
    """The next life of this agent goes on with it; it has to exist. Raises Failed."""
    await mailbox.insist("store", Remember(key=_key(mailbox, settings), value=session_id), Done)


def fresh_id(mailbox: Mailbox, settings: Settings, prompt_id: str) -> str:
    """The same for the same prompt, so that a new start which is asked for twice is one."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"{settings.run_id}/{mailbox.name}/{prompt_id}").hex


def _request(
    settings: Settings, session_id: str, *, resume: bool, copy_id: str = "", at: str | None = None
) -> OpenSession:
    return OpenSession(
        session_id=session_id,
        cwd=settings.cwd,
        everywhere=settings.everywhere,
        model=settings.model,
        branch=git_branch(Path(settings.cwd)),
        resume=resume,
        copy_id=copy_id,
        at=at,
    )


async def _open(mailbox: Mailbox, request: OpenSession) -> History:
    opened, entries = await _read(mailbox, request)
    return History(opened.session_id, entries)


async def _read(mailbox: Mailbox, request: OpenSession | ReadSession) -> tuple[SessionOpened, list[Entry]]:
    for _ in range(INSIST - 1):
        try:
            return await _read_once(mailbox, request)
        except ActorDied:
            continue
    return await _read_once(mailbox, request)


async def _read_once(mailbox: Mailbox, request: OpenSession | ReadSession) -> tuple[SessionOpened, list[Entry]]:
    async with mailbox.stream("store", request) as stream:
        entries = [entry async for entry in stream if isinstance(entry, Entry)]
        return await stream.result(SessionOpened), entries


def _key(mailbox: Mailbox, settings: Settings) -> str:
    return open_session_key(settings.run_id, mailbox.name)
