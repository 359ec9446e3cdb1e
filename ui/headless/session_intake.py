"""A file becomes a session in the store: read beside the event loop, written in batches. Twice is as good as once."""

import contextlib
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Literal

import msgspec
import trio

from actors.common.small_files import is_folder
from actors.errors import ActorDied, Failed
from actors.mailbox import INSIST, Mailbox
from actors.messages.base import Done
from actors.messages.checkpoint import TakeInCheckpoints
from actors.messages.conversation import Entry, ToolResult, UserMessage
from actors.messages.store import (
    CONFINED_OF,
    GRANTS_OF,
    MODE_OF,
    Append,
    CloseSession,
    FindSession,
    Label,
    NameSession,
    OpenSession,
    ReadSession,
    Remember,
    SessionOpened,
    Sessions,
)
from ui.common.harmless import one_line
from ui.session_files import archive
from ui.session_files.foreign import entries as foreign_entries
from ui.session_files.foreign import recognition
from ui.session_files.foreign.parts import Agent, Tally

BATCH = 256
"""Entries; fewer where they are large."""
BATCH_BYTES = 8 * 1024 * 1024
SAFE_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{7,63}")
"""Of a session: a file is named after it."""
Form = Agent | Literal["trouper"]


class Incoming(msgspec.Struct, kw_only=True):
    """What a file has, ready to be written."""

    form: Form
    session_id: str
    cwd: str
    entries: Iterator[Entry]
    model: str = ""
    branch: str = ""
    name: str = ""
    labels: dict[str, str] = {}
    tally: Tally | None = None
    manifest: archive.Manifest | None = None
    """Of an archive."""


class Outcome(msgspec.Struct, kw_only=True):
    file: str
    form: Form | Literal[""] = ""
    session_id: str = ""
    state: Literal["imported", "there already", "deleted", "failed"] = "failed"
    """deleted: it had been imported, and is in the trash."""
    problem: str = ""
    cwd: str = ""
    name: str = ""
    entries: int = 0
    tally: Tally | None = None
    left_behind: str = ""
    """What an archive has that is not taken over, and why."""


class CannotImport(Exception):
    """Text for the user."""


async def take_in(mailbox: Mailbox, path: Path, form: Form | None, cwd: str) -> Outcome:
    """cwd: of the session, instead of what the file says."""
    outcome = Outcome(file=str(path))
    try:
        with contextlib.closing(await trio.to_thread.run_sync(_opened, path)) as file:
            incoming = await trio.to_thread.run_sync(_read, file, form)
            incoming.cwd = cwd or incoming.cwd
            await _take_in(mailbox, file, incoming, outcome)
    except (CannotImport, archive.NoArchive, recognition.NoSession, Failed) as error:
        outcome.problem = str(error)
    except OSError as error:
        outcome.problem = f"cannot read it: {error.strerror}."
    return outcome


def _opened(path: Path) -> IO[bytes]:
    """Raises OSError, CannotImport."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe would keep us waiting
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise CannotImport("that is no regular file.")
    return os.fdopen(descriptor, "rb")


def _read(file: IO[bytes], form: Form | None) -> Incoming:
    if form == "trouper" or (form is None and file.peek(2)[:2] == b"PK"):  # type: ignore[attr-defined]
        return _archived(file)
    agent = form or recognition.agent_of(file)
    if agent is None:
        raise CannotImport("it is no session of Claude Code, Codex or pi, and none that trouper sessions export wrote.")
    read = recognition.read(file, agent)
    facts = read.facts
    at = os.fstat(file.fileno()).st_mtime
    return Incoming(
        form=agent,
        session_id=read.session_id,
        cwd=facts.cwd,
        model=facts.model,
        branch=facts.branch,
        name=facts.title,
        entries=foreign_entries.entries(facts, read.session_id, read.parts, read.tally, at),
        tally=read.tally,
    )


def _archived(file: IO[bytes]) -> Incoming:
    manifest = archive.read_manifest(file)
    if not SAFE_ID.fullmatch(manifest.session_id):
        raise CannotImport("its session id is none.")
    archive.check(file, manifest)
    return Incoming(
        form="trouper",
        session_id=manifest.session_id,
        cwd=manifest.cwd,
        branch=manifest.branch,
        name=manifest.name,
        labels=manifest.labels,
        entries=_of_one_session(archive.read_entries(file, manifest), manifest.session_id),
        manifest=manifest,
    )


def _of_one_session(entries: Iterator[Entry], session_id: str) -> Iterator[Entry]:
    for entry in entries:
        if entry.session_id != session_id:
            raise CannotImport("it has entries of another session.")
        yield entry


async def _take_in(mailbox: Mailbox, file: IO[bytes], incoming: Incoming, outcome: Outcome) -> None:
    """Raises Failed, CannotImport, NoArchive, OSError."""
    outcome.form, outcome.session_id, outcome.cwd = incoming.form, incoming.session_id, incoming.cwd
    outcome.name = incoming.name
    if not incoming.cwd:
        raise CannotImport("it does not say in which folder it was. Say it: --cwd DIR")
    if not _is_folder(incoming.cwd):
        raise CannotImport(f"its folder {one_line(incoming.cwd)} is not here. Say which one it is: --cwd DIR")
    folder, known = await _known(mailbox, incoming.session_id)
    if not folder and await _is_deleted(mailbox, incoming.session_id):
        outcome.state = "deleted"
        return
    fresh = await trio.to_thread.run_sync(_without, incoming.entries, known)
    incoming.cwd = outcome.cwd = folder or incoming.cwd  # a session stays where it is
    if fresh is None:
        outcome.state, outcome.entries = "there already", len(known)
        return
    if incoming.manifest is not None and archive.CHECKPOINTS in incoming.manifest.files:
        await _take_in_checkpoints(mailbox, file, incoming, outcome)
    await _write(mailbox, incoming, outcome, fresh)
    outcome.state, outcome.tally = "imported", incoming.tally


def _is_folder(cwd: str) -> bool:
    return Path(cwd).is_absolute() and is_folder(Path(cwd))


async def _take_in_checkpoints(mailbox: Mailbox, file: IO[bytes], incoming: Incoming, outcome: Outcome) -> None:
    """Before the entries: of an archive that was made to do harm nothing is taken in. Raises Failed, OSError."""
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder, "bundle")
        await trio.to_thread.run_sync(archive.write_checkpoints, file, bundle)
        wanted = TakeInCheckpoints(cwd=incoming.cwd, session_id=incoming.session_id, path=str(bundle))
        try:
            await mailbox.insist("checkpoints", wanted, Done)
        except Failed as failure:
            if failure.problem.code == "bad_request":
                raise
            outcome.left_behind = f"the checkpoints of its files: {failure}"


async def _known(mailbox: Mailbox, session_id: str) -> tuple[str, list[str]]:
    """Its folder in the store, and ids of the entries that are there; "" where there is none. Raises Failed."""
    try:
        return await _opened_session(mailbox, ReadSession(session_id=session_id, whole_tree=True))
    except Failed as failure:
        if failure.problem.code != "unknown_session":
            raise
        return "", []


async def _is_deleted(mailbox: Mailbox, session_id: str) -> bool:
    """It can be had back yet. Raises Failed."""
    wanted = FindSession(said=session_id, trashed=True, several=True)
    try:
        found = await mailbox.insist("store", wanted, Sessions)
    except Failed as failure:
        if failure.problem.code != "unknown_session":
            raise
        return False
    return any(one.session_id == session_id for one in found.sessions)


async def _opened_session(mailbox: Mailbox, words: ReadSession | OpenSession) -> tuple[str, list[str]]:
    """Its folder, and ids of the entries that the store answers with; one that dies is asked again. Raises Failed."""
    for _ in range(INSIST - 1):
        with contextlib.suppress(ActorDied):
            return await _opened_once(mailbox, words)
    return await _opened_once(mailbox, words)


async def _opened_once(mailbox: Mailbox, words: ReadSession | OpenSession) -> tuple[str, list[str]]:
    async with mailbox.stream("store", words) as stream:
        ids = [entry.id async for entry in stream if isinstance(entry, Entry)]
        return (await stream.result(SessionOpened)).cwd, ids


def _without(entries: Iterator[Entry], known: list[str]) -> Iterator[Entry] | None:
    """What is missing of an import that was broken off; None: nothing, or the session has gone on since."""
    for entry_id in known:
        if (entry := next(entries, None)) is None or entry.id != entry_id:
            return None
    first = next(entries, None)
    return None if first is None else _before(first, entries)


def _before(first: Entry, entries: Iterator[Entry]) -> Iterator[Entry]:
    yield first
    yield from entries


async def _write(mailbox: Mailbox, incoming: Incoming, outcome: Outcome, fresh: Iterator[Entry]) -> None:
    wanted = OpenSession(session_id=incoming.session_id, cwd=incoming.cwd, model=incoming.model, branch=incoming.branch)
    await _opened_session(mailbox, wanted)
    try:
        for key in (MODE_OF, GRANTS_OF, CONFINED_OF):  # what was allowed in a session is not for what others add to it
            await mailbox.insist("store", Remember(key=key + incoming.session_id, value=""), Done)
        while batch := await trio.to_thread.run_sync(_batch, fresh):
            await mailbox.insist("store", Append(entries=batch), Done)
            outcome.entries += len(batch)
        if incoming.name:
            await mailbox.insist("store", NameSession(session_id=incoming.session_id, name=incoming.name), Done)
        for entry_id, text in incoming.labels.items():
            label = Label(session_id=incoming.session_id, entry_id=entry_id, text=text)
            await mailbox.insist("store", label, Done)
    finally:
        with trio.CancelScope(shield=True, deadline=trio.current_time() + 5):
            await mailbox.insist("store", CloseSession(session_id=incoming.session_id), Done)


def _batch(entries: Iterator[Entry]) -> tuple[Entry, ...]:
    found: list[Entry] = []
    size = 0
    for entry in islice(entries, BATCH):
        found.append(entry)
        size += _size(entry)
        if size > BATCH_BYTES:
            break
    return tuple(found)


def _size(entry: Entry) -> int:
    """About, of what can be large."""
    body = entry.body
    if not isinstance(body, UserMessage | ToolResult):
        return 0
    text = body.output if isinstance(body, ToolResult) else body.text
    return len(text) + sum(len(one.data) for one in body.attachments)
