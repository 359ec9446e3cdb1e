"""Which providers there are and what a model's name means."""

from collections.abc import Mapping

import pytest

from actors.errors import Failed
from actors.messages.base import Problem
from actors.messages.model import ModelFacts, Price
from actors.providers.endpoint import Endpoint, Target, without_secrets
from actors.providers.services.registry import NothingKept, Registry, base_url, ollama_url
from actors.settings.config import ProviderSettings

LOCAL = ProviderSettings("openai-chat", "http://127.0.0.1:8080/v1/", api_key_env="LOCAL_KEY", idle_timeout_s=9)
KEYS = {"ANTHROPIC_API_KEY": "ka", "OPENAI_API_KEY": "ko", "OPENROUTER_API_KEY": "kr", "LOCAL_KEY": "kl"}


class SignedIn(NothingKept):
    def signed_in(self, provider: str) -> bool:  # noqa: ARG002
        return True


def problem(model: str, environ: Mapping[str, str] = KEYS) -> Problem:
    with pytest.raises(Failed) as failure:
        Registry({"local": LOCAL}, environ).target(model)
    return failure.value.problem


def test_a_configured_provider() -> None:
    target = Registry({"local": LOCAL}, KEYS).target("local/any/thing")

    assert target == Target(
        Endpoint(
            provider="local",
            api="openai-chat",
            base_url="http://127.0.0.1:8080/v1",
            key="kl",
            key_env="LOCAL_KEY",
            idle_timeout_s=9,
        ),
        "any/thing",
    )
    assert target.model == "local/any/thing"


@pytest.mark.parametrize(
    ("model", "url", "name"),
    [
        ("anthropic/claude-x", "https://api.anthropic.com", "claude-x"),
        ("openai/gpt-x", "https://api.openai.com/v1", "gpt-x"),
        ("openrouter/anthropic/claude-x", "https://openrouter.ai/api/v1", "anthropic/claude-x"),
        ("ollama/qwen3:8b", "http://127.0.0.1:11434/v1", "qwen3:8b"),
        ("anthropic", "https://api.anthropic.com", "claude-sonnet-5-5"),
    ],
)
def test_the_built_in_providers(model: str, url: str, name: str) -> None:
    target = Registry({}, KEYS).target(model)

    assert (target.endpoint.base_url, target.name) == (url, name)


def test_the_environment_moves_a_built_in_provider() -> None:
    moved = {"ANTHROPIC_BASE_URL": "http://a/v1/", "OPENAI_BASE_URL": "http://o/v1", "OLLAMA_HOST": "0.0.0.0:9"}
    registry = Registry({}, KEYS | moved)

    urls = [registry.endpoint(name).base_url for name in ("anthropic", "openai", "ollama")]

    assert urls == ["http://a", "http://o/v1", "http://127.0.0.1:9/v1"]


def test_settings_replace_a_built_in_provider() -> None:
    assert Registry({"anthropic": LOCAL}, KEYS).target("anthropic/x").endpoint.base_url == LOCAL.base_url.rstrip("/")


def test_an_unknown_provider_is_answered_with_the_nearest() -> None:
    found = problem("antropic/claude-x")

    assert found.code == "unknown_model"
    assert found.text == 'No provider is named "antropic" (in "antropic/claude-x").'
    assert found.hint.startswith('Did you mean "anthropic"?')


def test_a_name_without_model() -> None:
    assert problem("local").hint == "Write local/NAME."
    assert problem("local/").code == "unknown_model"


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_is_named_by_its_variable(value: str | None) -> None:
    environ = {} if value is None else {"OPENAI_API_KEY": value}

    found = problem("openai/gpt-x", environ)

    assert (found.code, found.hint) == (
        "no_credentials",
        "Set OPENAI_API_KEY, or keep a key with: trouper auth set openai",
    )


def test_what_cannot_be_a_key_is_not_shown() -> None:
    found = problem("openai/gpt-x", {"OPENAI_API_KEY": "planted\nkey…"})

    assert found.code == "no_credentials"
    assert "planted" not in found.text + found.hint


def test_a_key_may_have_a_newline_after_it() -> None:
    assert Registry({}, {"OPENAI_API_KEY": "k\n"}).endpoint("openai").key == "k"


def test_without_choice_the_first_provider_with_a_key_is_taken() -> None:
    environ = {"OPENROUTER_API_KEY": "k", "OPENAI_API_KEY": "k"}

    assert Registry({}, environ).with_key() == Registry({}, environ).target("openai")
    assert Registry({}, {}).with_key() is None


def test_servers_that_may_run_here_begin_with_the_configured_ones() -> None:
    names = [endpoint.provider for endpoint in Registry({"mine": LOCAL}, KEYS).without_key()]

    assert names == ["mine", "ollama", "llamacpp", "vllm", "lmstudio"]
    assert "mine" not in [endpoint.provider for endpoint in Registry({"mine": LOCAL}, {}).without_key()]


@pytest.mark.parametrize(
    ("given", "chat", "messages"),
    [
        ("http://h/v1", "http://h/v1", "http://h"),
        ("http://h/v1/", "http://h/v1", "http://h"),
        ("http://h/v1/v1", "http://h/v1", "http://h"),
        (" http://h ", "http://h", "http://h"),
        ("http://h/api/paas/v4", "http://h/api/paas/v4", "http://h/api/paas/v4"),
    ],
)
def test_a_base_url_follows_its_services_convention(given: str, chat: str, messages: str) -> None:
    assert base_url("openai-chat", given) == chat
    assert base_url("anthropic-messages", given) == messages


@pytest.mark.parametrize(
    ("model", "api"),
    [
        ("gpt-7-sol", "openai-responses"),
        ("claude-opus-7", "anthropic-messages"),
        ("claude-sonnet-5", "anthropic-messages"),
        ("gemini-5-pro", "openai-chat"),
        ("mine", "openai-responses"),
    ],
)
def test_copilot_speaks_to_models_that_are_not_in_the_table_in_their_makers_format(model: str, api: str) -> None:
    registry = Registry({}, {}, models={"copilot/mine": ModelFacts(api="openai-responses")}, kept=SignedIn())

    target = registry.target(f"copilot/{model}")

    assert (target.api, target.endpoint.base_url) == (api, "https://api.githubcopilot.com")


@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("anthropic/chatty", "https://api.anthropic.com/v1"),
        ("anthropic/claude-opus-5", "https://api.anthropic.com"),
        ("openai/messages", "https://api.openai.com/v1"),
    ],
)
def test_a_model_of_another_format_is_asked_at_that_formats_address(model: str, url: str) -> None:
    models = {
        "anthropic/chatty": ModelFacts(api="openai-chat"),
        "anthropic/claude-opus-5": ModelFacts(api="anthropic-messages"),
        "openai/messages": ModelFacts(api="anthropic-messages"),
    }

    assert Registry({}, KEYS, models=models).target(model).endpoint.base_url == url


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("example", "http://example:11434/v1"),
        ("example:9", "http://example:9/v1"),
        (":9", "http://127.0.0.1:9/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),  # noqa: S104  # where Ollama listens
        ("[::]:9", "http://127.0.0.1:9/v1"),
        ("[::1]:9", "http://[::1]:9/v1"),
        ("http://example", "http://example/v1"),
        ("https://example/ollama/", "https://example/ollama/v1"),
        ("http://example:9/v1", "http://example:9/v1"),
    ],
)
def test_ollama_host_has_many_forms(host: str, url: str) -> None:
    assert ollama_url(host) == url


def test_an_ollama_host_that_is_no_address_is_said() -> None:
    with pytest.raises(Failed) as failure:
        Registry({}, {"OLLAMA_HOST": "here:there"}).target("ollama/x")

    assert failure.value.problem.code == "bad_configuration"


def test_a_shown_url_has_no_secrets() -> None:
    assert without_secrets("https://me:pass@h:9/v1?key=k#f") == "https://h:9/v1"
    assert "pass" not in without_secrets("http://me:pass@[::1/v1")


@pytest.mark.parametrize(
    ("url", "priced"),
    [
        ("", True),
        ("https://api.openai.com/v1", True),
        ("https://gateway.example.com/v1", True),
        ("http://localhost:1234/v1", False),
        ("http://127.0.0.1:8080/v1", False),
        ("http://[::1]:8080/v1", False),
        ("http://192.168.0.7:8000/v1", False),
        ("http://workstation.local:8000/v1", False),
        ("http://workstation:8000/v1", False),
    ],
)
def test_what_a_server_nearby_answers_in_a_services_name_has_no_price(url: str, priced: bool) -> None:
    registry = Registry({}, {"OPENAI_API_KEY": "k" * 20, "OPENAI_BASE_URL": url})

    assert bool(registry.target("openai/gpt-5.5").facts.prices) == priced
    assert bool(registry.facts("openai", "gpt-5.5").prices) == priced
    assert registry.facts("openai", "gpt-5.5").context > 0


def test_a_price_the_user_has_configured_holds_wherever_the_model_runs() -> None:
    own = ModelFacts(prices=(Price(input=1, output=2),))
    environ = {"OPENAI_API_KEY": "k" * 20, "OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"}

    registry = Registry({}, environ, models={"openai/gpt-5.5": own})

    assert registry.target("openai/gpt-5.5").facts.prices == own.prices
