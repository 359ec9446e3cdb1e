"""A service that sums up by itself, asked by the real providers actor: where it is asked, and what it refuses."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from trio.testing import MockClock

from actors.mailbox import Mailbox
from actors.messages.conversation import ModelInput, Opaque, Sealed, UserMessage
from actors.messages.model import Answer, Api, AskModel, ResolvedModel, ResolveModel, SumsUp
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from tests.actors.providers.talking import ASK, HELLO, agent_beside, problem_in, told
from tests.fakes.model_faults import Reply, refusal
from tests.fakes.model_server import ModelServer, open_model_server

Refuses = Callable[[dict[str, Any]], Reply | None]
SEALED = Sealed(
    model="openai/test-model",
    blocks=(Opaque(api="openai-responses", data='{"type":"compaction","encrypted_content":"c2VhbGVk"}'),),
)
PAST: tuple[ModelInput, ...] = (
    UserMessage(text="All that was.", turn_id=""),
    UserMessage(text="And now?", turn_id="t", prompt_id="p"),
)
GO_ON = msgspec.structs.replace(ASK, model="openai/test-model", history=PAST, sealed=SEALED)
SUM_UP = msgspec.structs.replace(GO_ON, sealed=None, sum_up="Keep the names.")


@asynccontextmanager
async def talk(
    clock: MockClock, api: Api = "openai-responses", dialect: str = "openai", refuses: Refuses = lambda _body: None
) -> AsyncIterator[tuple[Mailbox, ModelServer]]:
    """The provider has the name of OpenAI's, at another address."""
    async with open_model_server(HELLO, refuses=refuses) as server:
        base_url = server.url if api == "anthropic-messages" else f"{server.url}/v1"
        configured = ProviderSettings(api, base_url, dialect=dialect)
        async with agent_beside(clock, Registry({"openai": configured}, {}, built_in=())) as agent:
            yield agent, server


def bodies(server: ModelServer, path: str = "/v1/responses") -> list[dict[str, Any]]:
    return [msgspec.json.decode(got.body) for got in server.asked if got.path == path]


@pytest.mark.parametrize(
    ("api", "dialect", "makes"),
    [
        ("openai-responses", "openai", "sealed"),
        ("openai-responses", "codex", "sealed"),
        ("anthropic-messages", "anthropic", "text"),
        ("openai-chat", "openai", ""),
        ("openai-responses", "openrouter", ""),
        ("anthropic-messages", "", ""),
    ],
)
async def test_whoever_asks_is_told_what_it_may_make(
    mock_clock: MockClock, api: Api, dialect: str, makes: SumsUp
) -> None:
    async with talk(mock_clock, api, dialect) as (agent, _server):
        resolved = await agent.ask("providers", ResolveModel(model="openai/test-model"), ResolvedModel)

    assert resolved.sums_up == makes


async def test_what_is_sealed_goes_to_its_model_alone(mock_clock: MockClock) -> None:
    async with talk(mock_clock) as (agent, server):
        await told(agent, GO_ON)
        await told(agent, msgspec.structs.replace(GO_ON, model="openai/test-model-large"))

    own, other = (body["input"] for body in bodies(server))
    assert (own[0], own[1:]) == ({"type": "compaction", "encrypted_content": "c2VhbGVk"}, other[1:])
    assert other[0]["content"][0]["text"] == "All that was."


async def test_what_is_refused_is_said_in_words_and_not_sent_again(mock_clock: MockClock) -> None:
    def refuses(body: dict[str, Any]) -> Reply | None:
        sealed = body["input"][0]["type"] == "compaction"
        return refusal(400, "The encrypted content could not be verified.") if sealed else None

    async with talk(mock_clock, refuses=refuses) as (agent, server):
        first, second = await told(agent, GO_ON), await told(agent, GO_ON)

    assert (type(first[-1]), type(second[-1])) == (Answer, Answer)
    assert [body["input"][0]["type"] for body in bodies(server)] == ["compaction", "message", "message"]


async def test_a_request_that_is_refused_either_way_fails_with_what_was_said_of_the_words(
    mock_clock: MockClock,
) -> None:
    async with talk(mock_clock, refuses=lambda _body: refusal(400, "No.")) as (agent, server):
        heard = await told(agent, GO_ON)
        await told(agent, GO_ON)

    assert problem_in(heard).code == "bad_request"
    assert [body["input"][0]["type"] for body in bodies(server)] == ["compaction", "message"] * 2


async def test_a_server_without_it_is_not_taken_for_one_without_the_format(mock_clock: MockClock) -> None:
    async with talk(mock_clock) as (agent, server):
        refused = await told(agent, SUM_UP)
        answered = await told(agent, GO_ON)

    assert (problem_in(refused).code, type(answered[-1])) == ("unreachable", Answer)
    assert [got.path for got in server.asked] == ["/v1/responses/compact", "/v1/responses"]


async def test_who_knows_no_such_thing_is_not_asked(mock_clock: MockClock) -> None:
    async with talk(mock_clock, "openai-chat") as (agent, server):
        refused = await told(agent, SUM_UP)

    assert (problem_in(refused).code, server.asked) == ("bad_request", [])


async def test_an_outage_is_not_waited_out(mock_clock: MockClock) -> None:
    asking: AskModel = SUM_UP
    async with talk(mock_clock, "anthropic-messages", "anthropic") as (agent, server):
        server.down = "500"
        begun = mock_clock.current_time()
        heard = await told(agent, asking)

    assert problem_in(heard).code == "server_error"
    assert mock_clock.current_time() - begun < 60
