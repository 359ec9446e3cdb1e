"""What a subagent may: the real gate and store; never more than its parent, nothing where nobody has confined it."""

from pathlib import Path

import pytest
from trio import open_nursery as trio_nursery

from actors.errors import Failed
from actors.gate.rules import confinement
from actors.mailbox import Mailbox
from actors.messages.base import Done, Message
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.model import ToolSpec
from actors.messages.store import CONFINED_OF, Recall, Recalled, Remember, open_session_key
from actors.messages.subagent import Confine
from actors.messages.tool import (
    Allowed,
    Authorise,
    Denied,
    HookRan,
    Mode,
    ModeIs,
    OfferChanged,
    OfferTools,
    RunTool,
    SetMode,
    Tools,
    UserAnswered,
)
from actors.settings.permissions import Permissions
from actors.settings.workspace_files import Hook, Hooks
from tests.actors.gate.scenes import COMMAND, SPECS, Scene, a_gate, call
from tests.fakes.tools import SCHEMA, FakeTools

CHILD, SESSION = "agent:sub:s1-1", "s1.1"
LOOK = call("read", path="a.txt")
NOTE = call("write", path="note.txt", content="x")
RUN = call("bash", command="make test")
LOOKED_FOR = "grep -rqIiwF --exclude-dir=.git -e example.com ."
FETCH = call("web_fetch", url="https://example.com/x")
MORE = (ToolSpec(name="bash_background", description="Run.", parameters=SCHEMA, effect="execute", touches=(COMMAND,)),)


class Child:
    def __init__(self, scene: Scene, agent: str = CHILD) -> None:
        self.scene, self.agent = scene, agent
        self.tools = FakeTools((*SPECS, *MORE))
        scene.network.start(f"tools:{agent.partition(':')[2]}", self.tools.run)
        self.mailbox: Mailbox = scene.network.mailbox(agent)

    async def verdict(self, wanted: ToolCall, session_id: str = SESSION) -> str:
        return kind(await self.authorise(wanted, session_id))

    async def authorise(self, wanted: ToolCall, session_id: str = SESSION) -> Message:
        asked = Authorise(call=wanted, session_id=session_id, named=("example.com",))
        return await self.mailbox.insist("gate", asked, Message)

    async def offered(self, session_id: str = SESSION) -> Tools:
        return await self.mailbox.insist("gate", OfferTools(session_id=session_id), Tools)


def kind(verdict: Message) -> str:
    return {ToolResult: "allow", Allowed: "allow", Denied: "deny"}[type(verdict)]


async def confine(scene: Scene, *, agent: str = CHILD, session_id: str = SESSION, **may: object) -> None:
    wanted = Confine(agent=agent, session_id=session_id, parent="agent:main", **may)  # type: ignore[arg-type]
    await scene.agent.insist("gate", wanted, Done)


@pytest.mark.parametrize(
    ("mode", "verdicts"),
    [
        ("default", ["allow", "deny", "deny"]),
        ("accept-edits", ["allow", "deny", "deny"]),
        ("auto", ["allow", "deny", "deny"]),
        ("plan", ["allow", "deny", "deny"]),
        ("research", ["allow", "deny", "deny"]),
    ],
)
async def test_one_that_only_looks_does_so_whatever_its_parent_may(
    tmp_path: Path, mode: Mode, verdicts: list[str]
) -> None:
    async with a_gate(tmp_path, mode=mode) as scene:
        child = Child(scene)
        await confine(scene, read_only=True)

        said = [await child.verdict(wanted) for wanted in (LOOK, NOTE, RUN)]

    assert said == verdicts


@pytest.mark.parametrize(
    ("mode", "verdicts"),
    [
        ("accept-edits", ["allow", "allow", "deny"]),
        ("default", ["allow", "allow", "deny"]),
        ("auto", ["allow", "allow", "allow"]),
        ("plan", ["allow", "deny", "deny"]),
        ("research", ["allow", "deny", "deny"]),
    ],
)
async def test_one_that_writes_may_in_its_copy_what_its_parent_lets_it(
    tmp_path: Path, mode: Mode, verdicts: list[str]
) -> None:
    """Nobody is there to ask, so what asks is denied."""
    async with a_gate(tmp_path, mode=mode, interactive=False) as scene:
        child = Child(scene)
        await confine(scene, read_only=False)

        said = [await child.verdict(wanted) for wanted in (LOOK, NOTE, RUN)]

    assert said == verdicts


@pytest.mark.parametrize(
    ("mode", "web"),
    [("default", "deny"), ("accept-edits", "deny"), ("research", "deny"), ("plan", "allow"), ("auto", "allow")],
)
async def test_the_web_is_read_unasked_only_where_its_parent_may(tmp_path: Path, mode: Mode, web: str) -> None:
    async with a_gate(tmp_path, mode=mode, interactive=False) as scene:
        child = Child(scene)
        child.tools.hooks = scene.tools.hooks = {LOOKED_FOR: HookRan(exit_code=1, output="")}
        scene.network.start("web", FakeTools().run)
        await confine(scene, read_only=True)

        of_child = await child.verdict(FETCH)
        of_parent = kind(await scene.authorise(FETCH, "example.com"))

    assert (of_child, of_parent) == (web, web)


async def test_it_follows_the_mode_of_its_parent_as_that_changes_and_is_told(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="accept-edits") as scene:
        child = Child(scene)
        await confine(scene, read_only=False)
        before = await child.verdict(NOTE)
        await scene.set_mode("plan")
        told = [type((await anext(aiter(child.mailbox))).message)]
        in_plan = await child.verdict(NOTE)
        mode = (await child.offered()).mode
        await scene.set_mode("auto")
        in_auto = await child.verdict(RUN)

    assert (before, in_plan, in_auto) == ("allow", "deny", "allow")
    assert (told, mode) == ([OfferChanged], "research")


async def test_its_own_mode_cannot_be_set(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        Child(scene)
        await confine(scene)

        with pytest.raises(Failed, match="the mode of agent:sub:s1-1 is that of who has spawned it"):
            await scene.ui.ask("gate", SetMode(agent=CHILD, mode="auto"), ModeIs)


async def test_one_that_nobody_has_confined_may_nothing_and_is_told_why(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="auto") as scene:
        child = Child(scene)

        denied = [await child.authorise(wanted) for wanted in (LOOK, NOTE, call("spawn_agent", name="a", prompt="b"))]
        with pytest.raises(Failed, match="nobody has said what agent:sub:s1-1 may") as no_tools:
            await child.offered()
        await confine(scene)
        then = await child.verdict(LOOK)

    assert (
        denied
        == [
            Denied(
                reason="denied: nobody has said what agent:sub:s1-1 may, so it may nothing.",
                remedy="nobody has said what agent:sub:s1-1 may, so it may nothing.",
            )
        ]
        * 3
    )
    assert (no_tools.value.problem.code, then) == ("not_allowed", "allow")


async def test_what_it_may_is_still_so_after_a_death_of_the_gate(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="auto") as scene:
        child = Child(scene)
        await confine(scene, read_only=True)
        await scene.agent.insist("store", Remember(key=open_session_key("r1", CHILD), value=SESSION), Done)
        scene.restart_gate()

        said = [await child.verdict(wanted) for wanted in (LOOK, NOTE)]

    assert said == ["allow", "deny"]


@pytest.mark.parametrize("said", ["", "s1", "s1.2", "elsewhere"])
async def test_after_a_death_of_the_gate_one_that_does_not_say_its_session_may_nothing(
    said: str, tmp_path: Path
) -> None:
    async with a_gate(tmp_path, mode="auto") as scene:
        child = Child(scene)
        Child(scene, "agent:sub:s1-2")
        await confine(scene, read_only=True)
        await confine(scene, agent="agent:sub:s1-2", session_id="s1.2", read_only=False)
        scene.restart_gate()

        verdicts = [await child.verdict(wanted, session) for wanted, session in ((LOOK, said), (LOOK, SESSION))]

    assert verdicts == ["deny", "allow"]


async def test_a_question_of_its_is_asked_again_after_a_death_of_the_gate(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="default") as scene, trio_nursery() as nursery:
        child = Child(scene)
        await confine(scene, read_only=False, name="builder")
        nursery.start_soon(child.verdict, RUN)
        await scene.question()
        scene.restart_gate()

        request, question = await scene.question()

        assert (question.agent, question.asker) == (CHILD, "builder")
        assert question.title.startswith("the agent builder: ")
        request.reply(UserAnswered(choice="no"))


@pytest.mark.parametrize("session_id", ["s1", "s1.2", "s1.11", "elsewhere"])
async def test_no_other_session_lends_it_what_may_be_done_there(tmp_path: Path, session_id: str) -> None:
    """A copy or an import of a session has another id, and no record of what it may."""
    async with a_gate(tmp_path, mode="auto") as scene:
        child = Child(scene)
        Child(scene, "agent:sub:s1-2")
        await confine(scene, read_only=True)
        await confine(scene, agent="agent:sub:s1-2", session_id="s1.2", read_only=False)

        with pytest.raises(Failed, match="nobody has said what"):
            await child.offered(session_id)


@pytest.mark.parametrize(
    ("asker", "parent", "agent"),
    [
        ("agent:sub:s1-1", "agent:sub:s1-1", "agent:sub:s1-1"),
        ("agent:sub:s1-1", "agent:main", "agent:sub:s1-1"),
        ("agent:t1", "agent:main", "agent:sub:s1-1"),
        ("ui", "ui", "agent:sub:s1-1"),
        ("agent:main", "agent:main", "agent:t1"),
    ],
)
async def test_only_its_parent_says_what_a_subagent_may(tmp_path: Path, asker: str, parent: str, agent: str) -> None:
    async with a_gate(tmp_path) as scene:
        mailbox = {"ui": scene.ui, "agent:main": scene.agent}.get(asker) or scene.network.mailbox(asker)
        wanted = Confine(agent=agent, session_id=SESSION, parent=parent, read_only=False)

        with pytest.raises(Failed, match=f"{asker} cannot say what {agent} may"):
            await mailbox.insist("gate", wanted, Done)
        kept = (await scene.agent.insist("store", Recall(key=CONFINED_OF + SESSION), Recalled)).value

    assert not kept


async def test_it_is_offered_what_it_can_use_and_nothing_that_asks_or_spawns(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="auto") as scene:
        child = Child(scene)
        await confine(scene, read_only=True)
        looks = [tool.name for tool in (await child.offered()).tools]
        await confine(scene, read_only=False)
        writes = [tool.name for tool in (await child.offered()).tools]
        await confine(scene, read_only=False, tools=("read", "bash"))
        only = [tool.name for tool in (await child.offered()).tools]
        parents = {tool.name for tool in (await scene.agent.ask("gate", OfferTools(session_id="s1"), Tools)).tools}

    everything = ["read", "write", "bash", "bash_output", "gh", "web_fetch", "bash_background", "recall"]
    assert looks == [name for name in everything if name != "write"]
    assert (writes, only) == (everything, ["read", "bash"])
    assert {"spawn_agent", "merge_agent", "ask_user"} <= parents


@pytest.mark.parametrize(
    "name",
    sorted(confinement.NEVER),
)
async def test_what_asks_or_spawns_is_denied_to_it_whatever_is_allowed(tmp_path: Path, name: str) -> None:
    rules = Permissions(allow=("SpawnAgent", "AskUser", "MergeAgent", "Write")).lines("f")
    async with a_gate(tmp_path, mode="auto", rules=rules) as scene:
        child = Child(scene)
        await confine(scene, read_only=False)

        denied = await child.authorise(call(name, name="x", prompt="y", question="z"))

    assert isinstance(denied, Denied)
    assert "does not ask the user, and spawns no others" in denied.reason


async def test_of_tools_that_its_type_does_not_have_every_call_is_denied(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="auto") as scene:
        child = Child(scene)
        await confine(scene, read_only=False, tools=("read", "bash"))

        said = [await child.verdict(wanted) for wanted in (LOOK, RUN, NOTE, FETCH)]

    assert said == ["allow", "allow", "deny", "deny"]


async def test_what_was_allowed_in_its_parents_session_does_not_count_in_its_own(tmp_path: Path) -> None:
    again = call("bash", "c2", command="make test")
    async with a_gate(tmp_path) as scene:
        child = Child(scene)
        await confine(scene, read_only=False, name="builder")
        await scene.answer(RUN, "session")
        of_parent = await scene.authorise(again)
        async with trio_nursery() as nursery:
            answers: list[Message] = []

            async def ask() -> None:
                answers.append(await child.authorise(again))

            nursery.start_soon(ask)
            request, question = await scene.question()
            request.reply(UserAnswered(choice="no"))

    assert isinstance(of_parent, Allowed)
    assert question.agent == CHILD
    assert question.title == "the agent builder: bash"
    assert {choice.id for choice in question.choices} == {"once", "session", "no", "no_because"}
    assert [kind(answer) for answer in answers] == ["deny"]


async def test_rules_that_deny_count_for_it_and_hooks_run(tmp_path: Path) -> None:
    rules = Permissions(deny=("Write(note.txt)",)).lines("f")
    hooks = Hooks(pre_tool=(Hook(command="no reading", tools=("Read",)),))
    async with a_gate(tmp_path, mode="auto", rules=rules, hooks=hooks) as scene:
        child = Child(scene)
        child.tools.hooks = {"no reading": HookRan(exit_code=0, output='{"decision": "deny", "reason": "not here"}')}
        await confine(scene, read_only=False)

        said = [await child.verdict(wanted) for wanted in (NOTE, call("write", "c2", path="b.txt", content=""), LOOK)]

    assert said == ["deny", "allow", "deny"]
    assert [hook.command for hook in child.tools.hooks_ran] == ["no reading"]


async def test_a_call_that_was_allowed_runs_in_its_own_worker(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="auto") as scene:
        child = Child(scene)
        await confine(scene, read_only=False)
        allowed = await child.authorise(NOTE)
        assert isinstance(allowed, Allowed)
        async with child.mailbox.stream("gate", RunTool(call=NOTE, ticket=allowed.ticket)) as stream:
            result = await stream.result(ToolResult)

    assert (result.output, child.tools.ran, scene.tools.ran) == ("c1 done", ["c1"], [])
