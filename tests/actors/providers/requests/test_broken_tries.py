"""What a try has cost that broke off is told: with its counts where they had come, else as an unknown sum."""

import pytest
from trio.testing import MockClock

from actors.messages.base import Message
from actors.messages.conversation import BrokenTry
from actors.messages.model import Api, ModelFacts, Price
from actors.messages.usage import Usage
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from tests.actors.providers.talking import HELLO, KEY, agent_beside, answer_in, told
from tests.fakes.model_server import open_model_server

FACTS = ModelFacts(id="test-model", prices=(Price(input=1, output=2, cache_read=0.5),))


async def heard(clock: MockClock, api: Api, fault: str) -> list[Message]:
    async with open_model_server(HELLO, [fault]) as server:
        base_url = server.url if api == "anthropic-messages" else f"{server.url}/v1"
        provider = ProviderSettings(api, base_url, api_key_env="LOCAL_KEY")
        registry = Registry({"local": provider}, {"LOCAL_KEY": KEY}, models={"local/test-model": FACTS}, built_in=())
        async with agent_beside(clock, registry) as agent:
            return await told(agent)


def broken(items: list[Message]) -> list[Usage]:
    return [item.usage for item in items if isinstance(item, BrokenTry)]


@pytest.mark.parametrize("fault", ["drop", "overloaded-inside", "short"])
async def test_counts_that_came_before_the_cut_are_billed(mock_clock: MockClock, fault: str) -> None:
    items = await heard(mock_clock, "anthropic-messages", fault)

    (used,) = broken(items)
    assert (used.input_tokens, used.cache_read_tokens) == (12, 4)
    assert used.cost_usd == pytest.approx((8 + 4 * 0.5 + used.output_tokens * 2) / 1e6)
    assert answer_in(items).message.usage.cost_usd == pytest.approx((8 + 4 * 0.5 + 7 * 2) / 1e6)


@pytest.mark.parametrize("api", ["openai-chat", "openai-responses"])
async def test_where_the_counts_come_last_the_cost_is_unknown(mock_clock: MockClock, api: Api) -> None:
    items = await heard(mock_clock, api, "drop")

    (used,) = broken(items)
    assert (used.input_tokens, used.cost_usd) == (0, None)


@pytest.mark.parametrize("fault", ["529", "500", "close", "empty", "garbage"])
@pytest.mark.parametrize("api", ["openai-chat", "openai-responses", "anthropic-messages"])
async def test_what_never_began_costs_nothing(mock_clock: MockClock, api: Api, fault: str) -> None:
    assert broken(await heard(mock_clock, api, fault)) == []
