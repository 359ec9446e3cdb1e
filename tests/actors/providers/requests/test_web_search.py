"""A service is asked to search the web only if it knows how: others refuse a tool they do not know."""

import msgspec
import pytest
from trio.testing import MockClock

from actors.messages.model import Api
from actors.providers.services.registry import Registry
from tests.actors.providers.talking import ASK, HELLO, agent_beside, configured, told
from tests.fakes.model_server import open_model_server

MODELS: dict[Api, str] = {
    "openai-chat": "local/gemini-x",
    "openai-responses": "local/gpt-9",
    "anthropic-messages": "local/claude-x",
}
"""By the format Copilot speaks to them in."""


@pytest.mark.parametrize(
    ("api", "dialect", "searches"),
    [
        ("anthropic-messages", "anthropic", True),
        ("anthropic-messages", "", True),
        ("anthropic-messages", "copilot", False),
        ("anthropic-messages", "deepseek", False),
        ("openai-responses", "openai", True),
        ("openai-responses", "", True),
        ("openai-responses", "copilot", False),
        ("openai-responses", "groq", False),
        ("openai-chat", "openrouter", True),
        ("openai-chat", "openai", False),
        ("openai-chat", "", False),
        ("openai-chat", "copilot", False),
    ],
)
async def test_who_is_asked_to_search(autojump_clock: MockClock, api: Api, dialect: str, searches: bool) -> None:
    async with open_model_server(HELLO) as server:
        plain = configured(server.url, api)
        provider = msgspec.structs.replace(plain.configured["local"], dialect=dialect)
        registry = Registry({"local": provider}, plain.environ, built_in=())
        async with agent_beside(autojump_clock, registry) as agent:
            await told(agent, msgspec.structs.replace(ASK, model=MODELS[api], web_search=True))

    (got,) = server.asked
    assert (b"web_search" in got.body) is searches
