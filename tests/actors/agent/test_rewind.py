"""Going back to before a prompt: the conversation, the files or both; that can be taken back, too."""

from pathlib import Path

import pytest
import trio

from actors.errors import Failed
from actors.messages.base import Problem
from actors.messages.checkpoint import Checkpointed, TakenBack
from actors.messages.conversation import Moved, ToolCall, ToolResult, UserMessage
from actors.messages.turn import (
    CaughtUp,
    EntryAdded,
    Notice,
    PreviewRewind,
    Prompt,
    Rewind,
    RewindPreview,
    Rewound,
    Subscribe,
)
from tests.actors.agent.session.test_moving import FIRST, SECOND, THIRD, ended, entries, said
from tests.actors.agent.test_agent import CHANGE, LOOK, Scene, a_scene
from tests.fakes.model import say

TOO_LARGE = Problem(code="no_checkpoint", text="the workspace is too large.")


def change(number: int) -> ToolCall:
    return ToolCall(call_id=f"x{number}", name="change", arguments="{}")


async def prompt(scene: Scene, text: str) -> str:
    path = await entries(scene, whole_tree=True)
    return next(one.id for one in path if isinstance(one.body, UserMessage) and one.body.text == text)


async def rewind(
    scene: Scene, text: str, *, files: bool = True, conversation: bool = True, name: str = "r1"
) -> Rewound:
    entry_id = await prompt(scene, text) if text else ""
    wanted = Rewind(entry_id=entry_id, rewind_id=name, files=files, conversation=conversation)
    return await scene.ui.insist("agent:main", wanted, Rewound)


async def two_turns(scene: Scene) -> None:
    """Each writes."""
    await ended(scene, FIRST, SECOND)


def two_answers() -> list[object]:
    return [say("", change(1)), say("I"), say("", change(2)), say("II"), say("III")]


async def test_both_go_back_to_before_the_prompt(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *two_answers()) as scene:
        await two_turns(scene)
        done = await rewind(scene, "two")
        await ended(scene, THIRD)
        path = await entries(scene)

    assert (done.prompt, done.files.restored) == ("two", ("before p2",))
    assert scene.checkpoints.asked == ["before p1", "after p1", "before p2", "after p2", "restore before p2"]
    assert said(scene.model.requests[-1].history)[-2:] == ["I", "three"]
    assert [type(entry.body) for entry in path if isinstance(entry.body, Moved | TakenBack)] == [Moved, TakenBack]


async def test_the_files_alone_go_back(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *two_answers()) as scene:
        await two_turns(scene)
        await rewind(scene, "one", conversation=False)
        await ended(scene, THIRD)
        path = await entries(scene)

    assert scene.checkpoints.asked[-1] == "restore before p1"
    assert "II" in said(scene.model.requests[-1].history)
    assert not any(isinstance(entry.body, Moved) for entry in path)


async def test_the_conversation_alone_goes_back(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *two_answers()) as scene:
        await two_turns(scene)
        await rewind(scene, "one", files=False)
        await ended(scene, THIRD)

    assert scene.checkpoints.asked[-1] == "after p2"
    assert said(scene.model.requests[-1].history) == ["three"]


async def test_a_rewind_is_taken_back_with_its_files(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *two_answers()) as scene:
        await two_turns(scene)
        await rewind(scene, "one")
        await rewind(scene, "", name="r2")
        await ended(scene, THIRD)

    assert scene.checkpoints.asked[-1] == "restore undo r1"
    assert said(scene.model.requests[-1].history)[-2:] == ["II", "three"]


async def test_before_there_was_one_nothing_is_taken_back(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *two_answers()) as scene:
        await two_turns(scene)
        with pytest.raises(Failed, match="there is no rewind"):
            await rewind(scene, "")


async def test_the_same_rewind_twice_is_one(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *two_answers()) as scene:
        await two_turns(scene)
        wanted = Rewind(entry_id=await prompt(scene, "two"), rewind_id="r1")
        for _ in range(2):
            await scene.ui.insist("agent:main", wanted, Rewound)
        path = await entries(scene)

    assert scene.checkpoints.asked.count("restore before p2") == 1
    assert sum(isinstance(entry.body, TakenBack) for entry in path) == 1


async def test_a_preview_changes_nothing(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *two_answers()) as scene:
        await two_turns(scene)
        before = await entries(scene, whole_tree=True)
        wanted = PreviewRewind(entry_id=await prompt(scene, "one"))
        told = await scene.ui.insist("agent:main", wanted, RewindPreview)
        after = await entries(scene, whole_tree=True)

    assert told.files is not None
    assert (told.prompt, told.prompts, told.files.restored) == ("one", 2, ("before p1",))
    assert before == after


async def test_where_nothing_was_written_since_the_files_stay(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", change(1)), say("I"), say("", LOOK), say("II")) as scene:
        await two_turns(scene)
        done = await rewind(scene, "two")

    assert done.files.is_empty
    assert scene.checkpoints.asked == ["before p1", "after p1"]


async def test_a_prompt_that_came_during_a_turn_has_a_checkpoint_of_its_own(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("", change(1)), say("I"), say("II")) as scene:
        scene.tools.hold = trio.Event()
        await scene.send(FIRST)
        await scene.tools.started.wait()
        await scene.send(SECOND)
        scene.tools.hold.set()
        await scene.until_end()

        assert scene.checkpoints.asked == ["before p1", "after p1", "before p2", "after p2"]


async def test_without_checkpoints_the_turn_goes_on_and_the_user_is_told_once(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *two_answers()) as scene:
        scene.checkpoints.problem = TOO_LARGE
        told: list[str] = []
        async with scene.ui.stream("agent:main", Subscribe()) as events, trio.open_nursery() as nursery:
            async for event in events:
                if isinstance(event, CaughtUp):
                    nursery.start_soon(two_turns, scene)
                if isinstance(event, Notice):
                    told.append(event.text)
                if isinstance(event, EntryAdded) and getattr(event.entry.body, "text", "") == "II":
                    break
        bodies = [entry.body for entry in await entries(scene)]
        with pytest.raises(Failed, match="the workspace is too large"):
            await rewind(scene, "one")
        await rewind(scene, "one", files=False)

    assert len(told) == 1
    assert [body.problem for body in bodies if isinstance(body, Checkpointed)] == ["the workspace is too large."] * 2
    assert not any(body.failed for body in bodies if isinstance(body, ToolResult))


async def test_an_agent_that_died_after_its_checkpoint_takes_no_other_for_the_prompt(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("", change(2)), say("I")) as scene:
        scene.tools.hold = trio.Event()
        await scene.send(FIRST)
        await scene.tools.started.wait()
        scene.network.kill("agent:main")
        scene.start_agent()
        scene.tools.hold.set()
        await scene.until_end()

        assert scene.checkpoints.asked == ["before p1", "after p1"]


async def test_the_turn_that_runs_is_ended_first(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("I")) as scene:
        scene.tools.hold = trio.Event()
        await scene.send(FIRST)
        await scene.tools.started.wait()
        await rewind(scene, "one")

        assert scene.checkpoints.asked == ["before p1", "after p1", "restore before p1"]
        assert said(tuple(entry.body for entry in await entries(scene) if isinstance(entry.body, UserMessage))) == []


async def test_the_model_is_told_once_that_only_the_files_went_back(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *two_answers(), say("IV")) as scene:
        await two_turns(scene)
        await rewind(scene, "one", conversation=False)
        await ended(scene, THIRD)
        await ended(scene, Prompt(prompt_id="p4", text="four"))

        told = [text for text in said(scene.model.requests[-1].history) if text.startswith("The user has taken")]

    assert len(told) == 1
    assert 'before the prompt "one"' in told[0]
    assert told[0].splitlines()[1:] == ["As they were then: before p1"]


async def test_two_of_them_are_told_also_after_a_death(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *two_answers()) as scene:
        await two_turns(scene)
        await rewind(scene, "two", conversation=False)
        await rewind(scene, "", name="r2")
        scene.network.kill("agent:main")
        scene.start_agent()
        await ended(scene, THIRD)
        history = said(scene.model.requests[-1].history)

    (note,) = [text for text in history if text.startswith("The user has taken")]
    assert "before p2" in note
    assert "how they were before the last rewind" in note
    assert "undo r1" in note


@pytest.mark.parametrize(("files", "conversation"), [(True, True), (False, True)])
async def test_where_the_conversation_goes_back_nothing_is_told(
    tmp_path: Path, files: bool, conversation: bool
) -> None:
    async with a_scene(tmp_path, *two_answers()) as scene:
        await two_turns(scene)
        await rewind(scene, "two", files=files, conversation=conversation)
        await ended(scene, THIRD)

    assert not any("has taken" in text for text in said(scene.model.requests[-1].history))
