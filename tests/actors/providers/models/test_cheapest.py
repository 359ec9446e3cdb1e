"""Which model of a service does small things cheaply, by the built-in table."""

import pytest

from actors.messages.model import ModelFacts, Price
from actors.providers.models import cheapest
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings

KEYS = {"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k", "OPENROUTER_API_KEY": "k", "CEREBRAS_API_KEY": "k"}


def found(model: str, registry: Registry | None = None) -> str:
    registry = registry or Registry({}, KEYS)
    target = cheapest.of_its_service(registry.target(model), registry)
    return target.model if target else ""


@pytest.mark.parametrize(
    ("own", "cheap"),
    [
        ("anthropic/claude-opus-5-5", "anthropic/claude-haiku-5-5"),
        ("anthropic/claude-haiku-5-5", "anthropic/claude-haiku-5-5"),
        ("anthropic/claude-that-is-new", "anthropic/claude-haiku-5-5"),
        ("openai/gpt-6.2-sol", "openai/gpt-5-nano"),
    ],
)
def test_the_cheapest_of_the_service(own: str, cheap: str) -> None:
    assert found(own) == cheap


def test_a_service_that_passes_on_is_asked_for_one_of_the_same_maker() -> None:
    assert found("openrouter/anthropic/claude-sonnet-5").startswith("openrouter/anthropic/")


def test_what_costs_nothing_is_not_taken() -> None:
    free = Registry({}, KEYS, models={"anthropic/claude-opus-5": ModelFacts(prices=(Price(input=0, output=0),))})

    assert found("anthropic/claude-sonnet-5", free) == "anthropic/claude-haiku-5-5"


def test_where_the_cheapest_is_dear_and_no_cheaper_there_is_none() -> None:
    dear = ModelFacts(prices=(Price(input=5, output=25),))
    every = {f"cerebras/{name}": dear for name in ("gpt-oss-120b", "zai-glm-4.7")}

    assert found("cerebras/zai-glm-4.7", Registry({}, KEYS, models=every)) == ""


@pytest.mark.parametrize("own", ["codex/gpt-5.5", "copilot/claude-sonnet-5"])
def test_of_a_subscription_no_price_is_known(own: str) -> None:
    assert found(own, Registry({}, {}, kept=SignedIn())) == ""


class SignedIn:
    def key(self, provider: str) -> str:  # noqa: ARG002
        return ""

    def has_key(self, provider: str) -> bool:  # noqa: ARG002
        return False

    def signed_in(self, provider: str) -> bool:  # noqa: ARG002
        return True


@pytest.mark.parametrize(
    "registry",
    [
        Registry({}, {**KEYS, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}),
        Registry({"anthropic": ProviderSettings(base_url="https://gateway.example.com")}, KEYS),
    ],
    ids=["by a variable", "by the settings"],
)
def test_what_another_host_offers_under_its_name_is_not_known(registry: Registry) -> None:
    assert found("anthropic/claude-opus-5-5", registry) == ""


def test_of_a_server_of_ones_own_nothing_is_known() -> None:
    own = ProviderSettings(api="openai-chat", base_url="http://127.0.0.1:9/v1")

    assert found("local/any", Registry({"local": own}, {})) == ""
