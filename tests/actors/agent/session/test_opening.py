"""A long session that is gone on with: its end is told before it is read, and what comes meanwhile is not lost."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio
import trio.testing

from actors import messages
from actors.agent.session.told import MOST
from actors.mailbox import Stream
from actors.messages.base import Done, Envelope
from actors.messages.conversation import (
    AssistantMessage,
    Entry,
    Text,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.store import Append, OpenSession
from actors.messages.turn import CaughtUp, EntryAdded, Event, SessionInfo, Subscribe
from actors.messages.usage import Usage
from tests.actors.agent.test_agent import Scene, a_scene
from tests.actors.store.test_store import open_session
from tests.fakes.model import say

TURNS = 100
LONG = "x" * 100_000
ONE = Usage(input_tokens=10, output_tokens=1, cost_usd=0.5)


def turns() -> list[Entry]:
    entries: list[Entry] = []
    for number in range(TURNS):
        name = f"t{number}"
        bodies = (
            UserMessage(text=name, turn_id=name, prompt_id=name),
            ToolResult(call_id=name, name="bash", output=LONG),
            AssistantMessage(blocks=(Text(text="Yes."),), stop_reason="end_turn", model="p/m", usage=ONE),
            TurnEnded(turn_id=name, reason="done"),
        )
        for body in bodies:
            parent = entries[-1].id if entries else ""
            entries.append(Entry(id=f"e{len(entries)}", session_id="s1", parent=parent, body=body, at=1.0))
    return entries


def asks_for_all(envelope: Envelope) -> bool:
    wanted = messages.decode(envelope.body) if envelope.kind == "stream" else None
    return isinstance(wanted, OpenSession) and wanted.at is None


@asynccontextmanager
async def long_session(home: Path, *entries: Entry) -> AsyncIterator[Scene]:
    """Gone on with by an agent that gets only the end of it, until the store is let go."""
    async with a_scene(home) as scene:
        await open_session(scene.ui, cwd=str(home))
        await scene.ui.ask("store", Append(entries=entries), Done)
    async with a_scene(home, say("on"), interactive=True, resume=True, run_id="r2") as scene:
        scene.network.hold_back("store", asks_for_all)
        yield scene


async def heard(events: Stream, until: type[Event]) -> list[Event]:
    found: list[Event] = []
    async for event in events:
        found.append(event)  # type: ignore[arg-type]
        if isinstance(event, until) and len(found) > 1:
            break
    return found


async def test_the_end_is_told_before_the_session_is_read_and_a_prompt_waits(tmp_path: Path) -> None:
    entries = turns()
    async with (
        long_session(tmp_path, *entries) as scene,
        scene.ui.stream("agent:main", Subscribe(only_end=True)) as events,
        trio.open_nursery() as nursery,
    ):
        first = await anext(events)
        end = [await anext(events) for _ in range(MOST)]
        nursery.start_soon(scene.send)
        await trio.testing.wait_all_tasks_blocked()
        sent_by_then = [envelope for envelope in scene.network.carried if envelope.sender == "store"]
        scene.network.let_go("store")
        rest = await heard(events, CaughtUp)
        while not isinstance(rest[-1], EntryAdded) or not isinstance(rest[-1].entry.body, TurnEnded):
            rest.append(await anext(events))  # type: ignore[arg-type]

    assert isinstance(first, SessionInfo)
    assert first.earlier == len(entries) - MOST
    told = [event.entry for event in end if isinstance(event, EntryAdded)]
    assert [entry.id for entry in told] == [entry.id for entry in entries[-MOST:]]
    assert sum(len(envelope.body) for envelope in sent_by_then) < len(LONG)
    again = rest[0]
    assert isinstance(again, SessionInfo)
    assert (again.goes_on, again.earlier, again.used.cost_usd) == (True, 0, TURNS * 0.5)
    assert [e.entry.body.text for e in rest if isinstance(e, EntryAdded) and isinstance(e.entry.body, UserMessage)] == [
        "do it"
    ]
    assert [len(one.output) for one in scene.model.requests[0].history if isinstance(one, ToolResult)] == [
        len(LONG)
    ] * TURNS


async def test_a_later_subscriber_is_told_the_end_too_and_who_wants_a_prompt_all_from_there(tmp_path: Path) -> None:
    entries = turns()
    async with long_session(tmp_path, *entries) as scene:
        scene.network.let_go("store")
        await scene.send()
        await scene.until_end(TURNS + 1)
        async with scene.ui.stream("agent:main", Subscribe(only_end=True)) as events:
            end = await heard(events, CaughtUp)
        async with scene.ui.stream("agent:main", Subscribe(prompt_id="t90")) as events:
            since = await heard(events, CaughtUp)
        async with scene.ui.stream("agent:main", Subscribe(prompt_id="none")) as events:
            nothing = await heard(events, CaughtUp)

    info = end[0]
    assert isinstance(info, SessionInfo)
    assert info.earlier > len(entries) - MOST
    assert sum(isinstance(event, EntryAdded) for event in end) <= MOST
    told = [event.entry.id for event in since if isinstance(event, EntryAdded)]
    assert told[: 10 * 4] == [entry.id for entry in entries[-10 * 4 :]]
    assert [type(event) for event in nothing] == [SessionInfo, CaughtUp]


async def test_a_short_session_is_told_whole(tmp_path: Path) -> None:
    entries = turns()[: 4 * 7]
    async with long_session(tmp_path, *entries) as scene:
        scene.network.let_go("store")
        async with scene.ui.stream("agent:main", Subscribe(only_end=True)) as events:
            told = await heard(events, CaughtUp)

    info = told[0]
    assert isinstance(info, SessionInfo)
    assert info.earlier == 0
    assert [event.entry.id for event in told if isinstance(event, EntryAdded)] == [entry.id for entry in entries]
