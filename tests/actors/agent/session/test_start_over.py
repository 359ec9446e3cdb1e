"""A new start: the old session is left in order, the new one knows its prompt alone, and no death undoes it."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
import trio

from actors.messages.base import Done, Envelope
from actors.messages.conversation import Body, Entry, ModelChosen, TurnEnded, UserMessage
from actors.messages.store import ReadSession, SessionOpened
from actors.messages.turn import (
    Accepted,
    CancelTurn,
    CaughtUp,
    EntryAdded,
    Event,
    ModelIs,
    SessionInfo,
    SetModel,
    StartOver,
    Subscribe,
    TurnStopped,
)
from actors.store.schema import FILE
from tests.actors.agent.test_agent import CHANGE, Scene, a_scene
from tests.fakes.model import say

ELSEWHERE = TurnEnded(turn_id="p1", reason="done", text="The plan is carried out in a new session.")
FULL = """
CREATE TRIGGER full BEFORE INSERT ON entries WHEN instr(NEW.body, 'TurnEnded')
BEGIN SELECT RAISE(FAIL, 'the disk is full'); END
"""
AGAIN = StartOver(prompt_id="p9", text="carry out the plan")


async def session(scene: Scene) -> tuple[str, list[Body]]:
    """The one the agent has now."""
    bodies: list[Body] = []
    session_id = ""
    async with scene.ui.stream("agent:main", Subscribe()) as events:
        async for event in events:
            match event:
                case SessionInfo():
                    session_id = event.session_id
                case EntryAdded():
                    bodies.append(event.entry.body)
                case CaughtUp():
                    break
    return session_id, bodies


@asynccontextmanager
async def in_a_call(tmp_path: Path) -> AsyncIterator[Scene]:
    async with a_scene(tmp_path, say("", CHANGE), *[say("done")] * 3) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        yield scene


async def test_the_turn_is_ended_and_the_new_session_has_the_prompt_alone(tmp_path: Path) -> None:
    async with in_a_call(tmp_path) as scene:
        accepted = await scene.ui.ask("agent:main", AGAIN, Accepted)
        bodies = await scene.until_end()
        session_id, _ = await session(scene)
        async with scene.ui.stream("store", ReadSession(session_id="s1")) as stream:
            old = [entry async for entry in stream]
            await stream.result(SessionOpened)

        assert accepted == Accepted(turn_id="p9")
        assert session_id != "s1"
        assert bodies == [
            UserMessage(text="carry out the plan", turn_id="p9", prompt_id="p9"),
            say("done").message,
            TurnEnded(turn_id="p9", reason="done"),
        ]
        assert [type(message) for message in scene.model.requests[-1].history] == [UserMessage]
        assert old[-1].body == ELSEWHERE  # type: ignore[attr-defined]


async def test_every_subscription_ends_when_its_session_is_told(tmp_path: Path) -> None:
    seen: list[Event] = []
    async with in_a_call(tmp_path) as scene:

        async def watch() -> None:
            async with scene.ui.stream("agent:main", Subscribe()) as events:
                seen.extend([event async for event in events])  # type: ignore[misc]

        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            await trio.testing.wait_all_tasks_blocked()
            await scene.ui.ask("agent:main", AGAIN, Accepted)

    last = seen[-1]
    assert isinstance(last, EntryAdded)
    assert last.entry.body == ELSEWHERE


async def test_a_turn_of_the_new_session_can_be_interrupted_as_any(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE)) as scene:
        scene.tools.hold = trio.Event()
        await scene.ui.ask("agent:main", AGAIN, Accepted)
        await scene.tools.started.wait()
        await scene.ui.ask("agent:main", CancelTurn(), Done)
        bodies = await scene.until_end()

    assert bodies[-1] == TurnEnded(turn_id="p9", reason="interrupted")


async def test_the_same_start_twice_is_one(tmp_path: Path) -> None:
    async with in_a_call(tmp_path) as scene:
        await scene.ui.ask("agent:main", AGAIN, Accepted)
        first = await session(scene)
        await scene.until_end()
        await scene.ui.ask("agent:main", AGAIN, Accepted)
        second = await session(scene)

    assert first[0] == second[0]
    assert sum(isinstance(body, UserMessage) for body in second[1]) == 1


async def test_the_chosen_model_comes_along(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("done")) as scene:
        await scene.ui.ask("agent:main", SetModel(model="other/model"), ModelIs)
        await scene.ui.ask("agent:main", AGAIN, Accepted)
        bodies = await scene.until_end()

        assert isinstance(bodies[0], ModelChosen)
        assert scene.model.requests[-1].model == "other/model"


@pytest.mark.parametrize("message", range(1, 12))
async def test_a_death_at_any_message_costs_nothing(tmp_path: Path, message: int) -> None:
    """The agent is killed after it has sent so many messages since it was asked to start over."""
    async with in_a_call(tmp_path) as scene:
        carried = len(scene.network.carried)

        def sent() -> list[Envelope]:
            return [one for one in scene.network.carried[carried:] if one.sender == "agent:main"]

        async def kill() -> None:
            while len(sent()) < message and not over.is_set():
                await trio.lowlevel.checkpoint()
            scene.tools.hold = None
            scene.network.kill("agent:main")
            scene.start_agent()

        over = trio.Event()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(kill)
            await scene.ui.insist("agent:main", AGAIN, Accepted)
            over.set()
        bodies = await scene.until_end()
        session_id, _ = await session(scene)

    prompts = [body.text for body in bodies if isinstance(body, UserMessage)]
    assert (session_id == "s1", prompts) == (False, ["carry out the plan"])


async def test_what_the_next_life_goes_on_with_exists_by_then(tmp_path: Path) -> None:
    async with in_a_call(tmp_path) as scene:
        await scene.ui.ask("agent:main", AGAIN, Accepted)
        await scene.ui.ask("agent:main", CancelTurn(), Done)
        before, _ = await session(scene)
        scene.network.kill("agent:main")
        scene.start_agent()

        assert (await session(scene))[0] == before


async def test_what_a_full_disk_did_not_take_is_saved_before_the_session_is_left(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("the answer"), say("done")) as scene:
        async with scene.ui.stream("agent:main", Subscribe()) as events:
            async for event in events:
                if isinstance(event, CaughtUp):
                    break
            tell_database(tmp_path, FULL)
            await scene.send()
            async for event in events:
                if isinstance(event, TurnStopped):
                    break
            tell_database(tmp_path, "DROP TRIGGER full")
        await scene.ui.ask("agent:main", AGAIN, Accepted)
        async with scene.ui.stream("store", ReadSession(session_id="s1")) as stream:
            old = [entry.body async for entry in stream if isinstance(entry, Entry)]
            await stream.result(SessionOpened)

    assert old[-2:] == [say("the answer").message, TurnEnded(turn_id="p1", reason="done")]


def tell_database(home: Path, statement: str) -> None:
    with closing(sqlite3.connect(home / FILE, isolation_level=None)) as database:
        database.execute(statement)
