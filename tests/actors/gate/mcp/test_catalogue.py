"""MCP servers beside the gate: started when they are needed, offered in one order, judged like everything else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
import trio

from actors.errors import Failed
from actors.gate.mcp.catalogue import AT_ONCE, TURN_S
from actors.messages.base import Done, Message
from actors.messages.conversation import ToolResult
from actors.messages.mcp import (
    DescribeServers,
    McpTool,
    RestartServers,
    ServerChanged,
    ServerIs,
    ServersAre,
    ServersRestarted,
)
from actors.messages.subagent import Confine
from actors.messages.tool import Allowed, Authorise, Denied, OfferChanged, OfferTools, Tools, UserAnswered
from actors.settings.mcp import remembered
from actors.settings.mcp.servers import McpServer
from actors.settings.permissions import RuleLine
from actors.texts.token_estimate import of_tool
from tests.actors.gate.scenes import SPECS, Scene, a_gate, call
from tests.fakes.tools import FakeServer, FakeTools

PUT, GET = McpTool(name="put"), McpTool(name="get")
EMPTY = '{"type":"object"}'


def configured(name: str, **more: object) -> McpServer:
    plain = McpServer(name=name, transport="stdio", command=name, source="/c", scope="user")
    return msgspec.structs.replace(plain, **more)


@asynccontextmanager
async def servers(
    workspace: Path, *which: McpServer, **settings: object
) -> AsyncIterator[tuple[Scene, dict[str, FakeServer]]]:
    """Each has put and get."""
    fakes = {
        one.name: FakeServer(ServerIs(name=one.name, state="ready", transport="stdio", tools=(PUT, GET)))
        for one in which
    }
    by_actor = {f"mcp:{name}": fake for name, fake in fakes.items()}
    async with a_gate(workspace, servers=by_actor, mcp=which, **settings) as scene:
        yield scene, fakes


async def offered(scene: Scene, turn: str = "t1") -> list[str]:
    tools = await scene.agent.insist("gate", OfferTools(session_id="s1", turn_id=turn), Tools)
    return [tool.name for tool in tools.tools if tool.runs_in == "mcp"]


async def settled() -> None:
    """A server that nothing is known of is started a moment after the first request."""
    await trio.testing.wait_all_tasks_blocked()


async def known(scene: Scene, count: int, turn: str) -> list[str]:
    with trio.fail_after(60):
        while len(names := await offered(scene, turn)) < count:
            await trio.sleep(0.01)
            turn += "'"
    return names


async def test_servers_are_started_after_the_first_request_and_offered_from_the_next_turn_on(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("zoo"), configured("box")) as (scene, fakes):
        first = await offered(scene, "t1")
        started = [fake.is_started for fake in fakes.values()]
        later = await known(scene, 4, "t2")
        again = await offered(scene, "t2")

        assert (first, started) == ([], [False, False])
        assert later == ["box___get", "box___put", "zoo___get", "zoo___put"]
        assert again in ([], later)


@pytest.mark.slow
async def test_many_that_nothing_is_known_of_are_started_a_few_at_a_time_and_slow_ones_hold_up_nobody(
    tmp_path: Path,
) -> None:
    names = [f"s{number}" for number in range(AT_ONCE + 1)]
    async with servers(tmp_path, *map(configured, names)) as (scene, fakes):
        for fake in fakes.values():
            fake.takes_s = float("inf")
        await offered(scene, "t1")
        await fakes[names[-1]].started.wait()

        first, *others, last = (fakes[name].began for name in names)
        assert last - first >= TURN_S * 0.9
        assert max(others) < last


async def test_what_a_turn_was_told_stays_the_same_until_it_ends(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box")) as (scene, fakes):
        await known(scene, 2, "t1")
        before = await offered(scene, "t9")
        fakes["box"].tell(tools=(PUT,))
        await settled()

        assert await offered(scene, "t9") == before == ["box___get", "box___put"]
        assert await offered(scene, "t10") == ["box___put"]
        verdict = await scene.answer(call("box___get"), "once")
        assert isinstance(verdict, Allowed)
        assert (await scene.result(call("box___get"), verdict)).output == "box did it"


async def test_with_nobody_there_a_server_that_comes_up_is_told_in_the_same_turn(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box"), interactive=False) as (scene, _):
        assert await offered(scene) == []

        async for request in scene.agent:
            assert isinstance(request.message, OfferChanged)
            break

        assert await offered(scene) == ["box___get", "box___put"]


async def test_what_is_remembered_is_offered_at_once_and_nothing_is_started_for_it(tmp_path: Path) -> None:
    box = configured("box")
    async with servers(tmp_path, box) as (scene, _):
        await known(scene, 2, "t1")
    async with servers(tmp_path, box) as (scene, fakes):
        assert await offered(scene) == ["box___get", "box___put"]
        await settled()
        assert not fakes["box"].is_started

        verdict = await scene.answer(call("box___put"), "once")

        assert isinstance(verdict, Allowed)
        assert (await scene.result(call("box___put"), verdict)).output == "box did it"


async def test_twenty_that_are_remembered_cost_the_first_request_no_envelope(tmp_path: Path) -> None:
    twenty = [configured(f"s{number:02}") for number in range(20)]
    said: list[list[tuple[str, str, str]]] = []
    for which in ([], [], twenty):  # what is remembered of other tools is so after the first
        for one in which:
            known = ServerIs(name=one.name, state="ready", transport="stdio", tools=(PUT, GET))
            remembered.remember(tmp_path / ".home", one, known)
        async with servers(tmp_path, *which) as (scene, _):
            names = await offered(scene)
            await settled()
            said.append(sorted((one.kind, one.sender, one.to) for one in scene.network.carried))

    assert len(names) == 40
    assert said[2] == said[1]


async def test_a_call_of_a_server_that_has_not_told_its_tools_yet_waits_for_it(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box"), mode="auto") as (scene, fakes):
        assert await offered(scene) == []

        result = await scene.run(call("box___put"))

        assert result.output == "box did it"
        assert [one.name for one in fakes["box"].ran] == ["box___put"]


async def test_a_call_of_a_server_that_does_not_come_up_fails_with_why(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box"), mode="auto") as (scene, fakes):
        fakes["box"].has = msgspec.structs.replace(fakes["box"].has, state="failed", tools=(), error="it broke")

        with pytest.raises(Failed, match="it broke"):
            await scene.run(call("box___put"))


async def test_a_gate_that_died_asks_the_servers_anew(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box"), mode="auto") as (scene, fakes):
        fakes["box"].has = msgspec.structs.replace(fakes["box"].has, state="failed", tools=(), error="it broke")
        with pytest.raises(Failed, match="it broke"):
            await scene.run(call("box___put"))

        scene.restart_gate()

        with pytest.raises(Failed, match="it broke"):
            await scene.run(call("box___get"))


async def test_of_another_command_nothing_is_remembered(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box")) as (scene, _):
        await known(scene, 2, "t1")
    async with servers(tmp_path, configured("box", digest="other")) as (scene, _):
        assert await offered(scene) == []


async def test_the_user_is_asked_and_sees_the_arguments_whole(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box")) as (scene, _):
        await known(scene, 2, "t1")
        scene.ask_for(call("box___put", text="hello"))
        request, asked = await scene.question()
        request.reply(UserAnswered(choice="session"))
        await scene.verdict()

        assert (asked.title, asked.call.shown) == ("box:put", "box:put")
        assert asked.detail == '{\n  "text": "hello"\n}'
        assert "box" in asked.risk
        result = await scene.run(call("box___put", "c2", text="again"))
        assert result.output == "box did it"


@pytest.mark.parametrize(
    ("mode", "more", "runs"),
    [
        ("plan", {}, False),
        ("plan", {"read_only": True}, True),
        ("plan", {"plan_tools": ("put",)}, True),
        ("auto", {}, True),
    ],
)
async def test_in_plan_mode_only_what_the_user_says_that_it_only_looks(
    tmp_path: Path, mode: str, more: dict[str, object], runs: bool
) -> None:
    async with servers(tmp_path, configured("box", **more), mode=mode) as (scene, _):
        await known(scene, 2, "t1")
        verdict = await scene.authorise(call("box___put"))

        assert isinstance(verdict, Denied) is not runs


async def test_a_rule_can_deny_it_and_then_it_is_not_offered(tmp_path: Path) -> None:
    rules = (RuleLine(verdict="deny", text="Mcp(box:put)", source="--deny"),)
    async with servers(tmp_path, configured("box"), rules=rules, mode="auto") as (scene, _):
        assert await known(scene, 1, "t1") == ["box___get"]
        assert isinstance(await scene.authorise(call("box___put")), Denied)


@pytest.mark.parametrize(
    ("tools", "names"),
    [
        ((), ["box___get", "box___put", "zoo___get", "zoo___put"]),
        (("read",), []),
        (("read", "box:get"), ["box___get"]),
        (("box:*", "-box:put", "zoo:p*"), ["box___get", "zoo___put"]),
    ],
)
async def test_a_subagent_has_those_that_its_kind_names_and_never_what_its_parent_may_not(
    tmp_path: Path, tools: tuple[str, ...], names: list[str]
) -> None:
    rules = (RuleLine(verdict="deny", text="Mcp(zoo:get)", source="--deny"),)
    async with servers(tmp_path, configured("box"), configured("zoo"), mode="auto", rules=rules) as (scene, _):
        await known(scene, 3, "t1")
        child = scene.network.mailbox("agent:sub:s1-1")
        scene.network.start("tools:sub:s1-1", FakeTools(SPECS).run)
        may = Confine(agent="agent:sub:s1-1", session_id="s1.1", parent="agent:main", read_only=False, tools=tools)
        await scene.agent.insist("gate", may, Done)
        offer = await child.insist("gate", OfferTools(session_id="s1.1", turn_id="t1"), Tools)
        verdicts = {
            name: await child.insist("gate", Authorise(call=call(name), session_id="s1.1"), Message)
            for name in ("box___get", "box___put", "zoo___get", "zoo___put")
        }

    allowed = [name for name in names if name != "zoo___get"]
    assert [tool.name for tool in offer.tools if tool.runs_in == "mcp"] == allowed
    assert [name for name, verdict in verdicts.items() if isinstance(verdict, Allowed)] == allowed


async def test_a_secret_does_not_leave_in_the_arguments(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box"), mode="auto") as (scene, fakes):
        await known(scene, 2, "t1")
        scene.providers.secret = "planted"
        verdict = await scene.authorise(call("box___put", text="it is planted here"))

        assert isinstance(verdict, Denied)
        assert fakes["box"].ran == []


async def test_a_server_that_is_not_configured_tells_the_gate_nothing(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box")) as (scene, fakes):
        await known(scene, 2, "t1")
        fakes["box"].tell(name="other")
        await settled()

        assert await offered(scene, "t5") == ["box___get", "box___put"]
        with pytest.raises(Failed):
            await scene.authorise(call("other___put"))


async def test_a_result_comes_from_the_server_s_actor_itself(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box", read_only=True)) as (scene, fakes):
        await known(scene, 2, "t1")
        result = await scene.authorise(call("box___get"))

        assert isinstance(result, ToolResult)
        assert [one.name for one in fakes["box"].ran] == ["box___get"]


async def test_whoever_asks_what_there_is_hears_of_every_server_and_starts_none(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("zoo"), configured("box")) as (scene, fakes):
        before = await scene.agent.ask("gate", DescribeServers(), ServersAre)
        started = [fake.is_started for fake in fakes.values()]
        await known(scene, 4, "t1")
        after = await scene.agent.ask("gate", DescribeServers(), ServersAre)

        assert [(one.name, one.state, len(one.tools)) for one in before.servers] == [
            ("box", "unstarted", 0),
            ("zoo", "unstarted", 0),
        ]
        assert started == [False, False]
        assert [(one.name, one.state, len(one.tools)) for one in after.servers] == [
            ("box", "ready", 2),
            ("zoo", "ready", 2),
        ]
        assert before.tokens == {}
        assert after.tokens == dict.fromkeys(("box", "zoo"), of_tool("box___get", "box:get", EMPTY) * 2)


@pytest.mark.parametrize("interactive", [True, False])
async def test_whoever_looks_on_hears_how_a_server_stands_and_what_it_costs(tmp_path: Path, interactive: bool) -> None:
    async with servers(tmp_path, configured("box", deny=("put",)), interactive=interactive) as (scene, fakes):
        while not (await scene.agent.ask("gate", DescribeServers(), ServersAre)).tokens:
            await offered(scene)
        fakes["box"].tell(state="failed", error="it broke", given_up=True)

        told = [message for message in await scene.told_by_now() if isinstance(message, ServerChanged)]

    known = [(one.server.state, one.server.given_up, one.tokens) for one in told]
    cost = of_tool("box___get", "box:get", EMPTY)
    states = list(dict.fromkeys(known))
    assert states == ([("starting", False, 0), ("ready", False, cost), ("failed", True, cost)] if interactive else [])


async def test_servers_are_restarted_for_whoever_comes_from_outside(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box"), configured("zoo")) as (scene, fakes):
        nothing = await scene.agent.ask("gate", RestartServers(), ServersRestarted)
        one = await scene.agent.ask("gate", RestartServers(servers=("box", "nobody")), ServersRestarted)
        while (await scene.agent.ask("gate", DescribeServers(), ServersAre)).servers[0].state == "unstarted":
            await settled()
        running = await scene.agent.ask("gate", RestartServers(), ServersRestarted)

        assert nothing == ServersRestarted()
        assert one == ServersRestarted(restarted=("box",), missing=("nobody",))
        assert running == ServersRestarted(restarted=("box",))
        assert [fake.restarts for fake in fakes.values()] == [2, 0]
