"""Asking the real providers actor, over the router in one process, as an agent does."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import pytest
from trio.testing import MockClock

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Message, Problem
from actors.messages.conversation import (
    AssistantMessage,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    UserMessage,
)
from actors.messages.model import Answer, Api, AskModel, Retrying, TextDelta, ThinkingDelta, ToolSpec
from actors.messages.usage import Usage
from actors.providers.actor import serve
from actors.providers.requests.translation import fingerprints
from actors.providers.scripted import Script, ScriptedAnswer, ScriptedCall, ScriptedUsage
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings, Settings
from tests.fakes.model_faults import Fault
from tests.fakes.model_server import ModelServer, open_model_server
from tests.fakes.network import open_network

SETTLE_S = 0.01
"""Waits are skipped, but real sockets get the moment they need."""
IDLE_S = 2.0
"""More than a drip, less than a stall."""
KEY = "planted-key"
SETTINGS = Settings(home="/nowhere", cwd="/nowhere", session_id="s", run_id="r")
HELLO = Script(
    (
        ScriptedAnswer(
            thinking="Let me see.",
            text="Grüße, 世界! 👋",
            calls=(ScriptedCall("read", {"path": "ä.txt"}), ScriptedCall("list")),
            chunks=3,
            usage=ScriptedUsage(input_tokens=12, cache_read_tokens=4, output_tokens=7),
        ),
    )
)
READ = ToolSpec(name="read", description="Read a file.", parameters='{"type":"object"}', effect="read")
ASK = AskModel(
    model="local/test-model",
    session_id="s",
    system="Be brief.",
    history=(UserMessage(text="hello", turn_id="t"),),
    tools=(READ,),
)


APIS: tuple[Api, ...] = ("openai-chat", "openai-responses", "anthropic-messages")
each_api = pytest.mark.parametrize("api", APIS)
REASONING = (
    '{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Let me see."}],'
    '"encrypted_content":"c2lnbmVk"}'
)


def whole(api: Api) -> Answer:
    signature = "c2lnbmVk" if api == "anthropic-messages" else ""
    own = [Opaque(api=api, data=REASONING)] if api == "openai-responses" else []
    return Answer(
        message=AssistantMessage(
            blocks=(
                Thinking(text="Let me see.", signature=signature),
                *own,
                Text(text="Grüße, 世界! 👋"),
                ToolCall(call_id="call_0_0", name="read", arguments='{"path":"ä.txt"}'),
                ToolCall(call_id="call_0_1", name="list", arguments="{}"),
            ),
            stop_reason="tool_calls",
            model="local/test-model",
            usage=Usage(input_tokens=12, cache_read_tokens=4, output_tokens=7),
            answers=list(fingerprints(ASK.history))[-1],
        )
    )


def waits(heard: list[Message]) -> list[Retrying]:
    return [item for item in heard if isinstance(item, Retrying)]


def streamed(heard: list[Message]) -> tuple[str, str]:
    """Thinking and text since the last retry."""
    last = max((place for place, item in enumerate(heard) if isinstance(item, Retrying)), default=-1)
    since = heard[last + 1 :]
    thinking = "".join(item.text for item in since if isinstance(item, ThinkingDelta))
    return thinking, "".join(item.text for item in since if isinstance(item, TextDelta))


def configured(url: str, api: Api) -> Registry:
    base_url = url if api == "anthropic-messages" else f"{url}/v1"
    provider = ProviderSettings(api, base_url, api_key_env="LOCAL_KEY", idle_timeout_s=IDLE_S)
    return Registry({"local": provider}, {"LOCAL_KEY": KEY}, built_in=())


@asynccontextmanager
async def agent_beside(clock: MockClock, registry: Registry, settings: Settings = SETTINGS) -> AsyncIterator[Mailbox]:
    """The mailbox of an agent whose providers actor knows this registry; waits are skipped."""
    clock.autojump_threshold = SETTLE_S
    async with open_network() as network:
        network.start("providers", lambda mailbox: serve(mailbox, settings, registry))
        yield network.mailbox("agent")


@asynccontextmanager
async def agent_and_server(
    clock: MockClock, api: Api, faults: Iterable[str | Fault] = ()
) -> AsyncIterator[tuple[Mailbox, ModelServer]]:
    async with open_model_server(HELLO, faults) as server, agent_beside(clock, configured(server.url, api)) as agent:
        yield agent, server


@asynccontextmanager
async def agents_and_server(
    clock: MockClock, names: Iterable[str], faults: Iterable[str] = ()
) -> AsyncIterator[tuple[dict[str, Mailbox], ModelServer]]:
    """Several agents that use one providers actor."""
    clock.autojump_threshold = SETTLE_S
    async with open_model_server(HELLO, faults) as server, open_network() as network:
        registry = configured(server.url, "openai-chat")
        network.start("providers", lambda mailbox: serve(mailbox, SETTINGS, registry))
        yield {name: network.mailbox(name) for name in names}, server


async def told(agent: Mailbox, ask: AskModel = ASK) -> list[Message]:
    """Every item, and at last the Answer or the Problem."""
    items: list[Message] = []
    try:
        async with agent.stream("providers", ask) as stream:
            async for item in stream:
                items.append(item)  # noqa: PERF401  # what came before a failure counts
            return [*items, await stream.result(Answer)]
    except Failed as error:
        return [*items, error.problem]


def problem_in(heard: list[Message]) -> Problem:
    assert isinstance(heard[-1], Problem)
    return heard[-1]


def answer_in(heard: list[Message]) -> Answer:
    assert isinstance(heard[-1], Answer)
    return heard[-1]
