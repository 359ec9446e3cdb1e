"""What a session was about, for a model that works in another one."""

from pathlib import Path

import pytest

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Carried,
    Compacted,
    Entry,
    Quoted,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.store import Append, NameSession, Recap, RecapSession, TrashSession
from actors.store import recap
from tests.actors.store.test_store import a_store, open_session

FIRST, SECOND, OTHER = "3fa9c1d2aa", "3fa9c1d2bb", "77777777cc"


def said(text: str, *calls: ToolCall) -> AssistantMessage:
    return AssistantMessage(blocks=(Text(text=text), *calls), stop_reason="end_turn", model="p/m")


def prompt(text: str, prompt_id: str = "p") -> UserMessage:
    return UserMessage(text=text, turn_id="t", prompt_id=prompt_id)


async def store(me: Mailbox, session_id: str, *bodies: Body, name: str = "") -> None:
    await open_session(me, session_id=session_id, cwd="/w")
    entries = [
        Entry(
            id=f"{session_id}{at}",
            session_id=session_id,
            parent=f"{session_id}{at - 1}" if at else "",
            at=at,
            body=body,
        )
        for at, body in enumerate(bodies)
    ]
    await me.ask("store", Append(entries=tuple(entries)), Done)
    if name:
        await me.ask("store", NameSession(session_id=session_id, name=name), Done)


async def told(me: Mailbox, of: str) -> Recap:
    return await me.ask("store", RecapSession(said=of), Recap)


def places(text: str, *parts: str) -> list[int]:
    """Where each stands; -1: nowhere."""
    return [text.find(part) for part in parts]


async def test_it_has_the_last_prompts_and_answers_in_their_order_and_nothing_of_calls(tmp_path: Path) -> None:
    call = ToolCall(call_id="c", name="bash", arguments='{"command": "cat huge"}')
    async with a_store(tmp_path) as (_, me):
        await store(
            me,
            FIRST,
            prompt("fix the rounding"),
            said("I look at it.", call),
            ToolResult(call_id="c", name="bash", output="what was printed"),
            said("It rounds once now."),
            UserMessage(text="a note of the program", turn_id="t"),
            UserMessage(
                text="and a test", turn_id="t", prompt_id="q", quoted=(Quoted(of="@a", head="h", text="of a file"),)
            ),
            said("There is one."),
            name="Rounding",
        )

        recap = await told(me, FIRST[:8])

    found = places(
        recap.text, FIRST, "Rounding", "/w", "fix the rounding", "It rounds once", "and a test", "There is one."
    )
    assert (recap.session_id, recap.called) == (FIRST, "Rounding")
    assert -1 not in found
    assert found == sorted(found)
    assert places(recap.text, "printed", "I look", "note of the program", "of a file", recap.text + "x") == [-1] * 5


async def test_however_long_a_session_is_it_stays_short_and_keeps_what_came_last(tmp_path: Path) -> None:
    turns = [body for at in range(40) for body in (prompt(f"prompt {at} " + "世" * 5000), said("y" * 5000))]
    summed_up = Compacted(why="asked", carried=Carried(summary="they fixed the cart " + "z" * 9000))
    async with a_store(tmp_path) as (_, me):
        await store(me, FIRST, *turns[:40], summed_up, *turns[40:])

        text = (await told(me, FIRST)).text

    assert recap.MOST * 0.6 < len(text) <= recap.MOST
    found = places(
        text, "Summed up by its own model:", "they fixed the cart", recap.LEFT_OUT, "prompt 38 ", "prompt 39 "
    )
    assert -1 not in found
    assert found == sorted(found)
    assert "prompt 1 " not in text


async def test_a_session_in_which_nothing_was_said_has_its_facts(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await store(me, FIRST)

        assert "in the folder /w" in (await told(me, FIRST)).text


async def test_only_an_id_is_looked_for(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await store(me, FIRST, prompt("refactoring"), name="deadbeef")

        assert [await told(me, of) for of in ("refactoring", "deadbeef", "1", "fa9c1d2a")] == [Recap()] * 4


async def test_one_that_was_thrown_away_and_one_of_several_are_said(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        for session_id in (FIRST, SECOND, OTHER):
            await store(me, session_id, prompt(f"work of {session_id}"))
        await me.ask("store", TrashSession(session_id=OTHER), Done)

        with pytest.raises(Failed, match=r"was deleted on .*trouper sessions restore 77777777"):
            await told(me, OTHER[:8])
        with pytest.raises(Failed, match="may be any of 2 sessions") as ambiguous:
            await told(me, "3fa9c1d2")
        await me.ask("store", TrashSession(session_id=SECOND), Done)
        left = (await told(me, "3fa9c1d2")).session_id

    assert (ambiguous.value.problem.code, left) == ("ambiguous_session", FIRST)
