"""Going to another place of the tree or to another session: nothing of the path that is left is sent or told again."""

from pathlib import Path

import pytest
import trio

from actors.common import locks
from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.conversation import (
    CallStarted,
    Entry,
    ModelInput,
    Moved,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.store import ReadSession, ReadTree, SessionOpened, TreeNode
from actors.messages.turn import (
    CaughtUp,
    EntryAdded,
    Event,
    GoTo,
    ModelIs,
    OpenOther,
    Prompt,
    SessionInfo,
    SetModel,
    Subscribe,
)
from tests.actors.agent.session.test_start_over import in_a_call, session
from tests.actors.agent.test_agent import CHANGE, LOOK, Scene, a_scene
from tests.fakes.model import say

FIRST, SECOND, THIRD = (Prompt(prompt_id=f"p{n}", text=text) for n, text in enumerate(("one", "two", "three"), 1))


async def ended(scene: Scene, *prompts: Prompt) -> None:
    """A turn for each."""
    for prompt in prompts:
        await scene.send(prompt)
        async with scene.ui.stream("agent:main", Subscribe()) as events:
            async for event in events:
                body = event.entry.body if isinstance(event, EntryAdded) else None
                if isinstance(body, TurnEnded) and body.turn_id == prompt.prompt_id:
                    break


async def entries(scene: Scene, *, whole_tree: bool = False) -> list[Entry]:
    session_id, _ = await session(scene)
    async with scene.ui.stream("store", ReadSession(session_id=session_id, whole_tree=whole_tree)) as stream:
        found = [entry async for entry in stream if isinstance(entry, Entry)]
        await stream.result(SessionOpened)
    return found


async def nodes(scene: Scene) -> list[TreeNode]:
    async with scene.ui.stream("store", ReadTree(session_id="s1")) as stream:
        return [node async for node in stream if isinstance(node, TreeNode)]


async def place(scene: Scene, text: str) -> TreeNode:
    return next(node for node in await nodes(scene) if node.text == text)


async def go(scene: Scene, entry_id: str) -> None:
    await scene.ui.insist("agent:main", GoTo(entry_id=entry_id), Done)


def said(history: tuple[ModelInput, ...]) -> list[str]:
    return [message.text for message in history if not isinstance(message, ToolResult)]


async def test_what_is_said_after_a_move_follows_on_the_place_that_was_gone_to(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("I"), say("II"), say("III")) as scene:
        await ended(scene, FIRST, SECOND)
        await go(scene, (await place(scene, "two")).before)
        await ended(scene, THIRD)
        tree = await nodes(scene)

        assert said(scene.model.requests[-1].history) == ["one", "I", "three"]
        assert [(node.text, node.active) for node in tree] == [
            ("one", True), ("I", True), ("two", False), ("II", False), ("three", True), ("III", True),
        ]  # fmt: skip
        ids = {node.entry_id: node.text for node in tree} | {"": ""}
        assert [ids[node.parent] for node in tree] == ["", "one", "I", "two", "I", "three"]


async def test_a_prompt_that_a_screen_sends_again_after_a_move_is_not_said_at_the_new_place(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("I"), say("II"), say("III")) as scene:
        await ended(scene, FIRST, SECOND)
        await go(scene, (await place(scene, "two")).before)
        await scene.send(SECOND)
        await ended(scene, THIRD)

        assert said(scene.model.requests[-1].history) == ["one", "I", "three"]


async def test_a_move_is_taken_back_by_going_to_where_the_session_stood(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("I"), say("II"), say("III")) as scene:
        await ended(scene, FIRST, SECOND)
        await go(scene, "")
        (moved,) = [entry.body for entry in await entries(scene) if isinstance(entry.body, Moved)]
        await go(scene, moved.left)
        await ended(scene, THIRD)

        assert said(scene.model.requests[-1].history) == ["one", "I", "two", "II", "three"]


async def test_a_turn_is_closed_where_one_goes_into_the_middle_of_it(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK, CHANGE), say("I"), say("II")) as scene:
        await ended(scene, FIRST)
        await go(scene, next(entry.id for entry in await entries(scene) if isinstance(entry.body, CallStarted)))
        closing = [entry.body for entry in await entries(scene)]
        await ended(scene, SECOND)
        history = scene.model.requests[-1].history

    moved, result, end = closing[-3:]
    assert isinstance(moved, Moved)
    assert isinstance(result, ToolResult)
    assert (result.call_id, result.failed) == (CHANGE.call_id, True)
    assert end == TurnEnded(turn_id="p1", reason="interrupted")
    assert [message.call_id for message in history if isinstance(message, ToolResult)] == ["c1", "c3"]
    assert said(history) == ["one", "", "two"]


async def test_the_turn_that_runs_is_ended_first(tmp_path: Path) -> None:
    async with in_a_call(tmp_path) as scene:
        await go(scene, "")
        left = [entry.body for entry in await entries(scene, whole_tree=True)]
        _, now = await session(scene)

    assert [type(body) for body in left[-3:]] == [ToolResult, TurnEnded, Moved]
    assert [type(body) for body in now] == [Moved]


async def test_a_place_that_is_not_there_changes_nothing_not_even_the_turn(tmp_path: Path) -> None:
    async with in_a_call(tmp_path) as scene:
        with pytest.raises(Failed) as failure:
            await go(scene, "nowhere")
        assert scene.tools.hold is not None
        scene.tools.hold.set()
        bodies = await scene.until_end()

    assert failure.value.problem.code == "unknown_session"
    assert bodies[-1] == TurnEnded(turn_id="p1", reason="done")


async def test_who_watches_is_sent_away_and_told_the_other_path_when_he_comes_back(tmp_path: Path) -> None:
    seen: list[Event] = []
    async with a_scene(tmp_path, say("I"), say("II")) as scene:
        await ended(scene, FIRST, SECOND)
        place_of_two = (await place(scene, "two")).before

        async def watch() -> None:
            async with scene.ui.stream("agent:main", Subscribe()) as events:
                seen.extend([event async for event in events])  # type: ignore[misc]

        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            await trio.testing.wait_all_tasks_blocked()
            await go(scene, place_of_two)
        last = seen[-1]
        assert isinstance(last, EntryAdded | CaughtUp)
        again: list[Event] = []
        left = next(one.entry.id for one in reversed(seen) if isinstance(one, EntryAdded))
        async with scene.ui.stream("agent:main", Subscribe(after=left)) as events:
            async for event in events:
                again.append(event)  # type: ignore[arg-type]
                if isinstance(event, CaughtUp):
                    break

    info, *told = again
    assert isinstance(info, SessionInfo)
    bodies = [one.entry.body for one in told if isinstance(one, EntryAdded)]
    assert [body.text for body in bodies if isinstance(body, UserMessage)] == ["one"]
    assert not info.goes_on


async def goes_on(scene: Scene, after: str) -> bool:
    async with scene.ui.stream("agent:main", Subscribe(after=after)) as events:
        first = await anext(events)
    assert isinstance(first, SessionInfo)
    return first.goes_on


async def test_who_subscribes_hears_whether_that_goes_on_from_what_it_has(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("I"), say("II")) as scene:
        await ended(scene, FIRST, SECOND)
        known = ["", (await place(scene, "two")).before, (await entries(scene))[-1].id]
        before = [await goes_on(scene, after) for after in known]
        await go(scene, known[1])

        assert before == [True, True, True]
        assert [await goes_on(scene, after) for after in known] == [True, True, False]


async def test_the_next_life_of_the_agent_stands_where_it_went(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("I"), say("II"), say("III")) as scene:
        await ended(scene, FIRST, SECOND)
        await go(scene, (await place(scene, "two")).before)
        scene.network.kill("agent:main")
        scene.start_agent()
        await ended(scene, THIRD)

        assert said(scene.model.requests[-1].history) == ["one", "I", "three"]


async def test_the_model_that_was_chosen_stays_chosen(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("I"), say("II")) as scene:
        await ended(scene, FIRST)
        await scene.ui.ask("agent:main", SetModel(model="fake/other"), ModelIs)
        await go(scene, "")
        await ended(scene, SECOND)

        assert scene.model.requests[-1].model == "fake/other"


async def test_a_new_session_knows_nothing_and_the_old_one_can_be_had_by_others(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("I"), say("II"), say("III")) as scene:
        await ended(scene, FIRST)
        await scene.ui.ask("agent:main", OpenOther(session_id=""), Done)
        await ended(scene, SECOND)
        new, _ = await session(scene)
        lock = locks.take(tmp_path / "run" / "s1.lock")  # no other program would get it while it is ours

        assert new != "s1"
        assert said(scene.model.requests[-1].history) == ["two"]
        with pytest.raises(Failed) as failure:
            await scene.ui.ask("agent:main", OpenOther(session_id="s1"), Done)
        assert failure.value.problem.code == "session_in_use"
        assert (await session(scene))[0] == new

        locks.release(tmp_path / "run" / "s1.lock", lock)
        await scene.ui.ask("agent:main", OpenOther(session_id="s1"), Done)
        scene.network.kill("agent:main")
        scene.start_agent()
        await ended(scene, THIRD)
        assert said(scene.model.requests[-1].history) == ["one", "I", "three"]


async def test_a_turn_that_is_left_for_another_session_says_so(tmp_path: Path) -> None:
    async with in_a_call(tmp_path) as scene:
        await scene.ui.ask("agent:main", OpenOther(session_id=""), Done)
        async with scene.ui.stream("store", ReadSession(session_id="s1")) as stream:
            old = [entry.body async for entry in stream if isinstance(entry, Entry)]
            await stream.result(SessionOpened)

    assert old[-1] == TurnEnded(turn_id="p1", reason="interrupted", text="Another session was opened.")


async def test_a_session_that_is_opened_goes_on_with_the_turn_it_was_left_in(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("after all")) as scene:
        scene.tools.hold = trio.Event()
        await scene.send(FIRST)
        await scene.tools.started.wait()
        scene.network.kill("agent:main")  # as when the program dies
        scene.network.kill("store")
        await trio.testing.wait_all_tasks_blocked()
    async with a_scene(tmp_path, say("after all"), session_id="s2", run_id="r2") as scene:
        await scene.ui.ask("agent:main", OpenOther(session_id="s1"), Done)
        bodies = await scene.until_end()

    assert bodies[-1] == TurnEnded(turn_id="p1", reason="done")
    (result,) = [body for body in bodies if isinstance(body, ToolResult)]
    assert "outcome unknown" in result.output
