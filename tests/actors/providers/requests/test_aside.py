"""What nobody waits for is asked once, on a connection of its own, for a short time; and nobody waits for it."""

import msgspec
import trio
from trio.testing import MockClock

from actors.mailbox import Mailbox
from actors.messages.base import Message, Problem
from actors.messages.conversation import BrokenTry
from actors.messages.model import Answer, FindCheapest, ModelFacts, Price, ResolvedModel
from actors.providers.requests.tries import ASIDE_S
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from actors.settings.services import BuiltIn
from tests.actors.providers.talking import ASK, HELLO, KEY, agent_and_server, agent_beside, streamed, told, waits
from tests.fakes.model_server import open_model_server

ASIDE = msgspec.structs.replace(ASK, aside=True)


async def test_it_is_answered_as_any_other(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat") as (agent, server):
        items = await told(agent, ASIDE)

        assert isinstance(items[-1], Answer)
        assert streamed(items)[1] == "Grüße, 世界! 👋"
        assert len(server.asked) == 1


async def test_it_is_not_tried_again(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["529"]) as (agent, server):
        items = await told(agent, ASIDE)

        assert [type(item) for item in items] == [Problem]
        assert len(server.asked) == 1


async def test_it_ends_after_a_short_time_and_what_came_by_then_is_billed(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "anthropic-messages", ["stall"]) as (agent, server):
        began = trio.current_time()
        items = await told(agent, msgspec.structs.replace(ASIDE, tools=()))

        assert [item.usage.input_tokens for item in items if isinstance(item, BrokenTry)] == [12]
        assert isinstance(items[-1], Problem)
        assert items[-1].code == "stalled"
        assert trio.current_time() - began <= ASIDE_S + 1
        await server.until_idle()


async def test_a_refusal_of_it_slows_nobody_down(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["429-after"]) as (agent, _):
        await told(agent, ASIDE)
        items = await told(agent)

        assert waits(items) == []
        assert isinstance(items[-1], Answer)


async def test_while_others_wait_it_is_not_asked(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["429-after"]) as (agent, server):
        heard: list[Message] = []

        async with agent.stream("providers", ASK) as stream:
            async for item in stream:
                heard.append(item)
                if len(heard) == 1:
                    refused = await told(agent, ASIDE)
            answer = await stream.result(Answer)

        assert [type(item) for item in refused] == [Problem]
        assert answer.message.text
        assert len(server.asked) == 2


async def test_it_does_not_take_the_connection_of_the_turn(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat") as (agent, server):
        await told(agent)
        await told(agent, ASIDE)
        await told(agent)

        first, aside, second = (got.peer for got in server.asked)
        assert first == second != aside


async def test_the_cheapest_of_a_service_is_named_and_can_be_asked(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        service = BuiltIn(name="cerebras", api="openai-chat", base_url=f"{server.url}/v1", key_env="LOCAL_KEY")
        # the table has none for a server that is near
        prices = {"zai-glm-4.7": Price(input=2, output=10), "gpt-oss-120b": Price(input=1, output=2)}
        facts = {f"cerebras/{name}": ModelFacts(prices=(price,)) for name, price in prices.items()}
        registry = Registry({}, {"LOCAL_KEY": KEY}, built_in=(service,), models=facts)
        async with agent_beside(mock_clock, registry) as agent:
            found = await _cheapest(agent, "cerebras/zai-glm-4.7")
            items = await told(agent, msgspec.structs.replace(ASIDE, model=found.model))

        assert (found.model, found.priced, found.facts.levels[0]) == ("cerebras/gpt-oss-120b", True, "low")
        assert isinstance(items[-1], Answer)
        assert msgspec.json.decode(server.asked[0].body)["model"] == "gpt-oss-120b"


async def test_of_a_script_and_of_an_own_server_no_cheap_model_is_known(mock_clock: MockClock) -> None:
    facts = ModelFacts(prices=(Price(input=2, output=10),))
    provider = ProviderSettings("openai-chat", "http://127.0.0.1:9/v1", api_key_env="LOCAL_KEY")
    registry = Registry({"local": provider}, {"LOCAL_KEY": KEY}, models={"local/test-model": facts}, built_in=())
    async with agent_beside(mock_clock, registry) as agent:
        assert (await _cheapest(agent, "local/test-model")).model == ""
        assert (await _cheapest(agent, "scripted:any.toml")).model == ""


async def _cheapest(agent: Mailbox, model: str) -> ResolvedModel:
    return await agent.ask("providers", FindCheapest(model=model), ResolvedModel)
