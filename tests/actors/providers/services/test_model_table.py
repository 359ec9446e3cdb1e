"""The built-in table: one line a model, found by id, alias or snapshot."""

import tomllib

import msgspec
import pytest

from actors.messages.model import ModelFacts, Price
from actors.providers.services import make_models, model_table
from actors.providers.services.make_models import PLANS
from actors.settings.services import BUILT_IN
from tests import ROOT

SOURCE = ROOT.parent / "shared" / "reference" / "models.json"


def known(provider: str, name: str) -> ModelFacts:
    facts = model_table.facts(provider, name)
    assert facts is not None
    return facts


def test_the_checked_in_table_is_what_its_source_gives() -> None:
    if not SOURCE.exists():
        pytest.skip("models.json is not here")

    assert make_models.made(SOURCE.read_bytes()) == model_table.FILE.read_text()


def test_one_line_says_what_the_whole_file_says() -> None:
    whole = tomllib.loads(model_table.FILE.read_text())

    by_line = {(provider, facts.id): facts for provider, facts in model_table.everything()}

    assert by_line == {
        (provider, name): msgspec.convert({"id": name, **members}, ModelFacts)
        for provider, models in whole.items()
        for name, members in models.items()
    }


def test_every_model_is_found_by_its_names_and_by_no_others() -> None:
    for provider, facts in model_table.everything():
        assert [model_table.facts(provider, name) for name in (facts.id, *facts.aliases)] == [facts] * (
            1 + len(facts.aliases)
        )


def test_a_name_means_one_model() -> None:
    names = [(provider, name) for provider, facts in model_table.everything() for name in (facts.id, *facts.aliases)]

    assert len(names) == len(set(names))


def test_every_section_is_a_provider_of_ours() -> None:
    assert {provider for provider, _ in model_table.everything()} <= {provider.name for provider in BUILT_IN}


def test_default_models_are_in_the_table() -> None:
    defaults = [(provider.name, provider.default_model) for provider in BUILT_IN if provider.default_model]

    assert [model_table.facts(*default) is not None for default in defaults] == [True] * len(defaults)


def test_all_is_known_of_a_model() -> None:
    assert known("anthropic", "claude-haiku-5-5") == ModelFacts(
        id="claude-haiku-5-5",
        aliases=("claude-haiku-5.5", "haiku", "claude-haiku-latest"),
        context=1_000_000,
        max_output=128_000,
        prices=(
            Price(input=0.1, output=0.5, cache_read=0.01, cache_write=0.125, cache_write_1h=0.2),
            Price(above=100_000, input=0.5, output=2.5, cache_read=0.05, cache_write=0.625, cache_write_1h=1),
        ),
        search_usd=0.01,
        efforts=("low", "medium", "high", "xhigh", "max"),
        thinking="always",
        images=True,
        pdfs=True,
        tools=True,
    )


@pytest.mark.parametrize(
    ("provider", "name", "found"),
    [
        ("anthropic", "sonnet", "claude-sonnet-5-5"),
        ("anthropic", "claude-sonnet-4-5", "claude-sonnet-4-5-20250929"),
        ("anthropic", "claude-opus-4-0", "claude-opus-4-20250514"),
        ("anthropic", "claude-opus-5.5", "claude-opus-5-5"),
        ("copilot", "claude-opus-4-8", "claude-opus-4.8"),
        ("openrouter", "anthropic/claude-sonnet-4-6", "anthropic/claude-sonnet-4.6"),
        ("openai", "gpt-4o-2024-05-13", "gpt-4o-2024-05-13"),
    ],
)
def test_aliases(provider: str, name: str, found: str) -> None:
    assert known(provider, name).id == found


def test_a_snapshot_has_the_facts_of_its_model_and_keeps_its_name() -> None:
    of_model = known("openai", "gpt-5.2")

    assert known("openai", "gpt-5.2-2025-12-11") == msgspec.structs.replace(of_model, id="gpt-5.2-2025-12-11")


@pytest.mark.parametrize(
    ("provider", "name"),
    [("nobody", "x"), ("openai", "claude-opus-5-5"), ("anthropic", "low"), ("anthropic", 'a"b\n['), ("openai", "")],
)
def test_what_is_not_in_it(provider: str, name: str) -> None:
    assert model_table.facts(provider, name) is None


@pytest.mark.parametrize(
    ("provider", "name", "thinking", "api"),
    [
        ("anthropic", "claude-opus-5-5", "always", None),
        ("anthropic", "claude-opus-5", "adaptive", None),
        ("anthropic", "claude-opus-4-8", "optional", None),
        ("anthropic", "claude-haiku-4-5", "budget", None),
        ("copilot", "claude-opus-4.6", "optional", "anthropic-messages"),
        ("copilot", "gpt-5-mini", "always", "openai-responses"),
        ("copilot", "gpt-4.1", "", None),
        ("copilot", "gemini-3.5-flash", "", None),
        ("openai", "gpt-6.2-sol", "always", None),
        ("openai", "gpt-5.5", "", None),
    ],
)
def test_how_models_think_and_are_spoken_to(provider: str, name: str, thinking: str, api: str | None) -> None:
    facts = known(provider, name)

    assert (facts.thinking, facts.api) == (thinking, api)


def test_a_subscription_has_no_price_a_token_and_a_smaller_context() -> None:
    facts = known("codex", "gpt-5.5")

    assert (facts.prices, facts.context, facts.max_input) == ((), 400_000, 272_000)


def test_what_a_plan_bills_has_no_price_a_token() -> None:
    assert [facts.id for provider, facts in model_table.everything() if provider in PLANS and facts.prices] == []


@pytest.mark.parametrize("name", ["gpt-5.2", "gpt-5.2-codex", "gpt-5.4-nano"])
def test_what_copilot_does_not_say_of_efforts_their_maker_does(name: str) -> None:
    assert known("copilot", name).efforts == known("openai", name).efforts != ()


def test_the_price_of_a_write_is_put_in_where_its_service_says_it_in_general() -> None:
    assert known("openai", "gpt-6.1-sol").prices[0].cache_write == 2.5
    assert known("openai", "gpt-5.5").prices[0].cache_write is None
    assert known("anthropic", "claude-opus-5-5").prices[0].cache_write_1h == 8


@pytest.mark.parametrize(
    ("wanted", "first"),
    [
        ("claude-opus-5-5", "anthropic/claude-opus-5-5"),
        ("openai/claude-opus-5-5", "anthropic/claude-opus-5-5"),
        ("claude-sonet-5", "anthropic/claude-sonnet-5"),
        ("gpt-6.2", "openai/gpt-6.2-sol"),
        ("opnai/GPT-5.5", "openai/gpt-5.5"),
        ("local/mine", "local/mine-too"),
    ],
)
def test_the_nearest_names(wanted: str, first: str) -> None:
    near = model_table.nearest(wanted, ["local/mine-too"])

    assert near[0] == first
    assert len(near) <= model_table.SHOWN


def test_nothing_is_near_to_nonsense() -> None:
    assert model_table.nearest("xyzzy") == []
