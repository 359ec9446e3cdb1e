"""Search over all sessions: what is found, in what order, and what leaves the index again."""

import sqlite3
import time
from pathlib import Path

import pytest

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import AssistantMessage, Body, Entry, Text, ToolCall, ToolResult, UserMessage
from actors.messages.store import Append, Indexing, NameSession, SearchHit, SearchSessions, TrashSession
from actors.store import search_index
from actors.store.schema import FILE
from actors.store.sessions import TRASH_S
from tests.actors.store.test_store import a_store, open_session

LONG = "needle " + "x " * 9000 + "haystack"
SAID: tuple[Body, ...] = (
    UserMessage(text="Où est le café?", turn_id="t", prompt_id="t"),
    AssistantMessage(
        blocks=(
            Text(text="I look at foo-bar_baz.py AND more."),
            ToolCall(call_id="c", name="bash", arguments='{"command": "grep \\nquux src", "deep": [{"why": "cause"}]}'),
        ),
        stop_reason="tool_calls",
        model="p/m",
    ),
    ToolResult(call_id="c", name="bash", output=LONG),
    ToolResult(call_id="d", name="bash", output='it says "quoted"* words'),
)


async def said(me: Mailbox, session_id: str, *bodies: Body, cwd: str = "/w") -> None:
    await open_session(me, session_id=session_id, cwd=cwd)
    entries = [
        Entry(id=f"{session_id}-{at}", session_id=session_id, parent="", at=float(at), body=body)
        for at, body in enumerate(bodies)
    ]
    await me.ask("store", Append(entries=tuple(entries)), Done)


def user(text: str) -> UserMessage:
    return UserMessage(text=text, turn_id="t", prompt_id="t")


async def found(me: Mailbox, words: str, cwd: str = "", limit: int = 20) -> list[str]:
    async with me.stream("store", SearchSessions(words=words, cwd=cwd, limit=limit)) as stream:
        hits = [hit.entry_id async for hit in stream if isinstance(hit, SearchHit)]
        await stream.result(Done)
    return hits


@pytest.mark.parametrize(
    ("words", "hits"),
    [
        ("cafe", ["s1-0"]),
        ("CAFÉ est", ["s1-0"]),
        ("caf", ["s1-0"]),
        ("caf est", []),  # only the last word may go on
        ("foo-bar", ["s1-1"]),
        ("bar-foo", []),
        ("look AND more", ["s1-1"]),
        ("quux", ["s1-1"]),  # not n, which JSON writes before it
        ("cause", ["s1-1"]),
        ("command", []),
        ("needle", ["s1-2"]),
        ("haystack", []),  # after the first 16 KB
        ('"quoted"*', ["s1-3"]),
        ('"', []),
        ("- * cafe", ["s1-0"]),
        ("NEAR(cafe est)", []),
        ("text:cafe", []),
        ("", []),
    ],
)
async def test_words_are_found_as_they_are_written(tmp_path: Path, words: str, hits: list[str]) -> None:
    async with a_store(tmp_path) as (_, me):
        await said(me, "s1", *SAID)

        assert await found(me, words) == hits


async def test_a_hit_says_where_it_is(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await said(me, "s1", user("first\nprompt"), user("the  needle"))
        await me.ask("store", NameSession(session_id="s1", name="Named"), Done)
        async with me.stream("store", SearchSessions(words="needle")) as stream:
            hits = [hit async for hit in stream if isinstance(hit, SearchHit)]

    assert hits == [
        SearchHit(
            session_id="s1", entry_id="s1-1", at=1.0, kind="UserMessage", text="the  needle", called="Named", cwd="/w"
        )
    ]


async def test_the_newest_come_first_and_what_came_since_is_found(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await said(me, "s1", user("needle"))
        before = await found(me, "needle")
        await said(me, "s2", user("needle"), user("other"), user("needle"), cwd="/elsewhere")

        assert before == ["s1-0"]
        assert await found(me, "needle") == ["s2-2", "s2-0", "s1-0"]
        assert await found(me, "needle", limit=2) == ["s2-2", "s2-0"]
        assert await found(me, "needle", cwd="/w") == ["s1-0"]


async def test_what_was_deleted_is_not_found_until_it_is_restored(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await said(me, "s1", user("needle"))
    async with a_store(tmp_path) as (_, me):
        await me.ask("store", TrashSession(session_id="s1"), Done)
        deleted = await found(me, "needle")
        await me.ask("store", TrashSession(session_id="s1", restore=True), Done)

        assert (deleted, await found(me, "needle")) == ([], ["s1-0"])


async def test_what_is_gone_for_good_leaves_the_index_although_its_numbers_are_given_again(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await said(me, "s1", user("kept"))
        await said(me, "s2", *[user(f"needle {number}") for number in range(700)])
        assert len(await found(me, "needle", limit=1000)) == 700
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE sessions SET trashed_at = ? WHERE id = 's2'", (time.time() - TRASH_S - 1,))
    database.close()

    async with a_store(tmp_path) as (_, me):
        await said(me, "s3", user("new words"), user("other needle"))
        with sqlite3.connect(tmp_path / search_index.FILE) as index:
            left = index.execute("SELECT count(*) FROM words WHERE words MATCH 'needle'").fetchone()
        index.close()

        assert left == (0,)
        assert await found(me, "needle") == ["s3-1"]
        assert await found(me, "new") == ["s3-0"]
        assert await found(me, "kept") == ["s1-0"]


@pytest.mark.parametrize("damage", [b"no database" * 1000, None])
async def test_an_index_that_is_damaged_or_of_another_version_is_made_anew(
    tmp_path: Path, damage: bytes | None
) -> None:
    async with a_store(tmp_path) as (_, me):
        await said(me, "s1", user("needle"))
        await found(me, "needle")
    if damage:
        search_index.remove(tmp_path)
        (tmp_path / search_index.FILE).write_bytes(damage)
    else:
        with sqlite3.connect(tmp_path / search_index.FILE) as index:
            index.execute("PRAGMA user_version = 99")
            index.execute("DELETE FROM words")
        index.close()

    async with a_store(tmp_path) as (_, me):
        assert await found(me, "needle") == ["s1-0"]
        assert (tmp_path / search_index.FILE).stat().st_mode & 0o777 == 0o600


async def test_while_it_is_made_ready_others_are_served(tmp_path: Path) -> None:
    """Each chunk is told, and an append that comes meanwhile is answered before the search is."""
    order: list[str] = []
    async with a_store(tmp_path) as (_, me):
        await said(me, "s1", *[user(f"needle {at}") for at in range(2 * search_index.ADDED_AT_ONCE)])
        async with me.stream("store", SearchSessions(words="needle", limit=1)) as stream:
            async for item in stream:
                if isinstance(item, Indexing) and "append" not in order:
                    await said(me, "t", user("needle in between"))
                    order.append("append")
                order.append(type(item).__name__)
            await stream.result(Done)

        assert order[0] == "append"
        assert order[-1] == "SearchHit"
        assert await found(me, "between") == ["t-0"]
