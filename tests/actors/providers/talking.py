"""Asking the real providers actor, over the router in one process, as an agent does."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from trio.testing import MockClock

from actors.config import ProviderSettings, Settings
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Message, Problem
from actors.messages.conversation import UserMessage
from actors.messages.model import Answer, Api, AskModel, ToolSpec
from actors.providers.actor import serve
from actors.providers.registry import Registry
from actors.providers.scripted import Script, ScriptedAnswer, ScriptedCall, ScriptedUsage
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


def configured(url: str, api: Api) -> Registry:
    base_url = f"{url}/v1" if api == "openai-chat" else url
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
    clock: MockClock, api: Api, faults: Iterable[str] = ()
) -> AsyncIterator[tuple[Mailbox, ModelServer]]:
    async with open_model_server(HELLO, faults) as server, agent_beside(clock, configured(server.url, api)) as agent:
        yield agent, server


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
