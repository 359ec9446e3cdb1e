"""Hooks tighten what is decided; only the user's own may allow; what cannot be understood is no yes."""

from pathlib import Path

import msgspec
import pytest
import trio
import trio.testing

from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.tool import Allowed, Denied, Explain, Explanation, HookEvent, HookRan, HooksRan, Mode, RunHooks
from actors.settings.permissions import RuleLine
from actors.settings.workspace_files import Hook, Hooks
from tests.actors.gate.scenes import SPECS, Scene, a_gate, call
from tests.fakes.tools import FakeTools

LOOK = call("read", path="a.txt")
CHANGE = call("write", path="a.txt")
HOOK = Hook(command="check")


def a_worker(**outputs: HookRan | str) -> FakeTools:
    """Each hook by its command, with what it prints."""
    tools = FakeTools(SPECS)
    tools.hooks = {
        command: HookRan(exit_code=0, output=ran) if isinstance(ran, str) else ran for command, ran in outputs.items()
    }
    return tools


async def is_asked(scene: Scene, wanted: ToolCall) -> bool:
    scene.ask_for(wanted)
    _, question = await scene.question()
    return question.call.call_id == wanted.call_id


async def test_a_hook_is_told_what_the_call_is(tmp_path: Path) -> None:
    tools = a_worker(check="")
    async with a_gate(tmp_path, tools=tools, hooks=Hooks(pre_tool=(Hook(command="check", timeout_s=3.0),))) as scene:
        verdict = await scene.authorise(LOOK)

    (ran,) = tools.hooks_ran
    assert msgspec.json.decode(ran.input) == {
        "event": "pre_tool",
        "session": "s1",
        "cwd": str(tmp_path),
        "mode": "default",
        "tool": "read",
        "arguments": {"path": "a.txt"},
    }
    assert ran.timeout_s == 3.0
    assert isinstance(verdict, ToolResult)


@pytest.mark.parametrize(
    "ran",
    [
        HookRan(exit_code=2, output="", errors="not on fridays"),
        HookRan(exit_code=0, output='{"decision": "deny", "reason": "not on fridays"}'),
    ],
)
async def test_a_denial_names_the_hook_and_its_reason(tmp_path: Path, ran: HookRan) -> None:
    async with a_gate(tmp_path, mode="auto", tools=a_worker(check=ran), hooks=Hooks(pre_tool=(HOOK,))) as scene:
        verdict = await scene.authorise(LOOK)

    assert verdict == Denied(
        reason="denied by the hook `check`: not on fridays.",
        remedy="denied by the hook `check`: not on fridays",
    )


@pytest.mark.parametrize(
    "ran",
    [
        HookRan(exit_code=0, output='{"decision": "ask"}'),
        HookRan(exit_code=None, output=""),
        HookRan(exit_code=1, output="", errors="Traceback"),
        HookRan(exit_code=0, output="looks fine"),
        HookRan(exit_code=0, output='{"descision": "allow"}'),
    ],
)
async def test_what_is_no_clear_answer_is_asked_about(tmp_path: Path, ran: HookRan) -> None:
    async with a_gate(tmp_path, mode="auto", tools=a_worker(check=ran), hooks=Hooks(pre_tool=(HOOK,))) as scene:
        scene.ask_for(LOOK)
        _, question = await scene.question()

        assert "`check`" in question.risk
        assert [choice.id for choice in question.choices] == ["once", "no", "no_because"]


async def test_the_users_hook_may_allow_what_would_be_asked(tmp_path: Path) -> None:
    tools = a_worker(check='{"decision": "allow"}')
    async with a_gate(tmp_path, tools=tools, hooks=Hooks(pre_tool=(HOOK,))) as scene:
        assert isinstance(await scene.authorise(CHANGE), Allowed)


async def test_a_hook_of_the_workspace_may_not(tmp_path: Path) -> None:
    tools = a_worker(check='{"decision": "allow"}')
    async with a_gate(tmp_path, tools=tools, workspace_hooks=Hooks(pre_tool=(HOOK,))) as scene:
        assert await is_asked(scene, CHANGE)


async def test_a_hook_allows_nothing_that_is_asked_about_every_time(tmp_path: Path) -> None:
    tools = a_worker(check='{"decision": "allow"}')
    async with a_gate(tmp_path, mode="auto", tools=tools, hooks=Hooks(pre_tool=(HOOK,))) as scene:
        assert await is_asked(scene, call("bash", command="git push --force"))


@pytest.mark.parametrize(("mode", "rules"), [("plan", ()), ("auto", ("Write",))])
async def test_what_is_denied_runs_no_hooks(tmp_path: Path, mode: Mode, rules: tuple[str, ...]) -> None:
    tools = a_worker(check='{"decision": "allow"}')
    lines = tuple(RuleLine(verdict="deny", text=rule, source="config.toml") for rule in rules)
    async with a_gate(tmp_path, mode=mode, rules=lines, tools=tools, hooks=Hooks(pre_tool=(HOOK,))) as scene:
        verdict = await scene.authorise(CHANGE)

    assert isinstance(verdict, Denied)
    assert tools.hooks_ran == []


async def test_changed_arguments_are_judged_anew_and_are_what_runs(tmp_path: Path) -> None:
    tools = a_worker(check='{"arguments": {"path": "b.txt"}, "context": "a is closed"}')
    async with a_gate(tmp_path, tools=tools, hooks=Hooks(pre_tool=(HOOK,))) as scene:
        verdict = await scene.authorise(LOOK)
        await scene.result(LOOK, verdict)
        (granted,) = tools.granted

    assert (granted.call.arguments, granted.grant.paths) == ('{"path":"b.txt"}', (str(tmp_path / "b.txt"),))
    assert isinstance(verdict, Allowed)
    assert verdict.context == 'a is closed\nthe arguments were changed to {"path":"b.txt"}'


async def test_changed_arguments_can_be_denied(tmp_path: Path) -> None:
    rules = (RuleLine(verdict="deny", text="Read(b.txt)", source="config.toml"),)
    tools = a_worker(check='{"decision": "allow", "arguments": {"path": "b.txt"}}')
    async with a_gate(tmp_path, rules=rules, tools=tools, hooks=Hooks(pre_tool=(HOOK,))) as scene:
        assert isinstance(await scene.authorise(LOOK), Denied)


async def test_the_first_denial_wins_and_ends_the_row(tmp_path: Path) -> None:
    tools = a_worker(yes='{"decision": "allow"}', no='{"decision": "deny"}', never="")
    hooks = Hooks(pre_tool=(Hook(command="yes"), Hook(command="no")))
    after = Hooks(pre_tool=(Hook(command="never"),))
    async with a_gate(tmp_path, tools=tools, hooks=hooks, workspace_hooks=after) as scene:
        verdict = await scene.authorise(LOOK)

    assert isinstance(verdict, Denied)
    assert [ran.command for ran in tools.hooks_ran] == ["yes", "no"]


async def test_a_hook_is_run_for_its_tools_alone(tmp_path: Path) -> None:
    tools = a_worker(check="")
    hooks = Hooks(pre_tool=(Hook(command="check", tools=("WebFetch", "write")),))
    async with a_gate(tmp_path, tools=tools, hooks=hooks) as scene:
        await scene.authorise(LOOK)
        await is_asked(scene, CHANGE)

    assert [msgspec.json.decode(ran.input)["tool"] for ran in tools.hooks_ran] == ["write"]


async def test_a_dead_worker_is_no_yes(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="auto", tools=a_worker(check=""), hooks=Hooks(pre_tool=(HOOK,))) as scene:
        await scene.authorise(LOOK)
        scene.network.hold_back("tools:main")
        asked = call("read", "c2", path="a.txt")
        scene.ask_for(asked)
        await trio.testing.wait_all_tasks_blocked(0.05)
        scene.network.kill("tools:main")  # while it runs the hook
        scene.network.start("tools:main", a_worker(check="").run)
        scene.network.let_go("tools:main")
        _, question = await scene.question()

        assert question.call.call_id == asked.call_id


async def test_other_events_bring_what_the_agent_says_and_a_failure_only_a_notice(tmp_path: Path) -> None:
    tools = a_worker(after='{"context": "format it"}', broken=HookRan(exit_code=1, output="", errors="oh"))
    hooks = Hooks(post_tool=(Hook(command="after"), Hook(command="broken")))
    async with a_gate(tmp_path, tools=tools, hooks=hooks) as scene:
        payload = '{"session": "s7", "tool": "read", "arguments": "{\\"path\\": \\"a\\"}", "output": "x"}'
        ran = await scene.agent.ask("gate", RunHooks(event="post_tool", payload=payload, tool="read"), HooksRan)
        notices = await scene.notices()

    assert ran == HooksRan(context="format it")
    assert notices == ["the hook `broken` failed: exit code 1: oh"]
    told = msgspec.json.decode(tools.hooks_ran[0].input)
    assert (told["session"], told["arguments"], told["output"]) == ("s7", {"path": "a"}, "x")


@pytest.mark.parametrize(
    ("event", "decision", "own", "told"),
    [
        ("post_tool", "ask", True, "nobody is asked about what has happened already"),
        ("stop", "ask", True, "nobody is asked about what has happened already"),
        ("pre_tool", "allow", False, "only a hook of your own config.toml can allow"),
        ("pre_tool", "allow", True, ""),
        ("prompt", "ask", True, ""),
        ("session_start", "deny", True, ""),
    ],
)
async def test_a_decision_that_changes_nothing_is_told_once(
    tmp_path: Path, event: HookEvent, decision: str, own: bool, told: str
) -> None:
    tools = a_worker(check=f'{{"decision": "{decision}"}}')
    hooks = Hooks(**{event: (HOOK,)})
    settings = {"hooks": hooks} if own else {"workspace_hooks": hooks}
    async with a_gate(tmp_path, tools=tools, **settings) as scene:
        for _ in range(2):
            await scene.agent.ask("gate", RunHooks(event=event, payload="{}", tool="read"), HooksRan)
        notices = await scene.notices()

    assert len(notices) == bool(told)
    assert told in "".join(notices)


@pytest.mark.parametrize(
    ("tool", "mode", "may"),
    [
        ("read", "default", ["own` may still ask about it or deny it", "team` may still ask about it or deny it"]),
        ("write", "default", ["own` may still allow or deny it", "team` may still deny it"]),
        ("write", "plan", []),
        ("bash", "default", []),
    ],
)
async def test_an_explanation_says_what_hooks_may_still_make_of_it(
    tmp_path: Path, tool: str, mode: Mode, may: list[str]
) -> None:
    own, team = Hook(command="own", tools=("read", "write")), Hook(command="team", tools=("Read", "Write"))
    given = {"hooks": Hooks(pre_tool=(own,)), "workspace_hooks": Hooks(pre_tool=(team,))}
    async with a_gate(tmp_path, mode, a_worker(), **given) as scene:
        told = await scene.ui.ask("gate", Explain(call=call(tool, path="a.txt", command="ls")), Explanation)

        assert list(told.hooks) == [f"the hook `{each}, or change its arguments" for each in may]
        assert scene.tools.hooks_ran == []
