"""/compact: it is seen to run, Esc stops it, and whoever fails or dies is named."""

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from actors.errors import failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done
from actors.messages.turn import Compact
from tests.fakes.network import Network, open_network
from ui.screen import status
from ui.screen.session_view import SessionView
from ui.screen.sessions.compaction import Compaction


class Agent:
    def __init__(self) -> None:
        self.wanted: list[str] = []
        self.ended: list[str] = []
        self.go_on = trio.Event()

    async def run(self, mailbox: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                nursery.start_soon(request.serve, self._compact)

    async def _compact(self, request: Request) -> None:
        assert isinstance(request.message, Compact)
        self.wanted.append(request.message.instructions)
        if request.message.instructions == "fail":
            raise failed("bad_request", "a turn runs.", "Wait for its end.")
        try:
            await self.go_on.wait()
        except trio.Cancelled:
            self.ended.append("cancelled")
            raise
        request.reply(Done())


class Stage:
    def __init__(self, network: Network) -> None:
        self.agent = Agent()
        self.session = SessionView()
        self.said: list[str] = []
        network.start("agent:main", self.agent.run)
        self.compaction = Compaction(
            network.mailbox("ui"), "agent:main", self.session, lambda *told: self.said.append(": ".join(told[::-1]))
        )


@pytest.mark.parametrize("wishes", ["", "keep the plan"])
async def test_it_is_seen_to_run_until_it_is_done(wishes: str) -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        stage = Stage(network)
        nursery.start_soon(stage.compaction.run, wishes)
        await wait_all_tasks_blocked()
        assert stage.session.working
        assert status.doing(stage.session, asking=False) == "Compacting"

        stage.agent.go_on.set()
        await wait_all_tasks_blocked()

    assert not stage.session.working
    assert (stage.agent.wanted, stage.said) == ([wishes], [])


async def test_escape_stops_it_and_then_another_can_run() -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        stage = Stage(network)
        nursery.start_soon(stage.compaction.run, "")
        await wait_all_tasks_blocked()

        assert stage.compaction.stop()
        await wait_all_tasks_blocked()
        assert (stage.agent.ended, stage.session.working) == (["cancelled"], False)
        stage.agent.go_on.set()
        await stage.compaction.run("again")

    assert stage.said == ["warning: compaction stopped: the session is as it was"]
    assert stage.agent.wanted == ["", "again"]


async def test_a_second_one_waits_for_nobody_and_says_so() -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        stage = Stage(network)
        nursery.start_soon(stage.compaction.run, "")
        await wait_all_tasks_blocked()

        await stage.compaction.run("more")

        assert stage.session.working
        stage.agent.go_on.set()
    assert stage.said == ["warning: it is being compacted already; esc stops that"]
    assert stage.agent.wanted == [""]


async def test_why_it_failed_is_said() -> None:
    async with open_network() as network:
        stage = Stage(network)

        await stage.compaction.run("fail")

    assert stage.said == ["error: a turn runs. Wait for its end."]
    assert not stage.session.working


async def test_an_agent_that_dies_leaves_nothing_running() -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        stage = Stage(network)
        nursery.start_soon(stage.compaction.run, "")
        await wait_all_tasks_blocked()

        network.kill("agent:main")
        await wait_all_tasks_blocked()

    assert stage.said == ["error: the agent died before it was compacted; /compact does it again"]
    assert not stage.session.working


async def test_nothing_runs_nothing_is_stopped() -> None:
    async with open_network() as network:
        assert not Stage(network).compaction.stop()
