"""A subagent of another program, looked at from here: what is sent goes to its parent, all else is refused."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
import trio

from actors.agent.session.steered import MOST_SHUT, Steered
from actors.common.doors.visitor import Program
from actors.common.doors.words import Told, path_of
from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.conversation import Attachment
from actors.messages.turn import Accepted, CancelTurn, Compact, Event, Notice, Prompt, SessionInfo, Subscribe
from tests.actors.agent.test_agent import PROMPT, Scene, a_scene
from tests.fakes.door import SCOUT, Room, open_door
from tests.fakes.model import say
from tests.system.harness import BOUND_S

STEER = Prompt(prompt_id="p2", text="only in src")


@asynccontextmanager
async def looking_on(folder: Path, room: Room) -> AsyncIterator[Scene]:
    """The program of the parent has its door and its subagent's session; another one was started with that session."""
    async with a_scene(folder, say("I look."), session_id=SCOUT.session_id, interactive=True) as scout:
        await scout.send()
        await scout.until_end()
        async with open_door(path_of(str(folder), "r0"), room), onlooker(folder) as scene:
            yield scene


@asynccontextmanager
async def onlooker(folder: Path) -> AsyncIterator[Scene]:
    async with a_scene(folder, session_id=SCOUT.session_id, interactive=True, resume=True, run_id="r2") as scene:
        yield scene


async def told(scene: Scene) -> list[Event]:
    """Until what can be done is told."""
    events: list[Event] = []
    with trio.fail_after(BOUND_S):
        async with scene.ui.stream("agent:main", Subscribe(only_end=True)) as stream:
            async for event in stream:
                events.append(event)  # type: ignore[arg-type]  # the mailbox knows only that it is a message
                if isinstance(event, Notice):
                    break
    return events


def info(events: list[Event]) -> SessionInfo:
    first = events[0]
    assert isinstance(first, SessionInfo)
    return first


def notice(events: list[Event]) -> str:
    last = events[-1]
    assert isinstance(last, Notice)
    return last.text


async def test_it_is_looked_at_unasked_and_what_is_sent_goes_to_its_parent(tmp_path: Path) -> None:
    room = Room()
    async with looking_on(tmp_path, room) as scene:
        events = await told(scene)
        await scene.ui.ask("agent:main", STEER, Accepted)
        await scene.ui.ask("agent:main", CancelTurn(), Done)

    assert (info(events).steered, "read-only" in info(events).read_only) == ("scout", True)
    assert notice(events).startswith("the agent scout (explore) of process ")
    assert room.done == ["only in src", "cancel"]


async def test_when_it_has_ended_it_is_a_view_that_says_how_to_go_on(tmp_path: Path) -> None:
    room = Room()
    async with looking_on(tmp_path, room) as scene:
        with trio.fail_after(BOUND_S):
            async with scene.ui.stream("agent:main", Subscribe(only_end=True)) as stream:
                async for event in stream:
                    if isinstance(event, Notice):
                        await scene.ui.ask("agent:main", CancelTurn(), Done)
        events = await told(scene)
        for request in (STEER, CancelTurn()):
            with pytest.raises(
                Failed, match=r"has ended \(cancelled\)\. To go on with it: trouper agents resume s1\.1"
            ):
                await scene.ui.ask("agent:main", request, Done)

    assert info(events).steered == ""
    assert "has ended (cancelled). To go on with it: trouper agents resume s1.1" in notice(events)
    assert room.done == ["cancel"]


async def test_one_that_goes_on_again_is_told_things_again(tmp_path: Path) -> None:
    room = Room()
    room.scout = msgspec.structs.replace(SCOUT, state="completed")
    async with looking_on(tmp_path, room) as scene:
        before = await told(scene)
        with trio.fail_after(BOUND_S):
            async with scene.ui.stream("agent:main", Subscribe(only_end=True)) as stream:
                async for event in stream:
                    if isinstance(event, Notice):
                        room.scout = SCOUT
        after = await told(scene)

    assert (info(before).steered, info(after).steered) == ("", "scout")


async def test_nothing_else_can_be_asked_of_it(tmp_path: Path) -> None:
    room = Room()
    picture = Attachment(name="a.png", media_type="image/png", data=b"")
    async with looking_on(tmp_path, room) as scene:
        await told(scene)
        with pytest.raises(Failed, match="here it can be told something and cancelled, nothing else"):
            await scene.ui.ask("agent:main", Compact(), Done)
        with pytest.raises(Failed, match="images and files can only go to the main agent"):
            await scene.ui.ask("agent:main", msgspec.structs.replace(STEER, attachments=(picture,)), Accepted)

    assert room.done == []


async def test_while_nobody_answers_for_it_the_user_says_what_to_do(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("I look."), session_id=SCOUT.session_id, interactive=True) as scout:
        await scout.send()
        await scout.until_end()
        async with onlooker(tmp_path) as scene:
            with pytest.raises(Failed) as refused:
                await told(scene)

    assert refused.value.problem.code == "session_in_use"


async def test_a_session_that_is_nobodys_subagent_stays_as_it_is(tmp_path: Path) -> None:
    room = Room()
    async with (
        a_scene(tmp_path, say("hello"), interactive=True) as one,
        open_door(path_of(str(tmp_path), "r0"), room),
    ):
        await one.send()
        await one.until_end()
        async with a_scene(tmp_path, interactive=True, resume=True, run_id="r2") as scene:
            with pytest.raises(Failed, match="is open in another terminal"):
                await scene.ui.ask("agent:main", PROMPT, Accepted)

    assert room.done == []


async def test_a_parent_that_stays_away_is_gone_although_its_program_lives(tmp_path: Path) -> None:
    """Such as the task of a batch; one that was killed is back before that."""
    away = Program(path_of(str(tmp_path), "r0"), Told(session_id="s1", pid=os.getpid()), (SCOUT,))
    agent = Steered(away, SCOUT)

    assert [await agent.look() for _ in range(MOST_SHUT)] == [True] * (MOST_SHUT - 1) + [False]
