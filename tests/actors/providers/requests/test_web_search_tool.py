"""Searching the web by the real providers actor and a server: what is sent, what is shown, who may ask."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import msgspec
import pytest
from trio.testing import MockClock

from actors.errors import Failed
from actors.messages.auth import KeyKept, SetKey
from actors.messages.base import Message
from actors.messages.model import (
    AskModel,
    Found,
    FoundPage,
    Merged,
    MergeEdit,
    ResolvedModel,
    ResolveModel,
    SearchWeb,
    ToolSpec,
)
from actors.providers.actor import serve
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings, SearchSettings, Settings
from actors.settings.permissions import RuleLine
from tests.actors.providers.talking import ASK, HELLO, SETTINGS, SETTLE_S, agent_beside, configured, told
from tests.fakes.model_server import open_model_server
from tests.fakes.network import Network, open_network
from tests.fakes.search_server import KEY, Page, Said, SearchServer, open_search_server

WANTED = SearchWeb(query="trio cancel scope", limit=2)
SEARCHING = msgspec.structs.replace(SETTINGS, searching=True)
PAGES: list[Page] = [
    {"url": "https://a.example/1", "title": "One", "description": "First", "content": "First", "age": "1 day"},
    {"url": "https://b.example/2", "title": "Two", "description": "Second", "content": "Second", "score": 0.5},
    {"url": "https://c.example/3", "title": "Three", "description": "Third", "content": "Third"},
]
FOUND = (
    FoundPage(url="https://a.example/1", title="One", excerpt="First"),
    FoundPage(url="https://b.example/2", title="Two", excerpt="Second"),
)
MORE_THAN_TRIES = 200
"""How often it is asked within its time is up to dice."""
BRAVE, TAVILY = {"BRAVE_API_KEY": KEY}, {"TAVILY_API_KEY": KEY}


@asynccontextmanager
async def searching(
    clock: MockClock,
    environ: dict[str, str],
    settings: Settings = SEARCHING,
    pages: Iterable[Page] = PAGES,
    said: Iterable[Said | None] = (),
) -> AsyncIterator[tuple[Network, SearchServer]]:
    clock.autojump_threshold = SETTLE_S
    async with open_search_server(pages, said) as server, open_network() as network:
        if settings.search.service == "searxng":
            settings = msgspec.structs.replace(settings, search=SearchSettings("searxng", f"{server.url}/"))
        own = {name: ProviderSettings(base_url=server.url) for name in ("brave", "tavily")}
        network.start("providers", lambda mailbox: serve(mailbox, settings, Registry(own, environ)))
        yield network, server


def by(service: str) -> Settings:
    return msgspec.structs.replace(SEARCHING, search=msgspec.convert({"service": service}, SearchSettings))


async def search(network: Network, wanted: SearchWeb = WANTED, sender: str = "web") -> Found | Failed:
    try:
        return await network.mailbox(sender).ask("providers", wanted, Found)
    except Failed as failure:
        return failure


@pytest.mark.parametrize(
    ("environ", "settings", "service", "sent"),
    [
        (BRAVE, SEARCHING, "brave", {"q": WANTED.query, "count": "2", "text_decorations": "false"}),
        ({"BRAVE_SEARCH_API_KEY": KEY}, SEARCHING, "brave", {"q": WANTED.query, "count": "2"}),
        (BRAVE | TAVILY, SEARCHING, "brave", {"q": WANTED.query}),
        (TAVILY, SEARCHING, "tavily", {"query": WANTED.query, "max_results": "2"}),
        (BRAVE | TAVILY, by("tavily"), "tavily", {"query": WANTED.query}),
        (BRAVE, by("searxng"), "searxng", {"q": WANTED.query, "format": "json"}),
    ],
    ids=["brave", "brave's other variable", "brave first", "tavily", "chosen", "searxng"],
)
async def test_each_service_in_its_own_words(
    autojump_clock: MockClock, environ: dict[str, str], settings: Settings, service: str, sent: dict[str, str]
) -> None:
    async with searching(autojump_clock, environ, settings) as (network, server):
        found = await search(network)

    assert found == Found(service=service, pages=FOUND)
    (asked,) = server.asked
    assert sent.items() <= asked.items()


async def test_what_is_found_is_harmless(autojump_clock: MockClock) -> None:
    pages: list[Page] = [
        {"url": "javascript:alert(1)", "title": "no page"},
        {"url": "https://a.example/\x1b[2J", "title": "no address"},
        {"url": None, "title": None},
        {
            "url": "https://a.example/",
            "title": "<strong>C++</strong> vector&lt;int&gt;\x1b]52;c;eA==\x07",
            "description": "a\u202eb\U000e0041 " + "word " * 500,
        },
    ]
    async with searching(autojump_clock, BRAVE, pages=pages) as (network, _):
        found = await search(network)

    assert isinstance(found, Found)
    (page,) = found.pages
    assert (page.url, page.title) == ("https://a.example/", "C++ vector<int> ]52;c;eA==")
    assert page.excerpt.startswith("a b word word")
    assert len(page.excerpt) == 600
    assert page.excerpt.isprintable()


async def test_a_plan_that_takes_one_search_a_second_is_waited_for(autojump_clock: MockClock) -> None:
    too_fast = Said(429, b'{"type": "ErrorResponse", "error": {"code": "RATE_LIMITED", "detail": "too fast"}}')

    async with searching(autojump_clock, BRAVE, said=[too_fast, too_fast]) as (network, server):
        found = await search(network)

    assert found == Found(service="brave", pages=FOUND)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("said", "code", "words"),
    [
        ([Said(401, b'{"detail": "Unauthorized: bad key"}')], "unauthorized", "Check the key in BRAVE_API_KEY."),
        (
            [Said(422, b'{"error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "invalid"}}')],
            "unauthorized",
            "Check the key in BRAVE_API_KEY.",
        ),
        ([Said(429, b"slow down")] * MORE_THAN_TRIES, "rate_limited", "Wait a little, then search again."),
        ([Said(402, b'{"message": "no credit"}')], "rate_limited", "waiting does not help"),
        ([Said(432, b'{"detail": {"error": "plan limit"}}')], "rate_limited", "waiting does not help"),
        ([Said(500, b"oops")] * MORE_THAN_TRIES, "server_error", "Search again later."),
        ([Said(200, b"<html>sign in</html>")], "bad_stream", "something unexpected"),
        ([Said(200, b'{"web": {"results": 1}}')], "bad_stream", "something unexpected"),
        ([Said(200, b"[" * 100_000)], "bad_stream", "something unexpected"),
        ([None] * MORE_THAN_TRIES, "stalled", "25 s"),
    ],
)
async def test_what_went_wrong_is_said_without_the_key(
    autojump_clock: MockClock, said: list[Said | None], code: str, words: str
) -> None:
    async with searching(autojump_clock, BRAVE, said=said) as (network, _):
        failure = await search(network)

    assert isinstance(failure, Failed)
    assert failure.problem.code == code
    assert words in str(failure)
    assert KEY not in str(failure)


async def test_a_searxng_without_json_says_what_to_set(autojump_clock: MockClock) -> None:
    async with searching(autojump_clock, {}, by("searxng"), said=[Said(403, b"Forbidden")]) as (network, _):
        failure = await search(network)

    assert "formats: [html, json]" in str(failure)


async def test_without_a_service_it_says_what_to_set(autojump_clock: MockClock) -> None:
    async with searching(autojump_clock, {}) as (network, _):
        failure = await search(network)

    assert "Set BRAVE_API_KEY or TAVILY_API_KEY" in str(failure)


@pytest.mark.parametrize(
    ("sender", "message", "expected"),
    [
        ("tools:main", WANTED, Found),
        ("agent:main", WANTED, Found),
        ("ui", WANTED, Found),
        ("web", ASK, AskModel),
        ("web", ResolveModel(), ResolvedModel),
        ("web", SetKey(provider="openai", key="k"), KeyKept),
        ("web", MergeEdit(original="a", sketch="b"), Merged),
    ],
)
async def test_the_web_worker_searches_and_nothing_else(
    autojump_clock: MockClock, sender: str, message: Message, expected: type[Message]
) -> None:
    async with searching(autojump_clock, BRAVE) as (network, server):
        with pytest.raises(Failed) as failure:
            await network.mailbox(sender).ask("providers", message, expected)
        asked = server.asked

    assert failure.value.problem.code == "not_allowed"
    assert asked == []


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        (SETTINGS, WANTED),
        (msgspec.structs.replace(SEARCHING, rules=(RuleLine(verdict="deny", text="WebSearch", source="f"),)), WANTED),
        (SEARCHING, SearchWeb(query="x" * 401)),
        (SEARCHING, SearchWeb(query="x", limit=1000)),
    ],
    ids=["not in this session", "denied", "too long", "too many"],
)
async def test_what_its_tool_would_refuse_is_refused_here_again(
    autojump_clock: MockClock, settings: Settings, wanted: SearchWeb
) -> None:
    async with searching(autojump_clock, BRAVE, settings) as (network, server):
        assert isinstance(await search(network, wanted), Failed)

    assert server.asked == []


async def test_it_is_no_model_to_talk_to(autojump_clock: MockClock) -> None:
    async with searching(autojump_clock, BRAVE) as (network, _):
        with pytest.raises(Failed) as failure:
            await network.mailbox("ui").ask("providers", ResolveModel(model="brave/x"), ResolvedModel)

    assert failure.value.problem.code == "unknown_model"


@pytest.mark.parametrize("native", [True, False])
async def test_a_model_whose_service_searches_is_not_offered_ours(autojump_clock: MockClock, native: bool) -> None:
    ours = ToolSpec(name="web_search", description="Ours.", parameters='{"type":"object"}', effect="network")
    asked = msgspec.structs.replace(ASK, model="local/claude-x", tools=(*ASK.tools, ours), web_search=native)
    async with (
        open_model_server(HELLO) as server,
        agent_beside(autojump_clock, configured(server.url, "anthropic-messages")) as agent,
    ):
        await told(agent, asked)

    tools = msgspec.json.decode(server.asked[0].body)["tools"]
    assert [tool.get("type", "ours") for tool in tools if tool["name"] == "web_search"] == [
        "web_search_20250305" if native else "ours"
    ]
