"""A session is a tree: which of its entries are read, what one can go to, what a copy of a path has."""

import sqlite3
from pathlib import Path

import pytest

from actors.common import locks
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.checkpoint import TakenBack
from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    Body,
    CallStarted,
    Compacted,
    Entry,
    Moved,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.store import (
    Append,
    CloneSession,
    Label,
    ListSessions,
    NameSession,
    ReadSession,
    ReadTree,
    Sessions,
    TrashSession,
    TreeNode,
)
from actors.store.schema import FILE
from actors.store.sessions import TRASH_S
from tests.actors.store.test_store import a_store, open_session

PICTURE = Attachment(name="a.png", media_type="image/png", data=b"picture", size=7)


def turn(name: str) -> tuple[Body, Body, Body]:
    return (
        UserMessage(text=name, turn_id=name, prompt_id=name, attachments=(PICTURE,)),
        AssistantMessage(blocks=(Text(text=f"about {name}"),), stop_reason="end_turn", model="p/m"),
        TurnEnded(turn_id=name, reason="done"),
    )


async def add(me: Mailbox, parent: str, *bodies: Body, prefix: str) -> list[str]:
    """Their ids."""
    ids = [f"{prefix}{number}" for number in range(len(bodies))]
    entries = tuple(
        Entry(id=own, session_id="s1", parent=before, at=1.0, body=body)
        for own, before, body in zip(ids, [parent, *ids], bodies, strict=False)
    )
    await me.ask("store", Append(entries=entries), Done)
    return ids


async def a_tree(me: Mailbox) -> None:
    """one, two; back to the end of one, then three."""
    await open_session(me)
    await add(me, "", *turn("one"), *turn("two"), prefix="a")
    await add(me, "a2", Moved(left="a5"), *turn("three"), prefix="b")


async def ids(me: Mailbox, **wanted: object) -> list[str]:
    return [entry.id for entry in (await open_session(me, resume=True, **wanted))[0]]


async def nodes(me: Mailbox, session_id: str = "s1") -> list[TreeNode]:
    async with me.stream("store", ReadTree(session_id=session_id)) as stream:
        return [node async for node in stream if isinstance(node, TreeNode)]


async def test_the_path_that_counts_ends_where_the_last_entry_was_added(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await a_tree(me)

        assert await ids(me) == ["a0", "a1", "a2", "b0", "b1", "b2", "b3"]
        assert await ids(me, at="a4") == ["a0", "a1", "a2", "a3", "a4"]
        assert await ids(me, at="") == []
        with pytest.raises(Failed, match="there is no entry zz"):
            await ids(me, at="zz")


async def test_reading_begins_where_the_latest_compaction_of_the_path_says(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        await add(me, "", *turn("one"), Compacted(why="asked", read_from="a1"), *turn("two"), prefix="a")
        await add(me, "a6", Compacted(why="window", read_from="a4"), *turn("three"), prefix="b")

        assert await ids(me) == ["a4", "a5", "a6", "b0", "b1", "b2", "b3"]
        assert await ids(me, at="a5") == ["a1", "a2", "a3", "a4", "a5"]
        async with me.stream("store", ReadSession(session_id="s1")) as stream:
            assert len([entry async for entry in stream]) == 11


async def test_a_place_is_told_with_the_last_entry_that_belongs_to_it(tmp_path: Path) -> None:
    call = ToolCall(call_id="c", name="bash", arguments="{}")
    calling = AssistantMessage(blocks=(call,), stop_reason="tool_calls", model="p/m")
    result = ToolResult(call_id="c", name="bash", output="done")
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        prompt, answer, end = turn("one")
        await add(me, "", prompt, calling, CallStarted(call_id="c"), result, answer, end, prefix="a")
        await add(me, "a5", Moved(left="a5"), *turn("two"), prefix="b")

        assert [(node.entry_id, node.last) for node in await nodes(me)] == [
            ("a0", "a0"),
            ("a1", "a3"),
            ("a4", "a5"),
            ("b1", "b1"),
            ("b2", "b3"),
        ]


async def test_what_can_be_gone_to_is_told_with_its_label(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await a_tree(me)
        await me.ask("store", Label(session_id="s1", entry_id="a3", text="the other way"), Done)
        tree = await nodes(me)
        with pytest.raises(Failed, match="there is no entry"):
            await me.ask("store", Label(session_id="s1", entry_id="zz", text="x"), Done)

    assert [(node.text, node.before, node.parent, node.active, node.label) for node in tree] == [
        ("one", "", "", True, ""),
        ("about one", "a0", "a0", True, ""),
        ("two", "a2", "a1", False, "the other way"),
        ("about two", "a3", "a3", False, ""),
        ("three", "b0", "a1", True, ""),
        ("about three", "b1", "b1", True, ""),
    ]


async def test_a_copy_of_a_place_has_the_turns_up_to_it_with_their_pictures(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await a_tree(me)
        for copy_id, entry_id in (("c-all", ""), ("c-one", "a1"), ("c-two", "a4")):
            for _ in range(2):  # the second finds it done
                await me.ask("store", CloneSession(session_id="s1", copy_id=copy_id, entry_id=entry_id), Done)
        copies = {
            name: (await open_session(me, session_id=name, resume=True))[0] for name in ("c-all", "c-one", "c-two")
        }

    assert [entry.body for entry in copies["c-all"]] == [*turn("one"), *turn("three")]
    assert [entry.body for entry in copies["c-one"]] == [*turn("one")]
    assert [entry.body for entry in copies["c-two"]] == [*turn("one"), *turn("two")]


async def test_a_compaction_in_a_copy_names_entries_of_the_copy(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        await add(me, "", *turn("one"), Compacted(why="asked", read_from="a1", kept_from="a1"), prefix="a")
        await me.ask("store", CloneSession(session_id="s1", copy_id="c"), Done)
        entries, _ = await open_session(me, session_id="c", resume=True)

    assert [type(entry.body).__name__ for entry in entries] == ["AssistantMessage", "TurnEnded", "Compacted"]
    compacted = entries[-1].body
    assert isinstance(compacted, Compacted)
    assert compacted.read_from == compacted.kept_from == entries[0].id


async def listed(me: Mailbox) -> list[str]:
    return [one.session_id for one in (await me.ask("store", ListSessions(), Sessions)).sessions]


async def test_what_is_thrown_away_is_not_listed_and_can_be_had_back_for_a_month(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await a_tree(me)
        await me.ask("store", CloneSession(session_id="s1", copy_id="c"), Done)
        await me.ask("store", NameSession(session_id="s1", name="the fix"), Done)
        await me.ask("store", TrashSession(session_id="s1"), Done)
        assert await listed(me) == ["c"]
        await me.ask("store", TrashSession(session_id="s1", restore=True), Done)
        assert sorted(await listed(me)) == ["c", "s1"]
        await me.ask("store", TrashSession(session_id="c"), Done)
        await me.ask("store", TrashSession(session_id="s1"), Done)

    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE sessions SET trashed_at = trashed_at - ? WHERE id = 's1'", (TRASH_S + 60,))
    database.close()
    async with a_store(tmp_path) as (_, me):
        with pytest.raises(Failed, match="there is no session"):
            await me.ask("store", TrashSession(session_id="s1", restore=True), Done)
        await me.ask("store", TrashSession(session_id="c", restore=True), Done)
        entries, _ = await open_session(me, session_id="c", resume=True)
    assert [entry.body for entry in entries] == [*turn("one"), *turn("three")]

    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE sessions SET trashed_at = 1.0")
    database.close()
    async with a_store(tmp_path) as (_, me):
        assert await listed(me) == []
    with sqlite3.connect(tmp_path / FILE) as database:
        left = database.execute("SELECT (SELECT count(*) FROM entries), (SELECT count(*) FROM blobs)").fetchone()
    database.close()
    assert left == (0, 0)


async def test_a_session_that_is_open_elsewhere_is_not_thrown_away(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await a_tree(me)
    lock = locks.take(tmp_path / "run" / "s1.lock")
    async with a_store(tmp_path) as (_, me):
        with pytest.raises(Failed) as failure:
            await me.ask("store", TrashSession(session_id="s1"), Done)
        assert await listed(me) == ["s1"]
    locks.release(tmp_path / "run" / "s1.lock", lock)

    assert failure.value.problem.code == "session_in_use"


async def test_a_copy_has_no_rewind_that_would_lead_out_of_it(tmp_path: Path) -> None:
    """What it left is in the session that was copied."""
    async with a_store(tmp_path) as (_, me):
        await a_tree(me)
        await add(me, "b3", TakenBack(rewind_id="r", left="a5"), *turn("four"), prefix="c")
        await me.ask("store", CloneSession(session_id="s1", copy_id="s2"), Done)
        async with me.stream("store", ReadSession(session_id="s2")) as stream:
            bodies = [entry.body async for entry in stream if isinstance(entry, Entry)]

    assert [type(body) for body in bodies] == [UserMessage, AssistantMessage, TurnEnded] * 3
