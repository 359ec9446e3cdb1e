"""Counts and costs that cannot be: the answer arrives all the same, and its cost is unknown."""

import pytest
from trio.testing import MockClock

from actors.messages.model import ModelFacts, Price
from actors.messages.usage import Usage
from actors.providers.formats import sane_counts
from actors.providers.formats.wire_format import Pass
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from tests.actors.providers.talking import ASK, agent_beside, answer_in, told
from tests.fakes.odd_server import open_odd_server

PRICED = {"local/test-model": ModelFacts(prices=(Price(input=1, output=1),))}


async def used(clock: MockClock, usage: str) -> Usage:
    """What an answer with this usage comes to."""
    events = ('{"choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":"stop"}]}', usage, "[DONE]")
    content = "".join(f"data: {event}\n\n" for event in events).encode()
    async with open_odd_server(content, {"content-type": "text/event-stream"}) as url:
        registry = Registry({"local": ProviderSettings("openai-chat", f"{url}/v1")}, {}, (), PRICED)
        async with agent_beside(clock, registry) as agent:
            message = answer_in(await told(agent, ASK)).message
    assert message.text == "hello"
    return message.usage


@pytest.mark.parametrize(
    "counts",
    [
        f'"prompt_tokens":{10**30},"completion_tokens":5',
        f'"prompt_tokens":{2**64 - 1},"completion_tokens":5',
        '"prompt_tokens":-100,"completion_tokens":-5',
        '"prompt_tokens":100,"completion_tokens":5,"cost":-5.0',
    ],
    ids=["huge", "64 bits", "negative", "a negative cost"],
)
async def test_no_count_and_no_cost_ends_a_session(mock_clock: MockClock, counts: str) -> None:
    usage = await used(mock_clock, f'{{"choices":[],"usage":{{{counts}}}}}')

    assert usage.cost_usd is None
    assert all(0 <= getattr(usage, name) <= sane_counts.MOST for name in sane_counts.COUNTS)


async def test_what_can_be_is_priced(mock_clock: MockClock) -> None:
    usage = await used(mock_clock, '{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":5}}')

    assert usage.cost_usd == 0.000105


def test_one_odd_pass_is_enough() -> None:
    fine = Usage(input_tokens=1)

    assert sane_counts.are_sane(fine, [Pass(fine)])
    assert not sane_counts.are_sane(fine, [Pass(fine), Pass(Usage(output_tokens=-1))])
