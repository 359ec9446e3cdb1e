"""What a parent asks of its subagents: the real gate, through modes, rules, hooks and questions."""

from pathlib import Path

import pytest
from trio import open_nursery as trio_nursery

from actors.errors import Failed
from actors.messages.base import Message
from actors.messages.conversation import ToolCall
from actors.messages.tool import (
    Allowed,
    Authorise,
    Denied,
    Explain,
    Explanation,
    HookRan,
    Merging,
    Mode,
    RunTool,
    ToolProgress,
    UserAnswered,
)
from actors.settings.permissions import Permissions
from actors.settings.workspace_files import Hook, Hooks
from tests.actors.gate.scenes import Scene, a_gate, call

SPAWN = call("spawn_agent", name="finder", prompt="find it", type="explore")
WRITER = call("spawn_agent", name="builder", prompt="build it", isolation="worktree")
MERGE = call("merge_agent", name="builder")
CHANGED = Merging(files=("src/a.py", "b.py"), diff="--- a/b.py\n+++ b/b.py\n")
NEAR = ("list_agents", "agent_result", "send_to_agent", "cancel_agent")


async def asked(scene: Scene, wanted: ToolCall, merging: Merging | None = None) -> Message:
    """Raises Failed."""
    return await scene.agent.insist("gate", Authorise(call=wanted, session_id="s1", merging=merging), Message)


@pytest.mark.parametrize("mode", ["default", "accept-edits", "auto", "plan", "research"])
async def test_in_every_mode_agents_that_only_look_are_spawned_and_spoken_to_unasked(
    tmp_path: Path, mode: Mode
) -> None:
    calls = [SPAWN, *(call(tool, name="finder", message="x") for tool in NEAR)]
    async with a_gate(tmp_path, mode=mode) as scene:
        said = [await asked(scene, wanted) for wanted in calls]

    assert said == [Allowed(ticket="", call=wanted) for wanted in calls]


@pytest.mark.parametrize(
    ("mode", "may"), [("default", True), ("accept-edits", True), ("auto", True), ("plan", False), ("research", False)]
)
async def test_where_nothing_may_be_written_no_agent_that_writes_is_spawned(
    tmp_path: Path, mode: Mode, may: bool
) -> None:
    rules = Permissions(allow=("SpawnAgent", "SpawnAgent(general)")).lines("f")
    async with a_gate(tmp_path, mode=mode, rules=rules) as scene:
        said = await asked(scene, WRITER)

    assert isinstance(said, Allowed) is may
    assert may or "does not allow to spawn agents that write" in said.reason  # type: ignore[attr-defined]


@pytest.mark.parametrize("isolation", ["worktree", "Worktree", True, ["none"], None])
async def test_an_isolation_that_is_not_none_counts_as_writing_however_it_is_written(
    tmp_path: Path, isolation: object
) -> None:
    async with a_gate(tmp_path, mode="plan") as scene:
        said = await asked(scene, call("spawn_agent", name="a", prompt="b", isolation=isolation))

    assert isinstance(said, Denied)


@pytest.mark.parametrize(
    ("rule", "kinds"),
    [
        ("SpawnAgent", {"explore": False, "general": False}),
        ("SpawnAgent(explore)", {"explore": False, " Explore ": False, "general": True, "": True}),
        ("SpawnAgent(general)", {"explore": True, "general": False}),
    ],
)
async def test_a_rule_denies_all_agents_or_those_of_one_type(tmp_path: Path, rule: str, kinds: dict[str, bool]) -> None:
    rules = Permissions(deny=(rule,)).lines("f")
    async with a_gate(tmp_path, mode="auto", rules=rules) as scene:
        said = {kind: await asked(scene, call("spawn_agent", name="a", prompt="b", type=kind)) for kind in kinds}
        of_no_type = await asked(scene, call("spawn_agent", name="a", prompt="b"))

    assert {kind: isinstance(verdict, Allowed) for kind, verdict in said.items()} == kinds
    assert isinstance(of_no_type, Allowed) is kinds["general"]


async def test_a_rule_that_asks_shows_the_whole_prompt_and_yes_may_count_for_the_type(tmp_path: Path) -> None:
    rules = Permissions(ask=("SpawnAgent",)).lines("f")
    async with a_gate(tmp_path, rules=rules) as scene:
        scene.ask_for(SPAWN)
        request, question = await scene.question()
        request.reply(UserAnswered(choice="once"))
        said = await scene.verdict()

    assert (question.title, question.detail) == ("spawn the agent finder (explore)", "find it")
    assert said == Allowed(ticket="", call=SPAWN)


async def test_what_a_hook_has_made_of_the_call_is_what_its_agent_runs(tmp_path: Path) -> None:
    hooks = Hooks(pre_tool=(Hook(command="cheaper", tools=("SpawnAgent",)),))
    async with a_gate(tmp_path, hooks=hooks) as scene:
        changed = '{"name": "finder", "prompt": "find it", "type": "explore", "budget": {"usd": 0.1}}'
        scene.tools.hooks = {"cheaper": HookRan(exit_code=0, output=f'{{"arguments": {changed}}}')}

        said = await asked(scene, SPAWN)

    assert isinstance(said, Allowed)
    assert said.call is not None
    assert '"budget":{"usd":0.1}' in said.call.arguments
    assert "the arguments were changed" in said.context


async def test_nobody_but_an_agent_has_them_run(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        with pytest.raises(Failed, match="only an agent that talks with a model can run this"):
            await scene.ui.insist("gate", Authorise(call=SPAWN, session_id="s1"), Message)
        await asked(scene, SPAWN)
        with pytest.raises(Failed, match="the gate did not allow this call"):
            async with scene.agent.stream("gate", RunTool(call=SPAWN, ticket="")) as stream:
                await stream.result(ToolProgress)


async def test_a_merge_asks_with_its_diff_as_an_edit_of_its_files_does(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene, trio_nursery() as nursery:
        said: list[Message] = []

        async def ask() -> None:
            said.append(await asked(scene, MERGE, CHANGED))

        nursery.start_soon(ask)
        request, question = await scene.question()
        request.reply(UserAnswered(choice="once"))

    assert (question.title, question.detail) == ("merge what the agent builder has changed", CHANGED.diff)
    assert question.risk == "changes src/a.py, b.py"
    assert said == [Allowed(ticket="", call=MERGE)]


@pytest.mark.parametrize(
    ("mode", "files", "verdict"),
    [
        ("accept-edits", ("a.py",), "Allowed"),
        ("accept-edits", ("a.py", "../beside.py"), "Denied"),
        ("accept-edits", ("/etc/hosts",), "Denied"),
        ("accept-edits", (".trouper/config.toml",), "Denied"),
        ("accept-edits", (".git/hooks/pre-commit",), "Denied"),
        ("accept-edits", ("keep/a.py",), "Denied"),
        ("accept-edits", (), "Denied"),
        ("accept-edits", None, "Denied"),
        ("auto", ("a.py",), "Allowed"),
        ("auto", ("keep/a.py",), "Denied"),
        ("auto", None, "Allowed"),
        ("default", ("a.py",), "Denied"),
        ("plan", ("a.py",), "Denied"),
        ("research", None, "Denied"),
    ],
)
async def test_a_merge_is_judged_as_a_write_of_what_it_brings(
    tmp_path: Path, mode: Mode, files: tuple[str, ...] | None, verdict: str
) -> None:
    """Nobody is there to ask, so what asks is denied."""
    rules = Permissions(deny=("Write(keep/**)",)).lines("f")
    async with a_gate(tmp_path, mode=mode, interactive=False, rules=rules) as scene:
        said = await asked(scene, MERGE, None if files is None else Merging(files=files, diff=""))

    assert type(said).__name__ == verdict


@pytest.mark.parametrize("merging", [None, Merging(files=("keep/a.py",), diff="")])
async def test_what_the_model_says_of_its_files_counts_for_nothing(tmp_path: Path, merging: Merging | None) -> None:
    spoofed = call("merge_agent", name="builder", files=["a.py"])
    rules = Permissions(deny=("Write(keep/**)",)).lines("f")
    async with a_gate(tmp_path, mode="accept-edits", interactive=False, rules=rules) as scene:
        said = await asked(scene, spoofed, merging)

    assert isinstance(said, Denied)


async def test_a_merge_of_too_many_files_says_to_make_several(tmp_path: Path) -> None:
    many = Merging(files=tuple(f"{n}.py" for n in range(300)), diff="")
    async with a_gate(tmp_path, mode="auto") as scene:
        with pytest.raises(Failed, match="more than 200 files"):
            await asked(scene, MERGE, many)


async def test_explaining_knows_them(tmp_path: Path) -> None:
    rules = Permissions(deny=("SpawnAgent(review)",)).lines("f")
    async with a_gate(tmp_path, rules=rules) as scene:
        allowed = await scene.ui.ask("gate", Explain(call=SPAWN), Explanation)
        in_plan = await scene.ui.ask("gate", Explain(call=WRITER, mode="plan"), Explanation)
        merge = await scene.ui.ask("gate", Explain(call=MERGE, mode="accept-edits"), Explanation)
        denied = await scene.ui.ask(
            "gate", Explain(call=call("spawn_agent", name="a", prompt="b", type="review")), Explanation
        )
        with pytest.raises(Failed, match="Malformed arguments for spawn_agent"):
            await scene.ui.ask("gate", Explain(call=call("spawn_agent", name="A B", prompt="b")), Explanation)

    assert (allowed.verdict, allowed.rule) == ("allow", "mode default")
    assert "SpawnAgent(explore)" in allowed.change
    assert (in_plan.verdict, in_plan.rule, in_plan.why) == (
        "deny",
        "mode plan",
        "mode plan does not allow to spawn agents that write",
    )
    assert in_plan.change == "another mode: default, accept-edits, auto"
    assert (merge.verdict, merge.why) == ("ask", "nobody knows which files it brings")
    assert (denied.verdict, denied.rule, denied.source) == ("deny", "SpawnAgent(review)", "f")
