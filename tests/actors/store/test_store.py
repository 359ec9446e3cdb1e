"""The store over the real mailbox, on real files."""

import contextlib
import sqlite3
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from actors.common import locks
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import Entry, TurnEnded, UserMessage
from actors.messages.store import (
    Append,
    CloseSession,
    Holder,
    ListSessions,
    OpenSession,
    ReadSession,
    Recall,
    Recalled,
    Remember,
    SessionOpened,
    Sessions,
)
from actors.messages.turn import Notice
from actors.settings.config import Settings
from actors.store import actor
from actors.store.schema import FILE, MIGRATIONS, OPENED_AT_ONCE, open_database
from tests import ROOT
from tests.fakes.network import Network, open_network

FIRST = Entry(
    id="e1", session_id="s1", parent="", at=1.0, body=UserMessage(text="fix  the\nbug", turn_id="t1", prompt_id="t1")
)
SECOND = Entry(id="e2", session_id="s1", parent="e1", at=2.0, body=TurnEnded(turn_id="t1", reason="done"))


@asynccontextmanager
async def a_store(home: Path) -> AsyncIterator[tuple[Network, Mailbox]]:
    (home / "run").mkdir(exist_ok=True)
    settings = Settings(home=str(home), cwd=str(home), session_id="s1", run_id="r1")
    async with open_network() as network:
        network.start("store", partial(actor.run, settings=settings))
        yield network, network.mailbox("ui")


async def open_session(me: Mailbox, **wanted: object) -> tuple[list[Entry], str]:
    request = OpenSession(**{"session_id": "s1", "cwd": "/w", **wanted})  # type: ignore[arg-type]
    async with me.stream("store", request) as stream:
        entries = [entry async for entry in stream if isinstance(entry, Entry)]
        return entries, (await stream.result(SessionOpened)).session_id


async def test_what_was_appended_is_there_for_the_next_process(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        await me.ask("store", Append(entries=(FIRST, SECOND)), Done)

    async with a_store(tmp_path) as (_, me):
        assert await open_session(me) == ([FIRST, SECOND], "s1")


async def test_appending_the_same_id_again_changes_nothing(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        for _ in range(2):
            await me.ask("store", Append(entries=(FIRST,)), Done)

        assert (await open_session(me))[0] == [FIRST]


async def test_a_session_is_resumed_by_the_beginning_of_its_id_or_as_the_latest(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me, session_id="abc1")
        entry = Entry(id="x", session_id="abc1", parent="", at=1.0, body=FIRST.body)
        await me.ask("store", Append(entries=(entry,)), Done)

        assert await open_session(me, session_id="ab", resume=True) == ([entry], "abc1")
        assert await open_session(me, session_id="", resume=True) == ([entry], "abc1")
        for wanted in ("zz", ""):
            with pytest.raises(Failed) as failure:
                await open_session(me, session_id=wanted, cwd="/elsewhere", resume=True)
            assert failure.value.problem.code == "unknown_session"


async def test_a_whole_id_is_meant_even_when_another_begins_with_it(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        for session_id in ("run-61", "run-6162"):
            await open_session(me, session_id=session_id)

        assert (await open_session(me, session_id="run-61", resume=True))[1] == "run-61"


async def test_a_session_of_another_folder_is_not_resumed_here(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)

        with pytest.raises(Failed, match="belongs to the folder /w"):
            await open_session(me, resume=True, cwd="/elsewhere")


async def test_with_a_session_that_is_closed_those_of_its_subagents_are_free(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me), a_store(tmp_path) as (_, other):
        for session_id in ("s1", "s1.1", "s10"):
            await open_session(me, session_id=session_id)
        await me.ask("store", CloseSession(session_id="s1"), Done)

        assert (await open_session(other, session_id="s1.1", resume=True))[1] == "s1.1"
        with pytest.raises(Failed, match="open in another terminal"):
            await open_session(other, session_id="s10", resume=True)


async def test_two_stores_cannot_hold_one_session(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me), a_store(tmp_path) as (_, other):
        await open_session(me)

        with pytest.raises(Failed) as failure:
            await open_session(other)

        assert failure.value.problem.code == "session_in_use"


async def test_sessions_are_listed_by_folder_with_their_first_prompt(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        await me.ask("store", Append(entries=(FIRST, SECOND)), Done)
        here = await me.ask("store", ListSessions(cwd="/w"), Sessions)
        elsewhere = await me.ask("store", ListSessions(cwd="/elsewhere"), Sessions)

    assert [(s.session_id, s.title, s.entries) for s in here.sessions] == [("s1", "fix the bug", 2)]
    assert elsewhere.sessions == ()


async def test_a_value_is_remembered(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        assert await me.ask("store", Recall(key="mode"), Recalled) == Recalled(value=None)
        await me.ask("store", Remember(key="mode", value="plan"), Done)
        assert await me.ask("store", Recall(key="mode"), Recalled) == Recalled(value="plan")


async def test_the_file_is_for_the_user_alone(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await me.ask("store", ListSessions(), Sessions)

    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


async def test_a_damaged_database_is_set_aside_unchanged_and_said_so(tmp_path: Path) -> None:
    damaged = b"this is not a database" * 500
    (tmp_path / FILE).write_bytes(damaged)

    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        notice = (await anext(me)).message

    assert isinstance(notice, Notice)
    assert "set aside" in notice.text
    (aside,) = tmp_path.glob(f"{FILE}.damaged-*")
    assert aside.read_bytes() == damaged


@pytest.mark.slow  # it waits as long as a user would
async def test_who_waits_for_a_large_database_is_told_and_then_answered(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    open_database(tmp_path)[0].close()
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("INSERT INTO blobs(hash, data) VALUES ('x', zeroblob(?))", (OPENED_AT_ONCE,))
    database.close()
    stack = contextlib.ExitStack()
    stack.enter_context(locks.held(tmp_path / "run" / "open.lock"))  # as another start that brings it forward
    async with a_store(tmp_path) as (_, me), trio.open_nursery() as nursery:
        answers: list[Recalled] = []

        async def ask() -> None:
            answers.append(await me.ask("store", Recall(key="k"), Recalled))

        nursery.start_soon(ask)
        told = (await anext(me)).message
        nursery.start_soon(ask)  # the store listens meanwhile
        waited = list(answers)
        stack.close()

    assert isinstance(told, Notice)
    assert "one moment" in told.text
    assert (waited, answers) == ([], [Recalled(value=None)] * 2)


async def test_a_locked_database_is_a_problem_with_a_next_step(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await me.ask("store", ListSessions(), Sessions)
    holder = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    holder.execute("PRAGMA locking_mode=EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    try:
        async with a_store(tmp_path) as (_, me):
            with pytest.raises(Failed) as failure:
                await open_session(me)
    finally:
        holder.close()

    assert failure.value.problem.code == "store_locked"


async def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute(f"PRAGMA user_version={len(MIGRATIONS) + 1}")
    database.close()

    async with a_store(tmp_path) as (_, me):
        with pytest.raises(Failed, match="Update Trouper"):
            await open_session(me)


async def test_reading_a_session_does_not_hold_it(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        await me.ask("store", Append(entries=(FIRST,)), Done)
        async with a_store(tmp_path) as (_, other), other.stream("store", ReadSession(session_id="s")) as stream:
            entries = [entry async for entry in stream]

    assert entries == [FIRST]


@pytest.mark.slow
def test_first_starts_side_by_side_make_one_database(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    script = (
        "import sys; from pathlib import Path; from actors.store.schema import open_database;"
        "print(open_database(Path(sys.argv[1]))[1])"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]

    starts = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    said = [start.communicate(timeout=60) for start in starts]

    assert said == [(b"\n", b"")] * 4


async def test_a_lock_is_gone_with_its_holder(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        assert (tmp_path / "run" / "s1.lock").exists()

    assert not (tmp_path / "run" / "s1.lock").exists()


@pytest.mark.parametrize(("run_id", "had"), [("r1", True), ("r2", False)])
async def test_a_store_that_was_killed_has_its_sessions_again_before_anybody_asks(
    tmp_path: Path, run_id: str, had: bool
) -> None:
    path = tmp_path / "run" / "s1.lock"
    path.parent.mkdir()
    path.write_bytes(msgspec.json.encode(Holder(session_id="s1", run_id=run_id, pid=1)))

    async with a_store(tmp_path):
        await wait_all_tasks_blocked()
        try:
            locks.release(path, locks.take(path))
            held = False
        except BlockingIOError:
            held = True

    assert held == had


async def test_an_entry_nobody_can_read_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        await me.ask("store", Append(entries=(FIRST,)), Done)
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE entries SET body = x'7b7d'")
    database.close()

    async with a_store(tmp_path) as (_, me):
        with pytest.raises(Failed) as failure:
            await open_session(me)

    assert failure.value.problem.code == "store_damaged"
