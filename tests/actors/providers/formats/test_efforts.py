"""An effort the model does not know is refused before anything is sent."""

import pytest

from actors.errors import Failed
from actors.messages.base import Problem
from actors.messages.model import ModelFacts
from actors.providers.endpoint import Target
from actors.providers.models.abilities import as_asked, check_effort
from actors.providers.services.registry import Registry

KEYS = {"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k", "XAI_API_KEY": "k", "GEMINI_API_KEY": "k"}


def refusal(model: str, effort: str) -> Problem | None:
    try:
        check_effort(Registry({}, KEYS).target(model), effort)
    except Failed as failure:
        return failure.problem
    return None


@pytest.mark.parametrize(
    ("model", "effort"),
    [
        ("anthropic/claude-opus-5-5", ""),
        ("anthropic/claude-opus-5-5", "max"),
        ("anthropic/claude-opus-5", "off"),
        ("anthropic/claude-opus-4-8", "xhigh"),
        ("anthropic/claude-haiku-4-5", "medium"),  # becomes a number of tokens
        ("anthropic/claude-haiku-4-5", "off"),
        ("openai/gpt-5.5", "none"),
        ("openai/gpt-4.1", "off"),
        ("openai/of-tomorrow", "anything"),  # its service will say
        ("ollama/anything", "high"),
        ("google/gemini-3.5-flash", "off"),  # which is "minimal" there
        ("google/gemini-2.5-flash", "off"),
        ("xai/grok-4.3", "off"),
    ],
)
def test_an_effort_that_may_be_sent(model: str, effort: str) -> None:
    assert refusal(model, effort) is None


@pytest.mark.parametrize(
    ("model", "effort", "text", "hint"),
    [
        (
            "anthropic/claude-opus-4-6",
            "xhigh",
            'anthropic/claude-opus-4-6 knows no effort "xhigh".',
            "It knows: low, medium, high, max, off.",
        ),
        (
            "anthropic/claude-opus-5-5",
            "off",
            "anthropic/claude-opus-5-5 cannot answer without thinking.",
            "It knows: low, medium, high, xhigh, max.",
        ),
        (
            "google/gemini-3.1-pro-preview",
            "off",
            "google/gemini-3.1-pro-preview cannot answer without thinking.",
            "It knows: low, medium, high.",
        ),
        ("openai/gpt-4.1", "high", 'openai/gpt-4.1 knows no effort "high".', "It knows: off."),
    ],
)
def test_an_effort_that_is_refused(model: str, effort: str, text: str, hint: str) -> None:
    problem = refusal(model, effort)

    assert problem is not None
    assert (problem.code, problem.text, problem.hint) == ("bad_request", text, hint)


def test_a_server_that_takes_none_beside_its_models_efforts_can_be_told_to_be_quick() -> None:
    thinks = ModelFacts(id="m", efforts=("low", "medium", "high"))

    check_effort(Target(Registry({}, {}).endpoint("ollama"), "m", thinks), "off")


def test_what_a_model_is_shown_to_know_is_what_it_may_be_asked() -> None:
    registry = Registry({}, KEYS)

    shown = [
        as_asked(registry.target(f"google/{name}")).choices for name in ("gemini-3.1-pro-preview", "gemma-4-31b-it")
    ]

    assert shown == [("low", "medium", "high"), ("off",)]
