"""What `trouper models` asks the providers actor: what there is, what can be asked now, what to do for the rest."""

import pytest
from trio.testing import MockClock

from actors.messages.model import ListedModel, ListModels, ModelFacts, Models, Price
from actors.providers.models.pricing import FREE
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from actors.settings.services import ANTHROPIC, OPENAI, BuiltIn
from tests.actors.providers.talking import HELLO, agent_beside
from tests.fakes.local_server import LocalServer, open_local_server
from tests.fakes.model_server import open_model_server

NOBODY = "http://127.0.0.1:9/v1"  # the discard port


async def listed(clock: MockClock, registry: Registry, wanted: str = "") -> Models:
    async with agent_beside(clock, registry) as agent:
        return await agent.ask("providers", ListModels(filter=wanted), Models)


def by_name(found: Models) -> dict[str, ListedModel]:
    return {row.model: row for row in found.models}


async def test_usable_ones_come_first_and_the_others_say_what_to_do(mock_clock: MockClock) -> None:
    registry = Registry({}, {"OPENAI_API_KEY": "k"}, [ANTHROPIC, OPENAI])

    found = await listed(mock_clock, registry)

    usable = [row.usable for row in found.models]
    assert usable == sorted(usable, reverse=True)
    assert by_name(found)["openai/gpt-5.5"].usable
    missing = by_name(found)["anthropic/claude-opus-5-5"]
    assert (missing.usable, missing.why_not) == (
        False,
        "Set ANTHROPIC_API_KEY, or keep a key with: trouper auth set anthropic",
    )


@pytest.mark.parametrize(
    ("wanted", "some", "none"),
    [
        ("SONNET", "anthropic/claude-sonnet-5-5", "anthropic/claude-opus-5-5"),
        ("opus 4 6", "anthropic/claude-opus-4-6", "anthropic/claude-opus-5-5"),
        ("sonnet-latest", "anthropic/claude-sonnet-5-5", "anthropic/claude-sonnet-5"),
        ("open gpt", "openai/gpt-5.5", "anthropic/claude-opus-5-5"),
    ],
)
async def test_all_words_of_a_filter_match_anywhere(mock_clock: MockClock, wanted: str, some: str, none: str) -> None:
    found = by_name(await listed(mock_clock, Registry({}, {}, [ANTHROPIC, OPENAI]), wanted))

    assert some in found
    assert none not in found


async def test_without_a_hit_the_nearest_are_named(mock_clock: MockClock) -> None:
    found = await listed(mock_clock, Registry({}, {}, [ANTHROPIC]), "claude-sonet-5-5")

    assert found.models == ()
    assert found.nearest[0] == "anthropic/claude-sonnet-5-5"


async def test_a_local_server_that_runs_lists_its_own_models_without_a_price(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        runs = BuiltIn(name="ollama", api="openai-chat", base_url=f"{server.url}/v1")
        silent = BuiltIn(name="vllm", api="openai-chat", base_url=NOBODY)

        found = await listed(mock_clock, Registry({}, {}, [runs, silent]))

    assert [(row.model, row.usable, row.facts.prices) for row in found.models] == [
        ("ollama/test-model", True, FREE),
        ("ollama/test-model-large", True, FREE),
    ]


def own(server: LocalServer, dialect: str) -> Registry:
    return Registry({"mine": ProviderSettings("openai-chat", f"{server.url}/v1", dialect=dialect)}, {}, ())


async def test_a_server_says_all_of_its_models_at_once(mock_clock: MockClock) -> None:
    many = [{"id": f"m{number}", "max_model_len": 4096} for number in range(5000)]
    async with open_local_server({"GET /v1/models": {"data": [{"id": ""}, *many]}}) as server:
        found = by_name(await listed(mock_clock, own(server, "vllm")))

    assert len(found) == 2000
    assert found["mine/m1999"].facts.context == 4096
    assert [what for what, _ in server.asked] == ["GET /v1/models"]


async def test_a_server_that_runs_one_model_is_asked_about_it_once(mock_clock: MockClock) -> None:
    names = {"data": [{"id": f"m{number}"} for number in range(300)]}
    props = {"default_generation_settings": {"n_ctx": 4096}}
    async with open_local_server({"GET /v1/models": names, "GET /props": props}) as server:
        found = by_name(await listed(mock_clock, own(server, "llamacpp")))

    assert found["mine/m299"].facts.context == 4096
    assert sorted(what for what, _ in server.asked) == ["GET /props", "GET /v1/models"]


async def test_many_models_of_ollama_are_listed_even_if_it_cannot_say_all_of_them(mock_clock: MockClock) -> None:
    names = {"data": [{"id": f"m{number}"} for number in range(500)]}
    async with open_local_server({"GET /v1/models": names, "POST /api/show": None}) as server:
        found = by_name(await listed(mock_clock, own(server, "ollama")))

    assert len(found) == 500
    assert len(server.asked) == 2


async def test_a_server_that_does_not_answer_is_named_for_the_models_that_are_known(mock_clock: MockClock) -> None:
    registry = Registry({}, {}, [BuiltIn(name="lmstudio", api="openai-chat", base_url=NOBODY)])

    rows = (await listed(mock_clock, registry)).models

    assert len(rows) >= 1
    assert {row.why_not for row in rows} == {
        f"lmstudio ({NOBODY}): the connection was refused. Is the server running, and is its base_url right?"
    }


async def test_a_known_model_that_a_server_does_not_offer_now_is_not_usable(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        registry = Registry({}, {}, [BuiltIn(name="lmstudio", api="openai-chat", base_url=f"{server.url}/v1")])

        found = by_name(await listed(mock_clock, registry))

    assert found["lmstudio/test-model"].usable
    assert found["lmstudio/qwen/qwen3-coder-30b"].why_not == "lmstudio does not offer it now."


async def test_providers_and_models_of_the_users_own(mock_clock: MockClock) -> None:
    price = (Price(input=1, output=2),)
    async with open_model_server(HELLO) as server:
        mine = ProviderSettings("openai-chat", f"{server.url}/v1", api_key_env="MY_KEY")
        own = {"mine/test-model": ModelFacts(prices=price), "anthropic/claude-new": ModelFacts(context=9)}
        registry = Registry({"mine": mine}, {"MY_KEY": "k"}, [ANTHROPIC], own)

        found = by_name(await listed(mock_clock, registry))

    assert found["mine/test-model"] == ListedModel(model="mine/test-model", facts=own["mine/test-model"], usable=True)
    assert found["mine/test-model-large"].usable
    assert found["anthropic/claude-new"].facts.context == 9


def test_what_the_user_says_of_a_model_counts_for_its_aliases_too() -> None:
    registry = Registry({}, {}, models={"anthropic/claude-opus-5-5": ModelFacts(context=9)})

    assert registry.facts("anthropic", "opus").context == 9


async def test_one_wrong_provider_does_not_hide_the_others(mock_clock: MockClock) -> None:
    wrong = {"broken": ProviderSettings(), "plain": ProviderSettings("openai-chat", "http://example.org/v1")}
    own = {"broken/m": ModelFacts(context=1), "plain/m": ModelFacts(context=1)}

    found = by_name(await listed(mock_clock, Registry(wrong, {"ANTHROPIC_API_KEY": "k"}, [ANTHROPIC], own)))

    assert found["anthropic/claude-opus-5-5"].usable
    assert found["broken/m"].why_not == "[providers.broken] needs api and base_url. Set them in config.toml."
    assert "http" in found["plain/m"].why_not
