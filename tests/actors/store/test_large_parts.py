"""What is large is kept beside its entry, once, and comes back to who wants it whole."""

import sqlite3
from pathlib import Path

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import Attachment, Body, Entry, PromptQueued, ToolResult, TurnEnded, UserMessage
from actors.messages.store import Append, ReadSession
from actors.store.blobs import LARGE
from actors.store.schema import FILE
from tests.actors.store.test_store import a_store, open_session

DATA = b"\x89PNG" + bytes(range(256)) * 80
PICTURE = Attachment(name="a.png", media_type="image/png", data=DATA, size=len(DATA))
OUTPUT = "é" * LARGE
BODIES: tuple[Body, ...] = (
    PromptQueued(prompt_id="p2", text="look", attachments=(PICTURE,)),
    UserMessage(text="look", turn_id="t", prompt_id="p2", attachments=(PICTURE, PICTURE)),
    ToolResult(call_id="c1", name="bash", output=OUTPUT, diff="+" * LARGE + "+"),
    ToolResult(call_id="c2", name="bash", output="x" * LARGE, diff="-"),
)


def chain(*bodies: Body, session_id: str = "s1") -> tuple[Entry, ...]:
    ids = ["", *(f"{session_id}-{number}" for number in range(len(bodies)))]
    return tuple(
        Entry(id=own, session_id=session_id, parent=parent, at=1.0, body=body)
        for parent, own, body in zip(ids, ids[1:], bodies, strict=False)
    )


async def read(me: Mailbox, **wanted: int) -> list[Entry]:
    async with me.stream("store", ReadSession(session_id="s1", **wanted)) as stream:
        return [entry async for entry in stream if isinstance(entry, Entry)]


async def test_who_opens_a_session_gets_its_entries_whole(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        await me.ask("store", Append(entries=chain(*BODIES)), Done)

    async with a_store(tmp_path) as (_, me):
        assert (await open_session(me))[0] == list(chain(*BODIES))


async def test_the_same_content_is_there_once_and_small_content_stays_where_it_is(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        for _ in range(2):
            await me.ask("store", Append(entries=chain(*BODIES)), Done)

    with sqlite3.connect(tmp_path / FILE) as database:
        sizes = [size for (size,) in database.execute("SELECT length(data) FROM blobs ORDER BY 1")]
        largest = [size for (size,) in database.execute("SELECT length(body) FROM entries ORDER BY number")]
        bytes_of_session = database.execute("SELECT bytes, entries FROM sessions").fetchone()
    database.close()
    assert sizes == [LARGE + 1, len(PICTURE.data), 2 * LARGE]
    assert max(largest[:3]) < 1000 < LARGE < largest[3]
    assert bytes_of_session == (sum(largest) + 3 * len(PICTURE.data) + 3 * LARGE + 1, 4)


async def test_who_only_shows_a_session_gets_outputs_and_no_pictures_unless_he_wants_them(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        await me.ask("store", Append(entries=chain(*BODIES)), Done)
        light, whole = await read(me), await read(me, attachments=True)

    assert whole == list(chain(*BODIES))
    assert light[2:] == whole[2:]
    shown = light[0].body
    assert isinstance(shown, PromptQueued)
    assert [(one.data, one.size) for one in shown.attachments] == [(b"", len(PICTURE.data))]


async def test_who_shows_the_end_gets_diffs_and_what_failed_and_no_other_output(tmp_path: Path) -> None:
    failed = ToolResult(call_id="c3", name="bash", output=OUTPUT, failed=True)
    bodies = (*BODIES, failed, TurnEnded(turn_id="t", reason="done"))
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        await me.ask("store", Append(entries=chain(*bodies)), Done)
        end = await read(me, last=5)

    assert [entry.id for entry in end] == ["s1-1", "s1-2", "s1-3", "s1-4", "s1-5"]
    shown = [entry.body for entry in end if isinstance(entry.body, ToolResult)]
    assert [(len(one.output), len(one.diff)) for one in shown] == [(0, LARGE + 1), (LARGE, 1), (LARGE, 0)]
