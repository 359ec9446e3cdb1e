"""A service that wants a sign-in: its token goes with every request and is renewed once when it is refused."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from actors.mailbox import Mailbox
from actors.messages.base import Problem
from actors.messages.model import AskModel
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults.fault import Passing
from actors.providers.requests.model_request import ModelRequests, Seams
from tests.actors.providers.talking import (
    HELLO,
    SETTINGS,
    SETTLE_S,
    configured,
    problem_in,
    told,
    waits,
    whole,
)
from tests.fakes.model_server import ModelServer, open_model_server
from tests.fakes.network import open_network


@dataclass
class Tokens:
    """A sign-in that has so many tokens left."""

    left: int
    number: int = 0
    down_until: float = 0.0
    """Who gives them cannot be reached."""

    async def signed(self, endpoint: Endpoint) -> Endpoint:
        self._reach()
        return replace(endpoint, key=f"token-number-{self.number}", headers={"x-account": "me"})

    async def renewed(self, endpoint: Endpoint) -> Endpoint | None:
        self._reach()
        if not self.left:
            return None
        self.left -= 1
        self.number += 1
        return await self.signed(endpoint)

    def _reach(self) -> None:
        if trio.current_time() < self.down_until:
            raise Passing(Problem(code="unreachable", text="issuer.example: the connection was refused."))


async def nobody_is_found(_target: Target) -> None:
    raise AssertionError


@asynccontextmanager
async def signed_in(
    clock: MockClock, tokens: Tokens, faults: Iterable[str]
) -> AsyncIterator[tuple[Mailbox, ModelServer]]:
    clock.autojump_threshold = SETTLE_S
    async with open_model_server(HELLO, faults) as server, open_network() as network:
        registry = configured(server.url, "openai-chat")

        async def providers(mailbox: Mailbox) -> None:
            async with trio.open_nursery() as nursery:
                seams = Seams(tokens, nobody_is_found, nursery, noted=lambda _failed: None)
                model_requests = ModelRequests(SETTINGS, registry, seams)
                try:
                    async for request in mailbox:
                        assert isinstance(request.message, AskModel)
                        await request.serve(partial(model_requests.answer, request.message))
                finally:
                    with trio.CancelScope(shield=True):
                        await model_requests.aclose()

        network.start("providers", providers)
        yield network.mailbox("agent"), server


async def test_the_token_and_what_belongs_to_it_go_with_the_request(mock_clock: MockClock) -> None:
    async with signed_in(mock_clock, Tokens(0), []) as (agent, server):
        heard = await told(agent)

    assert heard[-1] == whole("openai-chat")
    assert server.asked[0].headers["authorization"] == "Bearer token-number-0"
    assert server.asked[0].headers["x-account"] == "me"


async def test_a_refused_token_is_renewed_without_a_word(mock_clock: MockClock) -> None:
    async with signed_in(mock_clock, Tokens(5), ["401"]) as (agent, server):
        heard = await told(agent)

    assert waits(heard) == []
    assert heard[-1] == whole("openai-chat")
    assert [got.headers["authorization"] for got in server.asked] == ["Bearer token-number-0", "Bearer token-number-1"]


async def test_a_token_that_is_refused_again_is_not_renewed_again(mock_clock: MockClock) -> None:
    async with signed_in(mock_clock, Tokens(5), ["401", "401"]) as (agent, server):
        problem = problem_in(await told(agent))

    assert problem.code == "unauthorized"
    assert len(server.asked) == 2


async def test_without_another_token_the_refusal_is_said_at_once(mock_clock: MockClock) -> None:
    async with signed_in(mock_clock, Tokens(0), ["401"]) as (agent, server):
        problem = problem_in(await told(agent))

    assert problem.code == "unauthorized"
    assert len(server.asked) == 1


@pytest.mark.parametrize("faults", [[], ["401"]], ids=["before it is asked", "after it refused a token"])
async def test_who_gives_the_tokens_may_be_down_for_a_while(mock_clock: MockClock, faults: list[str]) -> None:
    tokens = Tokens(5, down_until=trio.current_time() + 20.0 if not faults else 0.0)
    async with signed_in(mock_clock, tokens, faults) as (agent, server), trio.open_nursery() as nursery:
        if faults:

            async def go_down() -> None:
                while not server.asked:
                    await trio.lowlevel.checkpoint()
                tokens.down_until = trio.current_time() + 20.0

            nursery.start_soon(go_down)
        heard = await told(agent)

    assert heard[-1] == whole("openai-chat")
    assert [item.why for item in waits(heard)[:1]] == ["local: issuer.example: the connection was refused."]
