"""A prompt that names a template: the model gets what it says; its commands go through the gate, none of them twice."""

from pathlib import Path

import pytest
import trio

from actors.messages.conversation import UserMessage
from actors.messages.turn import Prompt
from tests.actors.agent.test_agent import Scene, a_scene
from tests.fakes.model import say


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


async def test_what_the_gate_denies_does_not_run(tmp_path: Path) -> None:
    a_template(tmp_path, "!git log", "w/.claude/commands")
    async with a_scene(tmp_path, say("done"), mode="plan", cwd=str(tmp_path / "w")) as scene:
        await scene.send(Prompt(prompt_id="p1", text="/review"))
        await scene.until_end()

        assert asked(scene).startswith("The user asks you for what the repository's own command /review says")
        assert "> `git log` did not run: denied" in asked(scene)
        assert scene.tools.ran == []


async def test_a_prompt_that_is_sent_again_runs_nothing_twice(tmp_path: Path) -> None:
    a_template(tmp_path, "!git log\n!git status")
    async with a_scene(tmp_path, say("done")) as scene:
        scene.tools.slow = {"p1/1": trio.Event()}
        async with trio.open_nursery() as nursery:
            nursery.start_soon(scene.send, Prompt(prompt_id="p1", text="/review"))
            with trio.fail_after(30):
                while scene.tools.ran != ["p1/0", "p1/1"]:
                    await trio.testing.wait_all_tasks_blocked()
            scene.network.kill("agent:main")
            scene.start_agent()
            await scene.until_end()
            nursery.cancel_scope.cancel()

        first, second = asked(scene).split("\n")
        assert first.startswith("`git log` gave: ")
        assert "outcome unknown" in second
        assert scene.tools.ran == ["p1/0", "p1/1"]
