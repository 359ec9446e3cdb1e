"""The front of `trouper bug-report`: the doctor looks, and the session is read, into a folder that only we can read."""

import os
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import IO

import msgspec
import trio

from actors.errors import ActorDied, Failed, failed
from actors.mailbox import Mailbox
from actors.messages.conversation import Entry
from actors.messages.store import FindSession, ListSessions, ReadSession, SessionOpened, Sessions
from actors.settings.config import Settings
from ui.bug_report.shape import Shape
from ui.common import json_text
from ui.common.doctor import asking
from ui.common.doctor.asking import Here
from ui.common.exit_codes import DONE
from ui.headless import one_answer

DOCTOR, SHAPE, WORDS, WHY = "doctor.json", "session.jsonl", "session.md", "session.txt"
"""In the folder, and in the bundle."""
LIVES = 2
"""Of the store that may be lost on the way."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of this command."""

    folder: str
    here: Here
    session: str
    """As the user says which; "" for the latest here."""
    store: bool
    """There is one to be asked."""
    words: bool


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    wanted = msgspec.msgpack.decode(settings.front, type=Wanted)
    await one_answer.run(mailbox, partial(_answer, mailbox, settings, wanted))


async def _answer(mailbox: Mailbox, settings: Settings, wanted: Wanted) -> int:
    """Raises Failed where the session that was named is not there."""
    folder = Path(wanted.folder)
    report = await asking.found(mailbox, settings, wanted.here)
    await _write(folder / DOCTOR, json_text.pretty(report.object))
    if not wanted.store:
        await _write(folder / WHY, "The session was not read: the database cannot be used, see doctor.json.\n")
        return DONE
    try:
        await _insist(partial(_session, mailbox, settings, wanted, folder))
    except Failed as why:
        if wanted.session:
            raise
        (folder / SHAPE).unlink(missing_ok=True)
        await _write(folder / WHY, f"No session was read: {why}\n")
    return DONE


async def _insist(read: Callable[[], Awaitable[None]]) -> None:
    """From its beginning again where the store has died meanwhile. Raises Failed."""
    for _ in range(LIVES):
        try:
            await read()
        except ActorDied:
            continue
        return
    await read()


async def _session(mailbox: Mailbox, settings: Settings, wanted: Wanted, folder: Path) -> None:
    """Raises Failed."""
    named = FindSession(said=wanted.session, cwd=settings.cwd)
    asked = named if wanted.session else ListSessions(cwd=settings.cwd, limit=1)
    sessions = (await mailbox.insist("store", asked, Sessions)).sessions
    if not sessions:
        raise failed("unknown_session", "there is none of this folder.")
    found = sessions[0]
    shape = Shape()
    with _private(folder / SHAPE) as file:
        async with mailbox.stream("store", ReadSession(session_id=found.session_id, whole_tree=True)) as stream:
            async for entry in stream:
                if isinstance(entry, Entry):
                    file.write(shape.line(entry))
                    await trio.lowlevel.checkpoint()
            await stream.result(SessionOpened)
    if wanted.words:
        await _words(mailbox, found.session_id, folder / WORDS)


async def _words(mailbox: Mailbox, session_id: str, path: Path) -> None:
    """Raises Failed."""
    from ui.session_files.markdown import markdown
    from ui.session_files.transcript import Telling

    telling = Telling()
    async with mailbox.stream("store", ReadSession(session_id=session_id)) as stream:
        async for entry in stream:
            if isinstance(entry, Entry):
                telling.add(entry)
                await trio.lowlevel.checkpoint()
        opened = await stream.result(SessionOpened)
    with _private(path) as file:
        for piece in markdown(telling.transcript(opened.session_id[:8], opened.cwd, opened.name)):
            file.write(piece.encode())
            await trio.lowlevel.checkpoint()


async def _write(path: Path, text: str) -> None:
    with _private(path) as file:
        file.write(text.encode(errors="replace"))
    await trio.lowlevel.checkpoint()


def _private(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb")
