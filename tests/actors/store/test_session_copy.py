"""A copy of a session: what has come to its end, under another id, whoever holds the session itself."""

from pathlib import Path

import pytest

from actors.common import locks
from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Entry,
    ModelChosen,
    Named,
    PromptQueued,
    TurnEnded,
    UserMessage,
)
from actors.messages.store import Append, CloneSession
from actors.messages.usage import Usage
from tests.actors.store.test_store import a_store, open_session

FIRST = (UserMessage(text="fix it", turn_id="t1", prompt_id="t1"), TurnEnded(turn_id="t1", reason="done"))
CHOSEN = ModelChosen(model="p/m", run_id="r")
OPEN = (
    UserMessage(text="and that", turn_id="t2", prompt_id="t2"),
    PromptQueued(prompt_id="t3", text="and this"),
    CHOSEN,
)


async def stored(folder: Path, *bodies: Body) -> None:
    """Session s1, left by who wrote it."""
    async with a_store(folder) as (_, me):
        await open_session(me)
        ids = ["", *(f"e{number}" for number in range(len(bodies)))]
        entries = [
            Entry(id=own, session_id="s1", parent=parent, at=1.0, body=body)
            for parent, own, body in zip(ids, ids[1:], bodies, strict=False)
        ]
        await me.ask("store", Append(entries=tuple(entries)), Done)


@pytest.mark.parametrize(
    ("bodies", "copied"),
    [(FIRST, FIRST), ((*FIRST, CHOSEN), (*FIRST, CHOSEN)), ((*FIRST, CHOSEN, *OPEN), (*FIRST, CHOSEN))],
)
async def test_a_copy_has_the_turns_that_have_ended_although_the_session_is_held(
    tmp_path: Path, bodies: tuple[Body, ...], copied: tuple[Body, ...]
) -> None:
    await stored(tmp_path, *bodies)
    lock = locks.take(tmp_path / "run" / "s1.lock")

    async with a_store(tmp_path) as (_, me):
        entries, session_id = await open_session(me, session_id="s1", resume=True, copy_id="s2")
        again, _ = await open_session(me, session_id="", resume=True, copy_id="s2")

        with pytest.raises(Failed, match=r"is open in another terminal.*trouper -r s1 --copy, or start a new session"):
            await open_session(me, session_id="s1", resume=True)
    locks.release(tmp_path / "run" / "s1.lock", lock)

    assert session_id == "s2"
    assert tuple(entry.body for entry in entries) == copied
    assert [entry.parent for entry in entries] == ["", *(entry.id for entry in entries)][:-1]
    assert {entry.session_id for entry in entries} == {"s2"}
    assert not {entry.id for entry in entries} & {f"e{number}" for number in range(len(bodies))}
    assert again == entries


async def test_a_session_in_the_middle_of_its_first_turn_has_nothing_to_copy(tmp_path: Path) -> None:
    await stored(tmp_path, *OPEN)

    async with a_store(tmp_path) as (_, me):
        with pytest.raises(Failed, match="there is nothing to copy"):
            await open_session(me, session_id="s1", resume=True, copy_id="s2")


async def test_a_name_that_came_before_the_end_of_a_turn_does_not_take_it_from_the_copy(tmp_path: Path) -> None:
    said, ended = FIRST
    last = AssistantMessage(blocks=(), stop_reason="end_turn", model="p/m")
    await stored(tmp_path, said, last, Named(name="it", usage=Usage()), ended, *OPEN)

    async with a_store(tmp_path) as (_, me):
        await me.ask("store", CloneSession(session_id="s1", copy_id="s2", entry_id="e1"), Done)
        entries, _ = await open_session(me, session_id="s2", resume=True)

    assert tuple(entry.body for entry in entries) == (said, last, Named(name="it", usage=Usage()), ended)
