"""A conversation with tool calls goes from one service to another of a different format and back, in one session.

A whole agent with the real gate, store and providers; two servers, and what they received is valid for their format.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from trio.testing import MockClock

from actors.agent import actor as agent_actor
from actors.gate import actor as gate_actor
from actors.mailbox import Mailbox
from actors.messages.conversation import Attachment, TurnEnded
from actors.messages.model import Api, ModelFacts
from actors.messages.turn import Accepted, EntryAdded, ModelIs, Prompt, SetModel, Subscribe
from actors.providers.actor import serve
from actors.providers.scripted import Script, ScriptedAnswer, ScriptedCall
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings, Settings
from actors.store import actor as store_actor
from tests.actors.providers.talking import APIS, SETTLE_S
from tests.fakes.model_server import ModelServer, open_model_server
from tests.fakes.network import Network, open_network
from tests.fakes.tools import FakeTools

Json = Any
PNG = Attachment(name="shot.png", media_type="image/png", data=b"\x89PNG\r\n\x1a\nplanted", size=15)
TURN = ("look", "look")
"""Calls of one answer."""


PAIRS = tuple(permutations(APIS, 2))


def script(name: str) -> Script:
    """The n-th answer is for a conversation with n answers in it, whoever gave them: each turn is calls, then text."""
    calls = ScriptedAnswer(thinking=f"thought of {name}", calls=tuple(ScriptedCall(tool) for tool in TURN))
    words = ScriptedAnswer(thinking=f"thought of {name}", text=f"said by {name}")
    return Script((calls, words) * 3)


@asynccontextmanager
async def a_session(
    clock: MockClock, home: Path, apis: tuple[Api, Api]
) -> AsyncIterator[tuple[Mailbox, ModelServer, ModelServer]]:
    """The screen's mailbox, and the servers of "first/m" and "second/m"."""
    clock.autojump_threshold = SETTLE_S
    (home / "run").mkdir()
    async with (
        open_model_server(script("first")) as first,
        open_model_server(script("second")) as second,
        open_network() as network,
    ):
        servers = {"first": (first, apis[0]), "second": (second, apis[1])}
        start(network, home, {name: configured(*where) for name, where in servers.items()})
        yield network.mailbox("ui"), first, second


def configured(server: ModelServer, api: Api) -> ProviderSettings:
    return ProviderSettings(api, server.url if api == "anthropic-messages" else f"{server.url}/v1")


def start(network: Network, home: Path, providers: dict[str, ProviderSettings]) -> None:
    settings = Settings(
        home=str(home), cwd=str(home), session_id="s", run_id="r", mode="auto", model="first/m", providers=providers
    )
    registry = Registry(providers, {}, built_in=(), models={"second/m": ModelFacts(images=False)})
    network.start("store", partial(store_actor.run, settings=settings))
    network.start("gate", partial(gate_actor.run, settings=settings))
    network.start("providers", lambda mailbox: serve(mailbox, settings, registry))
    network.start("tools:main", FakeTools().run)
    network.start("agent:main", partial(agent_actor.run, settings=settings))


async def turn(screen: Mailbox, number: int, *attachments: Attachment) -> None:
    prompt = Prompt(prompt_id=f"p{number}", text=f"prompt {number}", attachments=attachments)
    await screen.insist("agent:main", prompt, Accepted)
    async with screen.stream("agent:main", Subscribe()) as events:
        async for event in events:
            if isinstance(event, EntryAdded) and event.entry.body == TurnEnded(turn_id=f"p{number}", reason="done"):
                return


async def switch(screen: Mailbox, model: str) -> ModelIs:
    return await screen.insist("agent:main", SetModel(model=model), ModelIs)


def bodies(server: ModelServer) -> list[Json]:
    return [msgspec.json.decode(got.body) for got in server.asked]


def check_messages(body: Json) -> None:
    roles = [message["role"] for message in body["messages"]]
    assert roles[0] == "user"
    assert all(one != other for one, other in pairwise(roles))
    for message, following in pairwise(body["messages"]):
        called = [part["id"] for part in parts(message) if part["type"] == "tool_use"]
        results = [part["tool_use_id"] for part in parts(following) if part["type"] == "tool_result"]
        assert sorted(called) == sorted(results)


def check_chat(body: Json) -> None:
    waiting: list[str] = []
    for message in body["messages"]:
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
        else:
            assert waiting == []
            waiting = [call["id"] for call in message.get("tool_calls", [])]
    assert waiting == []


def check_responses(body: Json) -> None:
    items = body["input"]
    called = [item["call_id"] for item in items if item.get("type") == "function_call"]
    answered = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
    assert sorted(called) == sorted(answered)
    assert len(set(called)) == len(called)


def parts(message: Json) -> list[Json]:
    content = message["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


CHECKS: dict[Api, Callable[[Json], None]] = {
    "anthropic-messages": check_messages,
    "openai-chat": check_chat,
    "openai-responses": check_responses,
}


@pytest.mark.parametrize("apis", PAIRS, ids="-".join)
async def test_to_another_service_and_back(autojump_clock: MockClock, tmp_path: Path, apis: tuple[Api, Api]) -> None:
    async with a_session(autojump_clock, tmp_path, apis) as (screen, first, second):
        await turn(screen, 1)
        now = await switch(screen, "second/m")
        await turn(screen, 2)
        await switch(screen, "first/m")
        await turn(screen, 3)

    assert now == ModelIs(model="second/m", effort="")
    assert [len(bodies(server)) for server in (first, second)] == [4, 2]
    for server, api in zip((first, second), apis, strict=True):
        for body in bodies(server):
            CHECKS[api](body)
    assert all(b"thought of first" not in got.body for got in second.asked)
    assert all(b"thought of second" not in got.body for got in first.asked)
    assert all(b"said by first" in got.body for got in second.asked)
    assert b"said by second" in first.asked[-1].body
    assert [first.asked[-1].body.count(b"prompt %d" % number) for number in (1, 2, 3)] == [1, 1, 1]


@pytest.mark.parametrize("apis", PAIRS, ids="-".join)
async def test_an_image_the_new_model_does_not_take_becomes_text(
    autojump_clock: MockClock, tmp_path: Path, apis: tuple[Api, Api]
) -> None:
    async with a_session(autojump_clock, tmp_path, apis) as (screen, first, second):
        await turn(screen, 1, PNG)
        now = await switch(screen, "second/m")
        await turn(screen, 2)
        await switch(screen, "first/m")
        await turn(screen, 3)

    encoded = msgspec.json.encode(PNG.data).strip(b'"')
    assert now == ModelIs(model="second/m", effort="", left_out=("shot.png",))
    assert all(encoded in got.body for got in first.asked)
    note = b"[image shot.png left out: second/m does not take images]"
    assert all(encoded not in got.body and note in got.body for got in second.asked)
