"""A database of each older version is brought forward, and what was in it is read as before."""

import sqlite3
from pathlib import Path

import msgspec
import pytest

from actors.messages.base import Done
from actors.messages.conversation import Attachment, Body, Entry, ToolResult, TurnEnded, UserMessage
from actors.messages.store import Append, ReadTree, TreeNode
from actors.store.schema import FILE, MIGRATIONS
from tests.actors.store.test_large_parts import chain
from tests.actors.store.test_store import a_store, open_session

OLD: tuple[Body, ...] = (
    UserMessage(
        text="look", turn_id="t", prompt_id="t", attachments=(Attachment(name="a", media_type="image/png", data=b"x"),)
    ),
    ToolResult(call_id="c", name="bash", output="y" * 100_000),
    TurnEnded(turn_id="t", reason="done"),
)
NEW = Entry(id="new", session_id="s1", parent="s1-2", at=2.0, body=UserMessage(text="on", turn_id="u", prompt_id="u"))


def made_by(home: Path, version: int) -> None:
    """As that version left it: the columns that it had."""
    database = sqlite3.connect(home / FILE, isolation_level=None)
    for number in range(version):
        database.executescript(f"{MIGRATIONS[number]} PRAGMA user_version={number + 1};")
    database.execute(
        "INSERT INTO sessions(id, cwd, model, title, created_at, updated_at) VALUES ('s1', '/w', 'p/m', 'look', 1, 1)"
    )
    for entry in chain(*OLD):
        row = (entry.id, entry.session_id, entry.parent, entry.at, msgspec.json.encode(entry.body))
        database.execute("INSERT INTO entries(id, session_id, parent, at, body) VALUES (?, ?, ?, ?, ?)", row)
        if version > 1:
            kind = type(entry.body).__name__
            database.execute("UPDATE entries SET kind = ? WHERE id = ?", (kind, entry.id))
    database.close()


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS) + 1))
async def test_an_older_database_goes_on(tmp_path: Path, version: int) -> None:
    made_by(tmp_path, version)

    async with a_store(tmp_path) as (_, me):
        before, _ = await open_session(me, resume=True)
        await me.ask("store", Append(entries=(NEW,)), Done)
        after, _ = await open_session(me, resume=True)
        async with me.stream("store", ReadTree(session_id="s1")) as stream:
            tree = [node.text async for node in stream if isinstance(node, TreeNode)]

    assert before == list(chain(*OLD))
    assert after == [*before, NEW]
    assert tree == ["look", "on"]
    with sqlite3.connect(tmp_path / FILE) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        kinds = [kind for (kind,) in database.execute("SELECT kind FROM entries ORDER BY number")]
    database.close()
    assert kinds == ["UserMessage", "ToolResult", "TurnEnded", "UserMessage"]


def test_a_migration_that_is_interrupted_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    made_by(tmp_path, 1)
    database = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    before = list(database.iterdump())

    with pytest.raises(sqlite3.OperationalError):
        database.executescript(f"BEGIN IMMEDIATE; {MIGRATIONS[1]} SELECT no_such_thing; COMMIT;")
    database.close()
    database = sqlite3.connect(tmp_path / FILE)

    assert list(database.iterdump()) == before
    assert database.execute("PRAGMA user_version").fetchone() == (1,)
    database.close()
