"""Merging edits by the real providers actor and a server: what is sent, what counts as an answer, who may ask."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio
from trio.testing import MockClock

from actors.errors import Failed
from actors.messages.auth import KeyKept, SetKey
from actors.messages.base import Message
from actors.messages.model import AskModel, Merged, MergeEdit, ResolvedModel, ResolveModel
from actors.providers.actor import serve
from actors.providers.scripted import Script, ScriptedAnswer
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings, Settings
from actors.settings.permissions import RuleLine
from tests.actors.providers.talking import ASK, SETTINGS, SETTLE_S
from tests.fakes.model_server import ModelServer, open_model_server
from tests.fakes.network import Network, open_network

WANTED = MergeEdit(original="a = 1\nb = 2\n", sketch="a = 3\n# ... existing code ...", instruction="I change a")
MERGED = "\na = 3\nb = 2\n\n"
WHOLE = ScriptedAnswer(text=MERGED, chunks=3)
MERGING = msgspec.structs.replace(SETTINGS, merging=True)


@asynccontextmanager
async def morph(
    clock: MockClock, answer: ScriptedAnswer = WHOLE, faults: Iterable[str] = (), settings: Settings = MERGING
) -> AsyncIterator[tuple[Network, ModelServer]]:
    clock.autojump_threshold = SETTLE_S
    async with open_model_server(Script((), answer), faults) as server, open_network() as network:
        registry = Registry({"morph": ProviderSettings(base_url=f"{server.url}/v1")}, {"MORPH_API_KEY": "mk-planted"})
        network.start("providers", lambda mailbox: serve(mailbox, settings, registry))
        yield network, server


async def test_what_the_service_writes_comes_back_as_it_is(autojump_clock: MockClock) -> None:
    async with morph(autojump_clock) as (network, server):
        merged = await network.mailbox("tools:main").ask("providers", WANTED, Merged)

    assert merged == Merged(text=MERGED)
    (got,) = server.requests
    assert got.path == "/v1/chat/completions"
    assert got.headers["authorization"] == "Bearer mk-planted"
    assert msgspec.json.decode(got.body) == {
        "model": "auto",
        "temperature": 0.0,
        "stream": True,
        "messages": [
            {
                "role": "user",
                "content": "<instruction>I change a</instruction>\n<code>a = 1\nb = 2\n</code>\n"
                "<update>a = 3\n# ... existing code ...</update>",
            }
        ],
    }


async def test_an_answer_that_was_cut_off_is_no_file(autojump_clock: MockClock) -> None:
    async with morph(autojump_clock, ScriptedAnswer(text=MERGED, cut=True)) as (network, _):
        with pytest.raises(Failed) as failure:
            await network.mailbox("tools:main").ask("providers", WANTED, Merged)

    assert failure.value.problem.text == "morph: its answer was cut off."


async def test_what_passes_by_itself_is_tried_again(autojump_clock: MockClock) -> None:
    async with morph(autojump_clock, faults=["429-after", "drop"]) as (network, server):
        merged = await network.mailbox("tools:main").ask("providers", WANTED, Merged)

    assert merged == Merged(text=MERGED)
    assert len(server.requests) == 3


async def test_a_refused_key_is_said_without_it(autojump_clock: MockClock) -> None:
    async with morph(autojump_clock, faults=["401"]) as (network, _):
        with pytest.raises(Failed) as failure:
            await network.mailbox("tools:main").ask("providers", WANTED, Merged)

    assert failure.value.problem.code == "unauthorized"
    assert "mk-planted" not in str(failure.value)


@pytest.mark.parametrize(
    ("sender", "message", "expected"),
    [
        ("tools:main", ASK, AskModel),
        ("tools:t1", SetKey(provider="openai", key="k"), KeyKept),
        ("tools:main", ResolveModel(), ResolvedModel),
        ("agent:main", WANTED, Merged),
        ("ui", WANTED, Merged),
    ],
    ids=["worker: model", "worker: keys", "worker: which model", "agent", "screen"],
)
async def test_workers_have_edits_merged_and_nothing_else(
    autojump_clock: MockClock, sender: str, message: Message, expected: type[Message]
) -> None:
    async with morph(autojump_clock) as (network, server):
        with pytest.raises(Failed) as failure:
            await network.mailbox(sender).ask("providers", message, expected)

    assert failure.value.problem.code == "not_allowed"
    assert server.requests == []


def denying(rule: str) -> Settings:
    return msgspec.structs.replace(MERGING, rules=(RuleLine(verdict="deny", text=rule, source="config.toml"),))


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        (SETTINGS, WANTED),
        (denying("Edit"), WANTED),
        (denying("morphedit"), WANTED),
        (MERGING, msgspec.structs.replace(WANTED, original="x" * 48_000)),
    ],
    ids=["not in this session", "edits are denied", "merged edits are denied", "too long"],
)
async def test_what_its_tool_would_refuse_is_refused_here_again(
    autojump_clock: MockClock, settings: Settings, wanted: MergeEdit
) -> None:
    async with morph(autojump_clock, settings=settings) as (network, server):
        with pytest.raises(Failed):
            await network.mailbox("tools:main").ask("providers", wanted, Merged)

    assert server.requests == []


async def test_a_worker_has_one_edit_merged_at_a_time(autojump_clock: MockClock) -> None:
    async with morph(autojump_clock, faults=["silence"]) as (network, server):
        worker = network.mailbox("tools:main")
        async with trio.open_nursery() as nursery:
            for _ in range(3):
                nursery.start_soon(worker.ask, "providers", WANTED, Merged)
            with trio.move_on_after(1.0):
                await trio.sleep_forever()
            meanwhile = len(server.requests)
            nursery.cancel_scope.cancel()

    assert meanwhile == 1


async def test_it_is_no_model_to_talk_to(autojump_clock: MockClock) -> None:
    async with morph(autojump_clock) as (network, _):
        with pytest.raises(Failed) as failure:
            await network.mailbox("ui").ask("providers", ResolveModel(model="morph/auto"), ResolvedModel)

    assert failure.value.problem.code == "unknown_model"
