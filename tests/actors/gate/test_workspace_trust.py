"""The question about what a workspace brings: before anything else, once, and whoever dies meanwhile."""

import json
from pathlib import Path

import msgspec
import trio

from actors.messages.tool import Allowed, Denied, HookRan, UserAnswered
from actors.settings import config, trust, workspace_files
from actors.settings.mcp import entries, vouching
from actors.settings.mcp.servers import LeftOutServer
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


SERVERS: dict[str, dict[str, object]] = {
    "a": {"command": "npx", "args": ["-y", "x\nb would:\u202e"], "env": {"K": "${TOKEN}"}},
    "b": {"url": "https://host/mcp"},
    "c": {"command": "c"},
}


def servers(workspace: Path) -> tuple[LeftOutServer, ...]:
    (workspace / ".mcp.json").write_text(json.dumps({"mcpServers": SERVERS}))
    return config.load(workspace / ".home", workspace, {}, session_id="s", run_id="r").mcp_left_out


def vouched(workspace: Path) -> list[str]:
    records = {name: vouching.record(workspace / ".home", workspace, name) for name in SERVERS}
    return [name for name, entry in SERVERS.items() if records[name].vouches_for(entries.canonical(entry))]


async def test_each_server_of_a_folder_is_asked_about_whole(tmp_path: Path) -> None:
    brought = servers(tmp_path)
    async with a_gate(tmp_path, mcp_left_out=brought) as scene:
        request, asked = await scene.question()
        request.reply(UserAnswered(choice="trust"))
        request, of_b = await scene.question()
        request.reply(UserAnswered(choice="leave_out"))
        request, of_c = await scene.question()
        request.reply(UserAnswered(choice="trust"))
        await scene.authorise(call("read", path="a"))
        notices = await scene.notices()

    entry = msgspec.json.format(entries.canonical(SERVERS["a"]), indent=2).split("\n")
    assert asked.detail.split("\n") == [
        "a would:",
        "  run npx -y 'x\\nb would:\u202e'",
        "  do so in the sandbox, with a network",
        "  be given your SECRETS TOKEN",
        "",
        f"{tmp_path}/.mcp.json, its entry, all of it:",
        "",
        *(f"  | {line}" for line in entry),
    ]
    assert asked.title.endswith("not trusted so: a. 2 more servers after it.")
    assert [choice.id for choice in of_b.choices] == ["trust", "leave_out", "leave_all_out"]
    assert [choice.id for choice in of_c.choices] == ["trust", "leave_out"]
    assert (of_b.default, of_b.escape) == ("leave_out", "leave_out")
    assert vouched(tmp_path) == ["a", "c"]
    assert notices == [f"{tmp_path}/.mcp.json/b: left out. To look again: trouper mcp trust"]
    assert [one.name for one in servers(tmp_path) if one.is_new] == []


async def test_all_that_follow_are_left_out_at_once(tmp_path: Path) -> None:
    brought = servers(tmp_path)
    async with a_gate(tmp_path, mcp_left_out=brought) as scene:
        await answer(scene, "leave_all_out")
        await scene.authorise(call("read", path="a"))

    assert vouched(tmp_path) == []
    assert [one.is_new for one in servers(tmp_path)] == [False, False, False]


async def test_a_gate_that_dies_between_two_questions_asks_the_second_only(tmp_path: Path) -> None:
    brought = servers(tmp_path)
    async with a_gate(tmp_path, mcp_left_out=brought) as scene:
        await answer(scene, "trust")
        await scene.question()
        scene.restart_gate()
        request, asked = await scene.question()
        request.reply(UserAnswered(choice="leave_all_out"))
        await scene.authorise(call("read", path="a"))

    assert asked.title.endswith("not trusted so: b. 1 more server after it.")
    assert vouched(tmp_path) == ["a"]


async def test_files_are_asked_about_before_servers(tmp_path: Path) -> None:
    files, brought_servers = brought(tmp_path), servers(tmp_path)
    async with a_gate(tmp_path, left_out=files, mcp_left_out=brought_servers[2:], tools=hooked()) as scene:
        _, first = await scene.question()
        scene.restart_gate()
        await answer(scene, "trust")
        _, second = await scene.question()
        scene.restart_gate()
        await answer(scene, "trust")

        assert isinstance(await scene.authorise(TEST), Allowed)
    assert [first.detail.count("hook"), second.detail.count("run c")] == [2, 1]
    assert vouched(tmp_path) == ["c"]


async def test_what_cannot_be_written_down_is_left_out(tmp_path: Path) -> None:
    brought = servers(tmp_path)
    async with a_gate(tmp_path, mcp_left_out=brought) as scene:
        (tmp_path / ".home" / "trust").touch()
        await answer(scene, "trust")
        await scene.authorise(call("read", path="a"))
        (notice,) = await scene.notices()

    assert "left out, for it cannot be trusted: " in notice


async def test_without_anybody_to_ask_no_server_is_asked_about(tmp_path: Path) -> None:
    brought = servers(tmp_path)
    async with a_gate(tmp_path, mcp_left_out=brought, interactive=False) as scene:
        await scene.authorise(call("read", path="a"))

        assert vouched(tmp_path) == []
