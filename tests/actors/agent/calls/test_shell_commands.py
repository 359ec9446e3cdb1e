"""`!cmd`: it runs beside the turns, unasked, once whoever dies, and goes with the next prompt."""

from pathlib import Path

import pytest
import trio
import trio.testing

from actors.agent.session.history import OUTCOME_UNKNOWN, History
from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.conversation import (
    HERE,
    AssistantMessage,
    Body,
    Compacted,
    ShellEnded,
    ShellStarted,
    ToolResult,
    UserMessage,
)
from actors.messages.turn import CancelTurn, EntryAdded, Prompt, RunShell, Subscribe
from tests.actors.agent.test_agent import LOOK, Scene, a_scene
from tests.fakes.model import say

ENDED = ShellEnded(id="1", command="ls", told=True, output="a.txt")
SAID = UserMessage(text="hello", turn_id="p", prompt_id="p")
LS = RunShell(id="s1", command="make test")


async def ended(scene: Scene, count: int = 1) -> list[Body]:
    """What is stored, once so many commands have ended."""
    bodies: list[Body] = []
    with trio.fail_after(30):
        async with scene.ui.stream("agent:main", Subscribe()) as events:
            async for event in events:
                if isinstance(event, EntryAdded):
                    bodies.append(event.entry.body)
                    if sum(isinstance(body, ShellEnded) for body in bodies) == count:
                        break
    return [body for body in bodies if isinstance(body, ShellStarted | ShellEnded)]


async def run(scene: Scene, wanted: RunShell = LS) -> None:
    await scene.ui.insist("agent:main", wanted, Done)


def quoted(scene: Scene, request: int = 0) -> list[tuple[str, str]]:
    """Of the prompt that was asked about."""
    prompts = [one for one in scene.model.requests[request].history if isinstance(one, UserMessage) and one.prompt_id]
    return [(one.of, one.text) for one in prompts[-1].quoted]


@pytest.mark.parametrize("mode", ["default", "plan", "auto"])
async def test_it_runs_unasked_in_every_mode_and_no_model_hears_of_it(tmp_path: Path, mode: str) -> None:
    async with a_scene(tmp_path, mode=mode, interactive=True) as scene:  # type: ignore[arg-type]
        await run(scene)
        started, end = await ended(scene)

        assert started == ShellStarted(id="s1", command="make test", told=True)
        assert isinstance(end, ShellEnded)
        assert (end.command, end.output, end.failed) == ("make test", "s1 done", False)
        assert scene.model.requests == []
        assert scene.tools.granted[0].grant.sandboxed


async def test_what_it_printed_goes_with_the_next_prompt_and_with_no_later_one(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("one"), say("two"), interactive=True) as scene:
        await run(scene)
        await ended(scene)
        await scene.send(Prompt(prompt_id="p1", text="why?"))
        await scene.until_end()
        await scene.send(Prompt(prompt_id="p2", text="and now?"))
        await scene.until_end(2)

        assert quoted(scene) == [("!make test", "s1 done")]
        assert quoted(scene, 1) == []


async def test_what_is_only_for_the_user_is_never_told(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("one"), interactive=True) as scene:
        await run(scene, RunShell(id="s1", command="make test", told=False))
        await ended(scene)
        await scene.send()
        await scene.until_end()

        assert quoted(scene) == []


async def test_the_same_id_twice_is_one_command(tmp_path: Path) -> None:
    async with a_scene(tmp_path, interactive=True) as scene:
        await run(scene)
        await run(scene)
        await ended(scene)
        await run(scene)

        assert scene.tools.ran == ["s1"]


async def test_an_agent_that_died_in_it_says_so_and_never_runs_it_twice(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("one"), interactive=True) as scene:
        scene.tools.hold = trio.Event()
        await run(scene)
        await scene.tools.started.wait()
        scene.network.kill("agent:main")
        scene.start_agent()
        _, end = await ended(scene)
        await run(scene)

        assert isinstance(end, ShellEnded)
        assert (end.output, end.failed) == (OUTCOME_UNKNOWN, True)
        assert scene.tools.ran == ["s1"]


async def test_a_worker_that_dies_in_it_leaves_its_outcome_unknown(tmp_path: Path) -> None:
    async with a_scene(tmp_path, interactive=True) as scene:
        scene.tools.hold = trio.Event()
        await run(scene)
        await scene.tools.started.wait()
        scene.network.kill("tools:main")
        scene.network.start("tools:main", scene.tools.run)
        _, end = await ended(scene)

        assert isinstance(end, ShellEnded)
        assert (end.output, end.failed) == (OUTCOME_UNKNOWN, True)
        assert scene.tools.ran == ["s1"]


async def test_esc_stops_it(tmp_path: Path) -> None:
    async with a_scene(tmp_path, interactive=True) as scene:
        scene.tools.hold = trio.Event()
        await run(scene)
        await scene.tools.started.wait()
        await scene.ui.insist("agent:main", CancelTurn(), Done)
        _, end = await ended(scene)

        assert isinstance(end, ShellEnded)
        assert end.output.startswith("stopped by the user")


async def test_it_runs_beside_a_turn_and_goes_with_what_steers_it(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("done"), interactive=True) as scene:
        scene.tools.slow = {"c1": trio.Event()}
        await scene.send()
        await scene.tools.started.wait()
        await run(scene)
        await ended(scene)
        await scene.send(Prompt(prompt_id="p2", text="look at that"))
        scene.tools.slow["c1"].set()
        await scene.until_end()

        assert [type(one) for one in scene.model.requests[1].history] == [
            UserMessage, AssistantMessage, ToolResult, UserMessage,
        ]  # fmt: skip
        assert quoted(scene, 1) == [("!make test", "s1 done")]


async def test_a_compaction_carries_what_the_model_was_not_told() -> None:
    first, second = History("s"), History("s")
    for body in (ShellStarted(id="1", command="ls", told=True), ENDED, ShellStarted(id="2", command="top", told=True)):
        first.next_entry(body)
    compacted = first.compacted(Compacted(why="asked", kept_from=HERE), first.next_entry(SAID).id)
    second.next_entry(compacted)
    later = History("s", second.entries)

    assert [one.text for one in later.shell.quotations] == ["a.txt"]
    assert list(later.shell.running) == ["2"]


async def test_there_is_a_limit_to_those_that_run_at_once(tmp_path: Path) -> None:
    async with a_scene(tmp_path, interactive=True) as scene:
        scene.tools.hold = trio.Event()
        for number in range(4):
            await run(scene, RunShell(id=f"s{number}", command="sleep"))
        with pytest.raises(Failed, match="run already"):
            await run(scene, RunShell(id="s9", command="sleep"))
