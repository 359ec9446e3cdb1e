"""No space at any append: the turn stops and says so, what was acknowledged is there, and with space it goes on."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import trio

from actors.errors import Failed
from actors.messages.conversation import Body, Entry, Instructed, ToolResult
from actors.messages.store import ReadSession, SessionOpened
from actors.messages.turn import CaughtUp, EntryAdded, Prompt, Subscribe, TurnStopped
from actors.store.schema import FILE
from tests.actors.agent.test_agent import CHANGE, LOOK, LOOK_AGAIN, PROMPT, Scene, a_scene
from tests.fakes.model import say

ANSWERS = (say("", LOOK, CHANGE), say("", LOOK_AGAIN), say("done"))
FULL = """
CREATE TRIGGER full BEFORE INSERT ON entries WHEN (SELECT count(*) FROM entries) >= {entries}
BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END
"""
LENGTH = 11
"""Entries of the undisturbed turn."""


@contextmanager
def full_after(home: Path, entries: int) -> Iterator[None]:
    """The disk takes so many entries and no more, until the block is left."""
    with closing(sqlite3.connect(home / FILE)) as database:
        database.execute(FULL.format(entries=int(entries)))
    try:
        yield
    finally:
        with closing(sqlite3.connect(home / FILE)) as database:
            database.execute("DROP TRIGGER full")


async def stored(scene: Scene) -> list[Entry]:
    async with scene.ui.stream("store", ReadSession(session_id="s1")) as stream:
        entries = [entry async for entry in stream if isinstance(entry, Entry)]
        await stream.result(SessionOpened)
    return entries


def watched(bodies: list[Body]) -> list[Body]:
    """Without what nobody is told of."""
    return [body for body in bodies if not isinstance(body, Instructed)]


class Watch:
    """What is told as saved, and why the turn stopped."""

    def __init__(self, scene: Scene, nursery: trio.Nursery) -> None:
        self._scene = scene
        self.told: list[Body] = []
        self.why = ""
        self.looks = trio.Event()
        self.stopped = trio.Event()
        nursery.start_soon(self._run)

    async def _run(self) -> None:
        async with self._scene.ui.stream("agent:main", Subscribe()) as events:
            async for event in events:
                match event:
                    case CaughtUp():
                        self.looks.set()
                    case EntryAdded(entry=entry):
                        self.told.append(entry.body)
                    case TurnStopped(text=text):
                        self.why = text
                        self.stopped.set()
                        return
                    case _:
                        continue


@pytest.mark.parametrize("room", range(LENGTH))
async def test_a_turn_that_finds_no_space_goes_on_when_there_is_some(tmp_path: Path, room: int) -> None:
    undisturbed = tmp_path / "undisturbed"
    undisturbed.mkdir()
    async with a_scene(undisturbed, *ANSWERS) as scene:
        await scene.send()
        await scene.until_end()
        expected = [entry.body for entry in await stored(scene)]
    async with a_scene(tmp_path, *ANSWERS) as scene, trio.open_nursery() as nursery:
        watch = Watch(scene, nursery)
        await watch.looks.wait()
        with full_after(tmp_path, room):
            if room == 0:
                with pytest.raises(Failed, match=r"no space left.*Free some space"):
                    await scene.send()
            else:
                await scene.send()
                await watch.stopped.wait()
                assert "no space left" in watch.why
                assert "Free some space" in watch.why
            kept = [entry.body for entry in await stored(scene)]
        assert watched(kept) == watch.told
        await scene.send(PROMPT)
        await scene.until_end()
        bodies = [entry.body for entry in await stored(scene)]
        ran = list(scene.tools.ran)
        nursery.cancel_scope.cancel()

    assert len(expected) == LENGTH
    pairs = zip(watched(bodies), watched(expected), strict=True)
    not_started = [one for one, other in pairs if one != other]
    results = [one for one in not_started if isinstance(one, ToolResult)]
    assert not_started == results
    assert all("this was not run" in one.output for one in results)
    assert ran.count(CHANGE.call_id) == 1 - len(results)


async def test_a_life_that_ends_on_a_full_disk_leaves_what_it_had_acknowledged(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *ANSWERS, *ANSWERS) as scene, trio.open_nursery() as nursery:
        watch = Watch(scene, nursery)
        await watch.looks.wait()
        with full_after(tmp_path, 4):
            await scene.send()
            await watch.stopped.wait()
            scene.network.kill("agent:main")
            scene.start_agent()
            assert watched([entry.body for entry in await stored(scene)]) == watch.told
        await scene.send(Prompt(prompt_id="p2", text="go on"))
        bodies = await scene.until_end(1)
        nursery.cancel_scope.cancel()

    assert bodies[: len(watch.told)] == watch.told
