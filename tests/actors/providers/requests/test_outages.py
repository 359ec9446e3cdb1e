"""Outages on a clock that jumps: what passes by waiting is waited for as long as may be, after however many tries."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio
from trio.testing import MockClock

from actors.mailbox import Mailbox
from actors.messages.base import Message, Problem
from actors.messages.model import Retrying
from tests.actors.providers.talking import (
    ASK,
    HELLO,
    SETTINGS,
    agent_and_server,
    agent_beside,
    agents_and_server,
    answer_in,
    configured,
    problem_in,
    told,
    waits,
    whole,
)
from tests.fakes.model_server import ModelServer, open_model_server

OUTAGE_S = 20.0
PASSING = (
    "529",
    "429",
    "500",
    "503-html",
    "close",
    "drop",
    "short",
    "stall",
    "silence",
    "overloaded-inside",
    "425",
    "408",
)


@asynccontextmanager
async def down(server: ModelServer, fault: str, seconds: float = OUTAGE_S) -> AsyncIterator[None]:
    """The service fails so from now on, for so long."""

    async def come_back() -> None:
        await trio.sleep(seconds)
        server.down = ""

    server.down = fault
    async with trio.open_nursery() as nursery:
        nursery.start_soon(come_back)
        yield


async def told_all(agents: dict[str, Mailbox]) -> dict[str, list[Message]]:
    heard: dict[str, list[Message]] = {}

    async def ask(name: str) -> None:
        heard[name] = await told(agents[name])

    async with trio.open_nursery() as nursery:
        for name in agents:
            nursery.start_soon(ask, name)
    return heard


@pytest.mark.parametrize("fault", PASSING)
async def test_an_outage_of_twenty_seconds_costs_only_time(mock_clock: MockClock, fault: str) -> None:
    async with agent_and_server(mock_clock, "openai-chat") as (agent, server), down(server, fault):
        heard = await told(agent)

    assert heard[-1] == whole("openai-chat")
    assert len(server.asked) > 2


@pytest.mark.parametrize("fault", ["529", "429", "500", "close"])
async def test_six_agents_get_through_an_outage(mock_clock: MockClock, fault: str) -> None:
    async with agents_and_server(mock_clock, "abcdef") as (agents, server), down(server, fault):
        heard = await told_all(agents)

    assert all(answer_in(one) == whole("openai-chat") for one in heard.values())


async def test_a_refused_connection_is_waited_for(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as gone:
        port = int(gone.url.rpartition(":")[2])
    server = ModelServer(HELLO)
    async with agent_beside(mock_clock, configured(gone.url, "openai-chat")) as agent, trio.open_nursery() as nursery:

        async def come_back() -> None:
            await trio.sleep(OUTAGE_S)
            await nursery.start(server.serve, port)

        nursery.start_soon(come_back)
        heard = await told(agent)
        nursery.cancel_scope.cancel()

    assert heard[-1] == whole("openai-chat")
    assert waits(heard)[0].why == "local: the connection was refused."


async def test_waits_grow_to_half_a_minute_and_are_spread(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat") as (agent, server), down(server, "429", 600.0):
        heard = await told(agent)

    waited = [item.wait_s for item in waits(heard)]
    assert max(waited) <= 32.0
    assert max(waited) > 16.0
    assert waited != sorted(waited)  # of some forty with full jitter
    assert len(waited) < 200


async def test_patience_is_time_and_has_an_end(mock_clock: MockClock) -> None:
    settings = msgspec.structs.replace(SETTINGS, retry_for_s=90.0)
    async with open_model_server(HELLO) as server:
        server.down = "529"
        async with agent_beside(mock_clock, configured(server.url, "openai-chat"), settings) as agent:
            before = trio.current_time()
            problem = problem_in(await told(agent))
            took = trio.current_time() - before

    assert problem.code == "overloaded"
    assert 90.0 <= took < 95.0


@pytest.mark.parametrize(("interactive", "least", "most"), [(True, 590.0, 660.0), (False, 3590.0, 3700.0)])
async def test_who_says_nothing_waits_ten_minutes_or_an_hour_where_nobody_looks_on(
    mock_clock: MockClock, interactive: bool, least: float, most: float
) -> None:
    settings = msgspec.structs.replace(SETTINGS, interactive=interactive)
    async with open_model_server(HELLO) as server:
        server.down = "429"
        async with agent_beside(mock_clock, configured(server.url, "openai-chat"), settings) as agent:
            before = trio.current_time()
            problem_in(await told(agent))
            took = trio.current_time() - before

    assert least <= took < most


async def test_no_patience_is_one_try(mock_clock: MockClock) -> None:
    settings = msgspec.structs.replace(SETTINGS, retry_for_s=0.0)
    async with open_model_server(HELLO) as server:
        server.down = "529"
        async with agent_beside(mock_clock, configured(server.url, "openai-chat"), settings) as agent:
            heard = await told(agent)

    assert problem_in(heard).code == "overloaded"
    assert (len(heard), len(server.asked)) == (1, 1)


@pytest.mark.parametrize(("retry_for_s", "waited"), [(7200.0, True), (7199.0, False)])
async def test_a_long_wait_is_obeyed_up_to_the_budget(mock_clock: MockClock, retry_for_s: float, waited: bool) -> None:
    settings = msgspec.structs.replace(SETTINGS, retry_for_s=retry_for_s)
    async with (
        open_model_server(HELLO, ["429-long"]) as server,
        agent_beside(mock_clock, configured(server.url, "openai-chat"), settings) as agent,
    ):
        heard = await told(agent)

    if waited:
        assert (heard[-1], [item.wait_s for item in waits(heard)]) == (whole("openai-chat"), [7200.0])
    else:
        assert problem_in(heard).hint.startswith("The service asks to wait 2 h, until ")


@pytest.mark.parametrize("fault", ["garbage", "bad-gzip", "json-cut", "not-http", "empty", "error-in-200"])
async def test_what_cannot_be_read_is_no_outage(mock_clock: MockClock, fault: str) -> None:
    async with agent_and_server(mock_clock, "openai-chat", [fault] * 9) as (agent, server):
        problem_in(await told(agent))

    assert len(server.asked) == 4


async def test_a_wait_is_left_at_once(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["429-after"]) as (agent, server):
        async with agent.stream("providers", ASK) as stream:
            assert isinstance(await anext(stream), Retrying)
            before = trio.current_time()
        took = trio.current_time() - before

    assert took < 1.0
    assert len(server.asked) == 1


async def test_whoever_waits_for_others_in_an_outage_is_as_patient_as_they(mock_clock: MockClock) -> None:
    async with agents_and_server(mock_clock, "abcdef") as (agents, server), down(server, "429", 7200.0):
        before = trio.current_time()
        heard = await told_all(agents)
        took = trio.current_time() - before

    assert [type(one[-1]) for one in heard.values()] == [Problem] * 6
    assert 3590.0 <= took < 3700.0
