"""Models read what servers have by two tools; a call is judged, asked about and run as one of the server it names."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from actors.errors import Failed
from actors.messages.base import Done, Message
from actors.messages.conversation import ToolResult
from actors.messages.mcp import McpResource, McpTemplate
from actors.messages.subagent import Confine
from actors.messages.tool import (
    Allowed,
    Authorise,
    Denied,
    Explain,
    Explanation,
    OfferTools,
    Tools,
    UserAnswered,
)
from actors.settings.permissions import RuleLine
from tests.actors.gate.mcp.test_catalogue import configured, known, servers, settled
from tests.actors.gate.scenes import SPECS, Scene, call
from tests.fakes.tools import FakeServer, FakeTools

ONE = McpResource(uri="box://one", name="one", media_type="text/plain", description="The first.\nOf all.")
ROW = McpTemplate(uri="box://rows/{n}")
READ = call("read_mcp_resource", server="box", uri="box://one")
DENYING = RuleLine(verdict="deny", text="Mcp(box:resources/read)", source="--deny")


@asynccontextmanager
async def having(
    workspace: Path, box: dict[str, object] | None = None, **settings: object
) -> AsyncIterator[tuple[Scene, FakeServer]]:
    """box: how it is configured; it has resources. zoo has none."""
    async with servers(workspace, configured("box", **(box or {})), configured("zoo"), **settings) as (scene, fakes):
        await known(scene, 4, "t1")
        fakes["box"].tell(resources=(ONE,), templates=(ROW,))
        await settled()
        yield scene, fakes["box"]


async def offered(scene: Scene, turn: str) -> list[tuple[str, str]]:
    tools = (await scene.agent.insist("gate", OfferTools(session_id="s1", turn_id=turn), Tools)).tools
    return [(tool.name, tool.effect) for tool in tools if "mcp_resource" in tool.name or tool.server]


async def test_they_are_offered_before_the_tools_of_servers_from_the_next_turn_on(tmp_path: Path) -> None:
    async with servers(tmp_path, configured("box")) as (scene, fakes):
        await known(scene, 2, "t1")
        before = await offered(scene, "t9")
        fakes["box"].tell(resources=(ONE,))
        await settled()

        assert await offered(scene, "t9") == before
        assert await offered(scene, "t10") == [
            ("list_mcp_resources", "read"),
            ("read_mcp_resource", "execute"),
            *before,
        ]


@pytest.mark.parametrize(
    ("box", "effect"),
    [
        ({"read_only": True}, "read"),
        ({"plan_tools": ("resources/read",)}, "read"),
        ({"allow": ("put",)}, None),
        ({"deny": ("resources/read",)}, None),
    ],
)
async def test_the_user_says_whether_reading_only_looks_and_whether_it_is_there(
    tmp_path: Path, box: dict[str, object], effect: str | None
) -> None:
    async with servers(tmp_path, configured("box", **box)) as (scene, fakes):
        await known(scene, 1, "t1")
        fakes["box"].tell(resources=(ONE,))
        await settled()

        assert dict(await offered(scene, "t2")).get("read_mcp_resource") == effect
        if effect is None:
            with pytest.raises(Failed, match='no MCP server "box" has resources that you may read'):
                await scene.run(READ)


async def test_what_there_is_is_listed_for_all_and_for_one(tmp_path: Path) -> None:
    async with having(tmp_path) as (scene, box):
        result = await scene.run(call("list_mcp_resources"))
        of_one = await scene.run(call("list_mcp_resources", server="box"))
        with pytest.raises(Failed, match="Servers with resources: box"):
            await scene.run(call("list_mcp_resources", server="zoo"))

        assert result.output == "box:\nbox://one  one - text/plain - The first. Of all.\ntemplate box://rows/{n}"
        assert result.summary == "1 resource of 1 server"
        assert of_one.output == result.output
        assert box.ran == []


async def test_a_long_list_is_cut_and_says_so(tmp_path: Path) -> None:
    async with having(tmp_path) as (scene, box):
        box.tell(resources=tuple(McpResource(uri=f"box://{number:04}") for number in range(250)), templates=())
        await settled()
        result = await scene.run(call("list_mcp_resources"))
        whole = await scene.run(call("list_mcp_resources", server="box"))

        assert result.output.endswith("box://0199\n[50 more entries left out; name the server to see more of it]")
        assert whole.output.endswith("box://0249")


async def test_a_read_is_asked_about_as_a_call_of_its_server_and_a_yes_for_it_is_for_no_tool(tmp_path: Path) -> None:
    async with having(tmp_path) as (scene, box):
        scene.ask_for(READ)
        request, asked = await scene.question()
        request.reply(UserAnswered(choice="session"))
        verdict = await scene.verdict()

        assert (asked.title, asked.detail) == ("box:resources/read", '{\n  "uri": "box://one"\n}')
        assert "for this session: Mcp(box:resources/read)" in [choice.label for choice in asked.choices]
        assert isinstance(verdict, Allowed)
        assert (await scene.result(READ, verdict)).output == "box did it"
        again = await scene.run(call("read_mcp_resource", "c2", server="box", uri="box://rows/1"))
        assert again.output == "box did it"
        assert [(one.name, one.arguments) for one in box.ran] == [
            ("box___resources/read", '{"uri":"box://one"}'),
            ("box___resources/read", '{"uri":"box://rows/1"}'),
        ]
        denied = await scene.answer(call("box___put", "c3"), "deny")
        assert isinstance(denied, Denied)


@pytest.mark.parametrize(("read_only", "answer"), [(True, ToolResult), (False, Denied)])
async def test_in_plan_mode_it_is_read_where_the_user_says_that_this_only_looks(
    tmp_path: Path, read_only: bool, answer: type[Message]
) -> None:
    async with having(tmp_path, {"read_only": read_only}, mode="plan") as (scene, box):
        assert isinstance(await scene.authorise(READ), answer)
        assert len(box.ran) == read_only


async def test_a_rule_denies_it_and_it_is_explained(tmp_path: Path) -> None:
    async with having(tmp_path, mode="auto", rules=(DENYING,)) as (scene, box):
        denied = await scene.authorise(READ)
        why = await scene.agent.ask("gate", Explain(call=READ), Explanation)
        free = await scene.agent.ask("gate", Explain(call=call("list_mcp_resources")), Explanation)

        assert isinstance(denied, Denied)
        assert (why.verdict, why.rule, free.verdict) == ("deny", "Mcp(box:resources/read)", "allow")
        assert box.ran == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"server": "nobody", "uri": "x"}, 'no MCP server "nobody" has resources that you may read'),
        ({"server": "zoo", "uri": "x"}, "Servers with resources: box."),
        ({"uri": "x"}, "missing required field `server`"),
        ({"server": "box"}, "missing required field `uri`"),
    ],
)
async def test_wrong_words_are_told(tmp_path: Path, arguments: dict[str, object], said: str) -> None:
    async with having(tmp_path, mode="auto") as (scene, box):
        with pytest.raises(Failed, match=said):
            await scene.run(call("read_mcp_resource", **arguments))

        assert box.ran == []


async def test_a_secret_does_not_leave_in_a_uri(tmp_path: Path) -> None:
    async with having(tmp_path, mode="auto") as (scene, box):
        scene.providers.secret = "planted"
        verdict = await scene.authorise(call("read_mcp_resource", server="box", uri="box://planted"))

        assert isinstance(verdict, Denied)
        assert box.ran == []


@pytest.mark.parametrize(
    ("tools", "verdict"), [(("read_mcp_resource",), Allowed), (("box:*",), Allowed), (("box:get",), Denied)]
)
async def test_a_subagent_reads_where_its_kind_names_the_tool_or_all_of_the_server(
    tmp_path: Path, tools: tuple[str, ...], verdict: type[Message]
) -> None:
    async with having(tmp_path, mode="auto") as (scene, _):
        child = scene.network.mailbox("agent:sub:s1-1")
        scene.network.start("tools:sub:s1-1", FakeTools(SPECS).run)
        may = Confine(agent="agent:sub:s1-1", session_id="s1.1", parent="agent:main", read_only=False, tools=tools)
        await scene.agent.insist("gate", may, Done)

        assert isinstance(await child.insist("gate", Authorise(call=READ, session_id="s1.1"), Message), verdict)
