"""Several agents on one key: what each of them hears when the service slows one of them down."""

import trio
from trio.testing import MockClock

from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.model import Answer, Retrying
from tests.actors.providers.talking import ASK, agents_and_server, answer_in, told, waits, whole

EIGHT = tuple("abcdefgh")
LIMITED = "local: HTTP 429: Slow down."


async def told_all(agents: dict[str, Mailbox], after_s: float = 0.0) -> dict[str, list[Message]]:
    """What each hears; the first asks before the others."""
    heard: dict[str, list[Message]] = {}

    async def ask(name: str) -> None:
        heard[name] = await told(agents[name])

    async with trio.open_nursery() as nursery:
        first, *others = agents
        nursery.start_soon(ask, first)
        await trio.sleep(after_s)
        for name in others:
            nursery.start_soon(ask, name)
            await trio.sleep(0.001)
    return heard


async def test_when_one_is_told_to_wait_nobody_asks_before_and_all_get_their_answer(mock_clock: MockClock) -> None:
    async with agents_and_server(mock_clock, EIGHT, ["429-after"]) as (agents, server):
        heard = await told_all(agents, after_s=1.0)
        refused, *later = [got.at for got in server.requests]

    assert all(answer_in(heard[name]) == whole("openai-chat") for name in EIGHT)
    assert min(later) >= refused + 7.0
    assert [waits(heard[name])[0].why for name in EIGHT] == [LIMITED] * 8
    assert waits(heard["b"])[0].wait_s < 7.0


async def test_a_whole_herd_that_is_refused_gets_through(mock_clock: MockClock) -> None:
    async with agents_and_server(mock_clock, EIGHT, ["429-after"] * 30) as (agents, server):
        heard = await told_all(agents)

    assert all(answer_in(heard[name]) == whole("openai-chat") for name in EIGHT)
    assert len(server.requests) == 38


async def test_who_gives_up_while_waiting_does_not_hold_the_others_up(mock_clock: MockClock) -> None:
    async with (
        agents_and_server(mock_clock, "abc", ["429-after"]) as (agents, server),
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(told, agents["a"])
        await trio.sleep(1)
        async with agents["b"].stream("providers", ASK) as stream:
            assert isinstance(await anext(stream), Retrying)
        heard = await told(agents["c"])

    assert answer_in(heard) == whole("openai-chat")
    assert len(server.requests) == 3


async def test_headers_that_say_a_limit_is_used_up_hold_nobody_for_longer_than_a_second(mock_clock: MockClock) -> None:
    async with agents_and_server(mock_clock, "ab", ["used-up"]) as (agents, server):
        first = await told(agents["a"])
        second = await told(agents["b"])
        before, after = [got.at for got in server.requests]

    assert waits(first) == []
    assert [item.why for item in waits(second)] == ["local: its rate limit is used up for the moment."]
    assert before + 1.0 <= after < before + 2.0
    assert isinstance(second[-1], Answer)
