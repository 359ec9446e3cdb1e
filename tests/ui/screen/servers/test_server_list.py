"""What /mcp does with a server: what can be chosen, what its actor is asked for, and what the user is told."""

from pathlib import Path

import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.mcp import DescribeServer, RestartServer, ServerChanged
from actors.messages.system import ActorGivenUp, ActorRestarted, StartActor, StopActor
from actors.settings.mcp.servers import LeftOutServer
from tests.ui.screen.servers.desk import BOX, READY, desk, labels
from ui.screen.servers.server_list import NONE


async def test_all_are_listed_also_those_that_do_not_count_with_why() -> None:
    async with desk("") as it:
        await it.servers.choose()

        assert it.asked[0].title == "4 MCP servers, 1 ready · about 1.2k tok of each request"
        assert labels(it.asked[0]) == [
            "box ready stdio 1 tool ~1.2k tok 2025-11-25",
            "hub needs a login http 1 tool 2025-11-25",
            "odd has a mistake /w: it is no table.",
            "off disabled stdio it is disabled in /c/mcp.json: trouper mcp enable off",
        ]
        assert it.wanted == []


async def test_one_that_was_trusted_when_the_session_began_counts() -> None:
    brought = replace(BOX, name="new", source="/w/.mcp.json", scope="workspace")
    untrusted = LeftOutServer(
        name="new", source="/w/.mcp.json", scope="workspace", transport="stdio", why="untrusted",
        reason="You have not trusted it: trouper mcp trust", server=brought,
    )  # fmt: skip
    async with desk("", "", left_out=(untrusted,)) as it:
        await it.servers.choose()
        it.has["new"] = replace(READY, name="new", state="unstarted")
        await it.servers.choose()

    assert labels(it.asked[0])[2] == "new not trusted stdio You have not trusted it: trouper mcp trust"
    assert labels(it.asked[1])[2] == "new not started stdio 1 tool 2025-11-25"


async def test_without_any_it_is_said_how_one_is_added() -> None:
    async with desk(mcp=(), left_out=()) as it:
        await it.servers.choose()

    assert (it.said, it.asked) == ([(NONE, "info")], [])


@pytest.mark.parametrize(
    ("place", "can"),
    [
        ("0", ["start it anew", "the last lines of its log", "back"]),
        (
            "1",
            [
                "start it anew",
                "sign in to it, with the browser",
                "forget the sign-in to it",
                "the last lines of its log",
                "back",
            ],
        ),
        ("2", ["back"]),
        ("3", ["back"]),
    ],
)
async def test_what_can_be_done_is_offered_and_back_leads_to_the_list(place: str, can: list[str]) -> None:
    async with desk(place, "back", "") as it:
        await it.servers.choose()

        assert labels(it.asked[1]) == can
        assert (it.asked[1].default, it.asked[1].escape) == ("back", "back")
        assert it.asked[2].default == place


async def test_while_the_list_is_open_it_shows_what_changes_and_the_second_one_is_not_asked() -> None:
    async with desk() as it, trio.open_nursery() as nursery:
        nursery.start_soon(it.servers.choose)
        await wait_all_tasks_blocked()
        await it.servers.choose()
        it.servers.heard(ServerChanged(server=replace(READY, state="starting"), tokens=7))
        it.servers.process_died(ActorRestarted(name="mcp:hub", why="killed by signal 9", restarts=1))
        it.servers.process_died(ActorRestarted(name="store", why="killed by signal 9", restarts=1))
        it.choices.send_nowait("")
        await wait_all_tasks_blocked()
        it.servers.heard(ServerChanged(server=READY))

        assert len(it.asked) == 1
        assert [labels(one)[:2] for one in it.renewed] == [
            ["box starting stdio 1 tool ~7 tok 2025-11-25", labels(it.asked[0])[1]],
            [
                "box starting stdio 1 tool ~7 tok 2025-11-25",
                "hub starting http 1 tool 2025-11-25 killed by signal 9",
            ],
        ]


async def test_what_died_stays_dead_though_the_gate_does_not_know_it() -> None:
    async with desk("", "", "") as it:
        await it.servers.choose()
        it.servers.process_died(ActorGivenUp(name="mcp:box", why="mcp:box died 8 times"))
        await it.servers.choose()
        it.servers.heard(ServerChanged(server=READY, tokens=1200))
        await it.servers.choose()

    assert labels(it.asked[1])[0] == "box failed stdio 1 tool ~1.2k tok 2025-11-25 mcp:box died 8 times"
    assert labels(it.asked[2]) == labels(it.asked[0])


async def test_one_is_started_anew_and_how_that_ends_is_told() -> None:
    async with desk("0", "restart") as it:
        await it.servers.choose()

        assert [type(one) for one in it.wanted] == [StartActor, RestartServer, DescribeServer]
        assert it.said == [("starting box anew …", "info"), ("the MCP server box is ready: 1 tool", "info")]


async def test_one_that_does_not_come_up_says_why_in_one_line() -> None:
    async with desk() as it:
        it.has["box"] = replace(READY, state="failed", error="The MCP server box is not there: it\x1b[2J broke.\nmore")
        await it.servers.do("restart", "box")

        assert it.said[1] == (r"The MCP server box is not there: it\x1b[2J broke. more", "warning")


async def test_also_one_whose_actor_died_too_often() -> None:
    async with desk() as it:
        it.gone = True
        await it.servers.do("restart", "box")

        assert [type(one) for one in it.wanted][:3] == [StartActor, StopActor, StartActor]
        assert it.said[-1] == ("the MCP server box is ready: 1 tool", "info")


async def test_what_changes_meanwhile_is_not_told_twice() -> None:
    async with desk() as it:
        down = ServerChanged(server=replace(READY, state="failed", given_up=True, error="it broke"))
        it.servers.heard(down)
        it.network.hold_back("mcp:box")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(it.servers.do, "restart", "box")
            await wait_all_tasks_blocked()
            it.servers.heard(ServerChanged(server=READY))
            it.network.let_go("mcp:box")

        assert [text for text, _ in it.said] == [
            "it broke",
            "starting box anew …",
            "the MCP server box is ready: 1 tool",
        ]


@pytest.mark.parametrize(
    ("what", "name", "said"),
    [
        ("restart", "bx", "there is no MCP server bx. Did you mean box?"),
        ("login", "zzz", "there is no MCP server zzz. /mcp lists them."),
    ],
)
async def test_a_name_that_is_none_names_the_nearest_and_the_line_comes_back(what: str, name: str, said: str) -> None:
    async with desk() as it:
        await it.servers.do(what, name)
        await it.servers.look_at(name)

        assert it.said == [(said, "warning")] * 2
        assert it.given_back == [f"/mcp {what} {name}", f"/mcp {name}"]
        assert (it.asked, it.wanted) == ([], [])


async def test_with_one_that_does_not_count_nothing_is_done() -> None:
    async with desk() as it:
        await it.servers.do("restart", "odd")

        assert it.said == [("odd does not count here: /w: it is no table.", "warning")]
        assert it.wanted == []


async def test_a_gate_that_is_gone_is_told_of() -> None:
    async with desk() as it:
        it.network.kill("gate")
        it.network.start("gate", _refuses)
        await it.servers.choose()

        assert it.said == [("the gate is gone.", "error")]
        assert it.asked == []


async def _refuses(mailbox: Mailbox) -> None:
    async for request in mailbox:
        request.fail(failed("gone", "the gate is gone.").problem)


async def test_the_last_lines_of_the_log_are_shown(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "mcp" / "box.log"
    log.parent.mkdir(parents=True)
    log.write_text("".join(f"line {number}\n" for number in range(50)))
    async with desk("0", "log", "0", "log", home=str(tmp_path)) as it:
        await it.servers.choose()
        log.unlink()
        await it.servers.choose()

    text = it.said[0][0].splitlines()
    assert (text[0], text[1], text[-1]) == (f"the last lines of {log}:", "line 30", "line 49")
    assert it.said[1] == (f"box has logged nothing yet ({log})", "info")
