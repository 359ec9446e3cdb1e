"""The question about what a workspace brings: before anything else, once, and whoever dies meanwhile."""

from pathlib import Path

import trio

from actors.messages.tool import Allowed, Denied, HookRan, UserAnswered
from actors.settings import config, trust, workspace_files
from actors.settings.saved_rules import remember
from actors.settings.workspace_files import LeftOut
from tests.actors.gate.scenes import SPECS, Scene, a_gate, call
from tests.fakes.tools import FakeTools

BROUGHT = '[permissions]\nallow = ["Bash(make test)"]\n\n[[hooks.pre_tool]]\ncommand = "check"\n'
TEST = call("bash", command="make test")


def hooked() -> FakeTools:
    tools = FakeTools(SPECS)
    tools.hooks = {"check": HookRan(exit_code=0, output="")}
    return tools


def brought(workspace: Path) -> tuple[LeftOut, ...]:
    path = workspace_files.local_path(workspace)
    path.parent.mkdir()
    path.write_text(BROUGHT)
    return config.load(workspace / ".home", workspace, {}, session_id="s", run_id="r").left_out


async def answer(scene: Scene, choice: str) -> None:
    request, _ = await scene.question()
    request.reply(UserAnswered(choice=choice))


async def test_it_shows_all_of_it_and_what_it_would_do(tmp_path: Path) -> None:
    left_out = brought(tmp_path)
    async with a_gate(tmp_path, left_out=left_out) as scene:
        request, asked = await scene.question()
        request.reply(UserAnswered(choice="leave_out"))

    path = workspace_files.local_path(tmp_path)
    assert asked.detail.split("\n") == [
        f"{path} would:",
        "  allow Bash(make test)",
        "  hook pre_tool: check",
        "",
        f"{path}, all of it:",
        "",
        *(f"  | {line}" for line in BROUGHT.rstrip().split("\n")),
    ]
    assert (asked.kind, asked.default, asked.escape) == ("trust", "leave_out", "leave_out")
    assert [choice.id for choice in asked.choices] == ["trust", "leave_out"]


async def test_nothing_is_decided_before_it_is_answered(tmp_path: Path) -> None:
    left_out = brought(tmp_path)
    async with a_gate(tmp_path, left_out=left_out, tools=hooked()) as scene:
        scene.ask_for(TEST)
        request, _ = await scene.question()
        await trio.testing.wait_all_tasks_blocked()
        decided = scene.is_decided("c1")
        request.reply(UserAnswered(choice="trust"))

        assert isinstance(await scene.verdict(), Allowed)
    assert not decided


async def test_trusted_its_rules_and_hooks_count_at_once(tmp_path: Path) -> None:
    left_out = brought(tmp_path)
    tools = hooked()
    async with a_gate(tmp_path, left_out=left_out, tools=tools) as scene:
        await answer(scene, "trust")
        verdict = await scene.authorise(TEST)

    assert isinstance(verdict, Allowed)
    assert [hook.command for hook in tools.hooks_ran] == ["check"]
    assert trust.record(tmp_path / ".home", workspace_files.local_path(tmp_path)).text == BROUGHT


async def test_left_out_it_does_not_count_and_a_notice_names_the_command(tmp_path: Path) -> None:
    left_out = brought(tmp_path)
    async with a_gate(tmp_path, left_out=left_out) as scene:
        await answer(scene, "leave_out")
        scene.ask_for(TEST)
        _, asked = await scene.question()
        notices = await scene.notices()

    assert asked.kind == "approval"
    assert notices == [
        f"{workspace_files.local_path(tmp_path)}: left out. To look at it and let it count: trouper permissions trust"
    ]
    assert not brought_again(tmp_path)


def brought_again(workspace: Path) -> bool:
    settings = config.load(workspace / ".home", workspace, {}, session_id="s", run_id="r2")
    return any(one.is_new for one in settings.left_out)


async def test_the_question_outlives_the_gate(tmp_path: Path) -> None:
    left_out = brought(tmp_path)
    async with a_gate(tmp_path, left_out=left_out, tools=hooked()) as scene:
        await scene.question()
        scene.restart_gate()
        await answer(scene, "trust")

        assert isinstance(await scene.authorise(TEST), Allowed)


async def test_an_answer_outlives_the_gate_whatever_has_become_of_the_file(tmp_path: Path) -> None:
    left_out = brought(tmp_path)
    async with a_gate(tmp_path, left_out=left_out, tools=hooked()) as scene:
        await answer(scene, "trust")
        await scene.authorise(TEST)
        remember(workspace_files.local_path(tmp_path), ("Edit",), tmp_path / ".home")
        scene.restart_gate()

        assert isinstance(await scene.authorise(TEST), Allowed)


async def test_what_was_shown_is_trusted_and_not_what_the_file_says_by_then(tmp_path: Path) -> None:
    left_out = brought(tmp_path)
    path = workspace_files.local_path(tmp_path)
    async with a_gate(tmp_path, left_out=left_out, tools=hooked()) as scene:
        request, _ = await scene.question()
        path.write_text('[permissions]\nallow = ["Bash"]\n')
        request.reply(UserAnswered(choice="trust"))
        await scene.authorise(TEST)

    settings = config.load(tmp_path / ".home", tmp_path, {}, session_id="s", run_id="r2")
    assert [line for line in settings.rules if line.verdict == "allow"] == []
    assert ["is not as you trusted it" in notice for notice in settings.notices] == [True]


async def test_without_anybody_to_ask_it_is_left_out(tmp_path: Path) -> None:
    left_out = brought(tmp_path)
    async with a_gate(tmp_path, left_out=left_out, interactive=False) as scene:
        assert isinstance(await scene.authorise(TEST), Denied)
