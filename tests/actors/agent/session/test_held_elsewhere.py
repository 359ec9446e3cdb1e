"""A session that another program has: it is looked at, copied, or let go of there, and never has two writers."""

import platform
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from actors.agent.session.onlooker import FREE
from actors.common import locks
from actors.common.doors import door, visitor
from actors.common.doors.words import Told, Wanted, path_of
from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.conversation import AssistantMessage, Entry, Instructed, ToolResult, TurnEnded, UserMessage
from actors.messages.store import Holder, ReadSession, SessionOpened
from actors.messages.turn import (
    Accepted,
    CaughtUp,
    EntryAdded,
    Event,
    Notice,
    OpenOther,
    Prompt,
    SessionInfo,
    Subscribe,
    WhoHas,
)
from tests.actors.agent.test_agent import LOOK, PROMPT, Scene, a_scene
from tests.fakes.door import Room
from tests.fakes.model import say
from tests.system.harness import BOUND_S

AGAIN = Prompt(prompt_id="p2", text="go on")
FIRST = [
    UserMessage(text="do it", turn_id="p1", prompt_id="p1"),
    say("hello").message,
    TurnEnded(turn_id="p1", reason="done"),
]


@asynccontextmanager
async def two(folder: Path) -> AsyncIterator[tuple[Scene, Scene]]:
    """One that has the session, with a turn behind it, and one that could not open it."""
    async with a_scene(folder, say("hello"), say("more"), say("at last"), interactive=True) as one:
        await one.send()
        await one.until_end()
        async with a_scene(folder, say("again"), interactive=True, resume=True, run_id="r2") as other:
            yield one, other


async def opened(scene: Scene, **how: str) -> None:
    await scene.ui.insist("agent:main", OpenOther(session_id="s1", **how), Done)  # type: ignore[arg-type]


async def stored(scene: Scene) -> list[Entry]:
    """What the store has, in the order it was written."""
    async with scene.ui.stream("store", ReadSession(session_id="s1", whole_tree=True)) as stream:
        found = [entry async for entry in stream if isinstance(entry, Entry)]
        await stream.result(SessionOpened)
    return found


def is_one_path(entries: list[Entry]) -> bool:
    return [entry.parent for entry in entries] == ["", *(entry.id for entry in entries)][:-1]


async def test_a_copy_is_gone_on_with_also_in_the_next_life_of_the_agent(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, scene):
        await opened(scene, copy_id="c1")
        await scene.send(AGAIN)
        bodies = await scene.until_end(2)
        scene.network.kill("agent:main")
        scene.start_agent()
        later = await scene.until_end(2)

    second = UserMessage(text="go on", turn_id="p2", prompt_id="p2")
    assert bodies == [*FIRST, second, say("again").message, TurnEnded(turn_id="p2", reason="done")]
    assert later == bodies


async def test_until_the_user_has_chosen_nothing_is_done(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, scene):
        with pytest.raises(Failed, match="is open in another terminal: process"):
            await scene.ui.ask("agent:main", AGAIN, Accepted)


async def test_where_nobody_can_be_asked_the_way_to_a_copy_is_named(tmp_path: Path) -> None:
    async with two(tmp_path), a_scene(tmp_path, resume=True, run_id="r3") as scene:
        with pytest.raises(Failed, match="trouper -r s1 --copy"):
            await scene.ui.ask("agent:main", PROMPT, Accepted)
        with pytest.raises(Failed, match="trouper -r s1 --copy"):
            await opened(scene, held="take")


async def test_who_has_it_and_what_that_does_is_known(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, scene):
        holder = await scene.ui.ask("agent:main", WhoHas(), Holder)

    assert (holder.session_id, holder.run_id, holder.state) == ("s1", "r1", "idle")


async def test_who_looks_on_sees_what_is_added_and_adds_nothing(tmp_path: Path) -> None:
    events: list[Event] = []
    async with two(tmp_path) as (one, scene):
        await opened(scene, held="view")
        async with scene.ui.stream("agent:main", Subscribe()) as stream:
            async for event in stream:
                events.append(event)  # type: ignore[arg-type]  # the mailbox knows only that it is a message
                if isinstance(event, Notice):
                    with pytest.raises(Failed, match=r"read-only here: process .* has it\. /takeover takes it over"):
                        await scene.ui.ask("agent:main", PROMPT, Accepted)
                    await one.send(AGAIN)
                if isinstance(event, EntryAdded) and event.entry.body == TurnEnded(turn_id="p2", reason="done"):
                    break
        entries = await stored(one)

    assert isinstance(events[0], SessionInfo)
    assert "read-only" in events[0].read_only
    assert any(isinstance(entry.body, Instructed) for entry in entries)
    assert [event.entry for event in events if isinstance(event, EntryAdded)] == [
        entry for entry in entries if not isinstance(entry.body, Instructed)
    ]
    assert [type(event) for event in events if not isinstance(event, EntryAdded)] == [SessionInfo, CaughtUp, Notice]


async def test_a_turn_in_the_middle_of_a_call_is_ended_and_saved_before_another_has_the_session(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("never"), interactive=True) as one:
        one.tools.slow = {"c1": trio.Event()}
        await one.send()
        async with a_scene(tmp_path, say("mine"), interactive=True, resume=True, run_id="r2") as other:
            async with one.ui.stream("agent:main", Subscribe()) as events:
                async for event in events:
                    if isinstance(event, EntryAdded) and isinstance(event.entry.body, AssistantMessage):
                        break
            await opened(other, held="take")
            with pytest.raises(Failed, match=r"has taken this session over.*/takeover takes it back"):
                await one.ui.ask("agent:main", AGAIN, Accepted)
            await other.send(AGAIN)
            await other.until_end(2)
            entries = await stored(other)

    assert is_one_path(entries)
    bodies = [entry.body for entry in entries]
    assert [body.call_id for body in bodies if isinstance(body, ToolResult)] == ["c1"]
    assert [body.reason for body in bodies if isinstance(body, TurnEnded)] == ["interrupted", "done"]


async def test_it_goes_back_and_forth_and_every_entry_follows_on_the_one_before(tmp_path: Path) -> None:
    async with two(tmp_path) as (one, other):
        await opened(other, held="take")
        await other.send(AGAIN)
        await other.until_end(2)
        await opened(one, held="take")
        await one.send(Prompt(prompt_id="p3", text="and on"))
        await one.until_end(3)
        entries = await stored(one)

    assert is_one_path(entries)
    assert [e.body.prompt_id for e in entries if isinstance(e.body, UserMessage)] == ["p1", "p2", "p3"]


async def test_of_two_that_take_it_at_once_one_gets_it(tmp_path: Path) -> None:
    outcomes: list[str] = []

    async def take(scene: Scene) -> None:
        try:
            await opened(scene, held="take")
            outcomes.append("had")
        except Failed as failure:
            outcomes.append(failure.problem.code)

    async with (
        two(tmp_path) as (_, other),
        a_scene(tmp_path, interactive=True, resume=True, run_id="r3") as third,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(take, other)
        nursery.start_soon(take, third)

    assert sorted(outcomes) == ["had", "session_in_use"]


async def test_who_has_lost_the_session_while_its_store_was_dead_looks_on_and_writes_no_more(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("hello"), say("never"), interactive=True) as one:
        await one.send()
        await one.until_end()
        one.network.kill("store")
        await wait_all_tasks_blocked()
        async with a_scene(tmp_path, say("mine"), interactive=True, resume=True, run_id="r2") as other:
            await other.send(AGAIN)
            await other.until_end(2)
            one.start_store()
            with pytest.raises(Failed, match="is open in another terminal"):
                await one.ui.ask("agent:main", Prompt(prompt_id="p3", text="stale"), Accepted)
            await wait_all_tasks_blocked()
            assert len(await one.until_end(2)) == 6
        with pytest.raises(Failed, match="read-only here"):
            await one.ui.ask("agent:main", Prompt(prompt_id="p4", text="staler"), Accepted)
        entries = await stored(one)
        await opened(one, held="take")
        await one.send(Prompt(prompt_id="p5", text="fresh"))

    assert is_one_path(entries)
    assert [e.body.prompt_id for e in entries if isinstance(e.body, UserMessage)] == ["p1", "p2"]


async def test_what_has_no_door_keeps_its_session(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("hello")) as scene:
        await scene.send()
        await scene.until_end()
    elsewhere = Holder(session_id="s1", run_id="r9", pid=1, host="another-machine", since=1.0)
    lock = locks.take(
        tmp_path / "run" / "s1.lock",
        b'{"type":"Holder","session_id":"s1","run_id":"r9","pid":1,"host":"another-machine","since":1.0}',
    )
    async with a_scene(tmp_path, interactive=True, resume=True, run_id="r2") as scene:
        holder = await scene.ui.ask("agent:main", WhoHas(), Holder)
        with pytest.raises(Failed, match=r"not let go of by process 1 .*it is on another-machine"):
            await opened(scene, held="take")
        with pytest.raises(Failed, match="is open in another terminal"):
            await opened(scene)
    locks.release(tmp_path / "run" / "s1.lock", lock)

    assert holder.state.startswith("it does not answer")
    assert (holder.run_id, holder.host) == (elsewhere.run_id, elsewhere.host)


def pid_of_the_dead() -> int:
    with subprocess.Popen("true") as ended:
        return ended.pid


async def test_who_looks_on_is_told_when_nobody_has_it_any_more(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("hello")) as scene:
        await scene.send()
        await scene.until_end()
    killed = Holder(session_id="s1", run_id="r9", pid=pid_of_the_dead(), host=platform.node(), since=1.0)
    (tmp_path / "run" / "s1.lock").write_bytes(msgspec.json.encode(killed))
    async with a_scene(tmp_path, interactive=True, session_id="s2", run_id="r2") as scene:
        await opened(scene, held="view")
        async with scene.ui.stream("agent:main", Subscribe()) as events:
            with trio.fail_after(BOUND_S):
                told = [await anext(events) for _ in range(len(FIRST) + 4)]

    assert isinstance(told[-2], Notice)
    assert "has it. /takeover" in told[-2].text  # as it stood: who takes it over opens it a moment later
    assert told[-1] == Notice(text=FREE)


async def test_where_there_is_no_folder_for_doors_nobody_answers(tmp_path: Path) -> None:
    path = path_of(str(tmp_path / "none"), "r1")
    with trio.fail_after(BOUND_S):
        async with trio.open_nursery() as nursery:
            await door.serve(path, Nobody, nursery, Room().restart)

        assert await visitor.look(path) is None


WANTED = msgspec.json.encode(Wanted(session_id="s1", who="a test")) + b"\n"


class Nobody:
    @property
    def parent(self) -> door.Parent:
        raise AssertionError("nobody asks")

    def look(self) -> Told:
        return Told()

    async def let_go(self, _wanted: Wanted) -> None:
        return


async def asking(scene_home: Path) -> trio.SocketStream:
    """At the door of the first one: it was told who is there, and has asked."""
    stream = await trio.open_unix_socket(path_of(str(scene_home), "r1"))
    await stream.receive_some(1)
    await stream.send_all(WANTED)
    return stream


async def test_who_goes_away_after_asking_gets_nothing(tmp_path: Path) -> None:
    async with two(tmp_path) as (one, _):
        await (await asking(tmp_path)).aclose()
        await one.send(AGAIN)
        bodies = await one.until_end(2)

    assert bodies[-1] == TurnEnded(turn_id="p2", reason="done")


async def test_an_agent_that_waits_for_the_store_to_let_go_ends_when_it_is_told_to(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("hello"), interactive=True) as one:
        await one.send()
        await one.until_end()
        one.network.hold_back("store", lambda envelope: b"CloseSession" in bytes(envelope.body))
        async with await asking(tmp_path) as stream:
            await stream.send_all(WANTED)
            await wait_all_tasks_blocked()
            one.network.kill("agent:main")
            told = b"".join([piece async for piece in stream])

    assert told.count(b"\n") == 2
