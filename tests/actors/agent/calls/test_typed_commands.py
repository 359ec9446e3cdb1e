"""A prompt that names a template: the model gets what it says; its commands go through the gate, none of them twice."""

from pathlib import Path

import pytest
import trio
import trio.testing

from actors.agent.conversation import NOT_SENT
from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.checkpoint import Checkpointed
from actors.messages.conversation import Body, Entry, Instructed, PromptQueued, ToolCall, UserMessage
from actors.messages.store import ReadSession, SessionOpened
from actors.messages.turn import Accepted, CancelTurn, OpenOther, PreviewRewind, Prompt, RewindPreview
from tests.actors.agent.test_agent import CHANGE, Scene, a_scene, reason
from tests.fakes.model import say

CHANGE_AGAIN = ToolCall(call_id="c4", name="change", arguments="{}")


def a_template(home: Path, text: str, folder: str = "commands") -> None:
    (home / folder).mkdir(parents=True)
    (home / folder / "review.md").write_text(text)


def asked(scene: Scene) -> str:
    """The prompt, as the model saw it."""
    (text,) = [one.text for one in scene.model.requests[0].history if isinstance(one, UserMessage) and one.prompt_id]
    return text


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("/review a.py b.py", "Review a.py, and a.py b.py."),
        ("/review", "Review , and ."),
        ("/reviews a.py", "/reviews a.py"),
        ("/etc/passwd is a file", "/etc/passwd is a file"),
        ("see /review", "see /review"),
    ],
)
async def test_the_model_gets_what_the_template_says(tmp_path: Path, typed: str, expected: str) -> None:
    a_template(tmp_path, "Review $1, and $ARGUMENTS.")
    async with a_scene(tmp_path, say("done")) as scene:
        await scene.send(Prompt(prompt_id="p1", text=typed))
        await scene.until_end()

        assert asked(scene) == expected


async def test_its_commands_run_and_give_their_output(tmp_path: Path) -> None:
    a_template(tmp_path, "Before\n!git log $1\nAfter")
    async with a_scene(tmp_path, say("done")) as scene:
        await scene.send(Prompt(prompt_id="p1", text="/review -1"))
        await scene.until_end()

        before, output, after = asked(scene).split("\n")
        assert (before, after) == ("Before", "After")
        assert output.startswith("`git log -1` gave: ")
        assert scene.tools.ran == ["p1/1"]


async def test_what_the_gate_denies_does_not_run_and_has_no_record(tmp_path: Path) -> None:
    a_template(tmp_path, "!git log", "w/.claude/commands")
    async with a_scene(tmp_path, say("done"), mode="plan", cwd=str(tmp_path / "w")) as scene:
        await scene.send(Prompt(prompt_id="p1", text="/review"))
        await scene.until_end()

        assert asked(scene).startswith("The user asks you for what the repository's own command /review says")
        assert "> `git log` did not run: denied" in asked(scene)
        assert (scene.tools.ran, scene.checkpoints.asked) == ([], [])


async def test_a_prompt_that_is_sent_again_runs_nothing_twice(tmp_path: Path) -> None:
    a_template(tmp_path, "!git log\n!git status")
    async with a_scene(tmp_path, say("done")) as scene:
        await sent_again(scene)

        first, second = asked(scene).split("\n")
        assert first.startswith("`git log` gave: ")
        assert "outcome unknown" in second
        assert scene.tools.ran == ["p1/0", "p1/1"]


async def sent_again(scene: Scene) -> list[Body]:
    """By who had sent it to an agent that died in its second command. All that is stored then."""
    scene.tools.slow = {"p1/1": trio.Event()}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(scene.send, Prompt(prompt_id="p1", text="/review"))
        await running(scene, "p1/0", "p1/1")
        scene.network.kill("agent:main")
        scene.start_agent()
        stored = await scene.until_end()
        nursery.cancel_scope.cancel()
    return stored


async def bodies(scene: Scene) -> list[Body]:
    """All that is stored."""
    async with scene.ui.stream("store", ReadSession(session_id="s1", whole_tree=True)) as stream:
        found = [entry.body async for entry in stream if isinstance(entry, Entry)]
        await stream.result(SessionOpened)
    return [body for body in found if not isinstance(body, Instructed)]


async def running(scene: Scene, *calls: str) -> None:
    with trio.fail_after(30):
        while scene.tools.ran != list(calls):
            await trio.testing.wait_all_tasks_blocked()


async def refusal(scene: Scene, refused: list[str], prompt: Prompt) -> None:
    try:
        await scene.ui.insist("agent:main", prompt, Accepted)
    except Failed as failure:
        refused.append(failure.problem.text)


async def test_the_files_are_recorded_before_its_commands_as_of_the_prompt(tmp_path: Path) -> None:
    a_template(tmp_path, "!make it\n!make it again")
    async with a_scene(tmp_path, say("done")) as scene:
        await scene.send(Prompt(prompt_id="p1", text="/review"))
        await scene.until_end()
        stored = await bodies(scene)
        preview = PreviewRewind(entry_id=await prompt_entry(scene))
        told = await scene.ui.insist("agent:main", preview, RewindPreview)

    assert scene.checkpoints.asked == ["before p1", "after p1"]
    assert [type(body) for body in stored[:2]] == [UserMessage, Checkpointed]
    assert told.files is not None
    assert told.files.restored == ("before p1",)


async def prompt_entry(scene: Scene) -> str:
    async with scene.ui.stream("store", ReadSession(session_id="s1", whole_tree=True)) as stream:
        found = [e.id async for e in stream if isinstance(e, Entry) and isinstance(e.body, UserMessage)]
        await stream.result(SessionOpened)
    return found[-1]


async def test_a_prompt_that_is_sent_again_has_the_record_of_the_first_time(tmp_path: Path) -> None:
    a_template(tmp_path, "!make it\n!make more")
    async with a_scene(tmp_path, say("done")) as scene:
        stored = await sent_again(scene)

    assert scene.checkpoints.asked[0] == "before p1"
    assert scene.checkpoints.asked.count("before p1") == 1
    assert [body.checkpoint_id for body in stored if isinstance(body, Checkpointed)] == ["before p1"]


async def test_a_cancel_ends_its_commands_and_the_prompt_is_not_sent(tmp_path: Path) -> None:
    a_template(tmp_path, "!make it\n!make more")
    refused: list[str] = []
    async with a_scene(tmp_path, say("hello")) as scene:
        scene.tools.slow = {"p1/0": trio.Event()}
        async with trio.open_nursery() as nursery:
            nursery.start_soon(refusal, scene, refused, Prompt(prompt_id="p1", text="/review"))
            await running(scene, "p1/0")
            await scene.ui.insist("agent:main", CancelTurn(), Done)
        await scene.send(Prompt(prompt_id="p2", text="go on"))
        stored = await scene.until_end()

    assert refused == [NOT_SENT]
    assert scene.tools.ran == ["p1/0"]
    assert scene.checkpoints.asked == ["before p1", "after p1"]
    assert stored[0] == Checkpointed(prompt_id="p1", checkpoint_id="before p1")
    assert [body.text for body in stored if isinstance(body, UserMessage)] == ["go on"]


async def test_a_cancel_reaches_the_commands_and_the_turn_that_their_prompt_waits_for(tmp_path: Path) -> None:
    a_template(tmp_path, "!make it")
    refused: list[str] = []
    async with a_scene(tmp_path, say("", CHANGE)) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(refusal, scene, refused, Prompt(prompt_id="p2", text="/review"))
            await running(scene, "c3", "p2/0")
            await scene.ui.insist("agent:main", CancelTurn(), Done)
        stored = await scene.until_end()

    assert refused == [NOT_SENT]
    assert reason(stored) == "interrupted"
    assert not any(isinstance(body, PromptQueued) for body in stored)


async def test_the_record_of_a_prompt_that_steers_is_that_of_its_commands(tmp_path: Path) -> None:
    a_template(tmp_path, "!make it")
    async with a_scene(tmp_path, say("", CHANGE), say("", CHANGE_AGAIN), say("done")) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(scene.send, Prompt(prompt_id="p2", text="/review"))
            await running(scene, "c3", "p2/0")
            scene.tools.hold.set()
        await scene.until_end()
        preview = PreviewRewind(entry_id=await prompt_entry(scene))
        told = await scene.ui.insist("agent:main", preview, RewindPreview)

    assert told.prompts == 1
    assert told.files is not None
    assert told.files.restored == ("before p2",)


async def test_who_goes_elsewhere_ends_the_commands_of_a_prompt(tmp_path: Path) -> None:
    a_template(tmp_path, "!make it")
    refused: list[str] = []
    async with a_scene(tmp_path, say("hello")) as scene:
        scene.tools.slow = {"p1/0": trio.Event()}
        async with trio.open_nursery() as nursery:
            nursery.start_soon(refusal, scene, refused, Prompt(prompt_id="p1", text="/review"))
            await running(scene, "p1/0")
            await scene.ui.insist("agent:main", OpenOther(session_id=""), Done)
        await scene.send(Prompt(prompt_id="p2", text="go on"))
        stored = await scene.until_end()

    assert refused == [NOT_SENT]
    assert [body.text for body in stored if isinstance(body, UserMessage)] == ["go on"]
