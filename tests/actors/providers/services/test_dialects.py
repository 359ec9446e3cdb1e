"""Headers that single services want, whatever the wire format."""

import msgspec
import pytest

from actors.messages.conversation import AssistantMessage, Attachment, ModelInput, Text, ToolResult, UserMessage
from actors.messages.model import AskModel
from actors.providers.services import copilot, dialects
from actors.settings.config import PROVIDERS
from tests.actors.providers.formats.openai_chat.streams import to

PROMPT = UserMessage(text="Go.", turn_id="t", prompt_id="p")
OURS = UserMessage(text="Summarise.", turn_id="t")
ANSWER = AssistantMessage(blocks=(Text(text="x"),), stop_reason="end_turn", model="test/model")
RESULT = ToolResult(call_id="a", name="read", output="x")
IMAGE = Attachment(name="a.png", media_type="image/png", data=b"png")
PDF = Attachment(name="a.pdf", media_type="application/pdf", data=b"pdf")


def headers(dialect: str, *history: ModelInput) -> dict[str, str]:
    return dialects.headers(to(dialect), AskModel(model="", session_id="session-1", system="", history=history))


def test_a_dialect_is_that_of_a_built_in_service() -> None:
    assert {name for name in dialects.DIALECTS if name not in PROVIDERS} == set()


def test_openrouter_hears_our_name() -> None:
    assert headers("openrouter", PROMPT) == {"x-title": "Trouper"}


def test_codex_hears_who_asks_and_for_which_session() -> None:
    assert headers("codex", PROMPT) == {
        "originator": "trouper",
        "session_id": "session-1",
        "openai-beta": "responses=experimental",
    }


def test_others_hear_nothing() -> None:
    assert headers("", PROMPT) == headers("vllm", PROMPT) == {}


def test_copilot_wants_an_editor() -> None:
    assert headers("copilot", PROMPT).keys() == {
        "copilot-integration-id",
        "editor-version",
        "editor-plugin-version",
        "user-agent",
        "openai-intent",
        "x-github-api-version",
        "x-initiator",
    }


@pytest.mark.parametrize(
    ("history", "initiator"),
    [((PROMPT,), "user"), ((PROMPT, ANSWER, RESULT), "agent"), ((PROMPT, ANSWER, OURS), "agent"), ((), "agent")],
)
def test_copilot_bills_what_a_user_began(history: tuple[ModelInput, ...], initiator: str) -> None:
    assert headers("copilot", *history)["x-initiator"] == initiator


@pytest.mark.parametrize("message", [PROMPT, RESULT])
def test_copilot_is_told_of_images(message: UserMessage | ToolResult) -> None:
    with_image, with_pdf = (msgspec.structs.replace(message, attachments=(one,)) for one in (IMAGE, PDF))

    assert headers("copilot", with_image, ANSWER)["copilot-vision-request"] == "true"
    assert "copilot-vision-request" not in headers("copilot", with_pdf, ANSWER)


@pytest.mark.parametrize(
    ("name", "api"),
    [
        ("claude-sonnet-6", "anthropic-messages"),
        ("gpt-5.2", "openai-responses"),
        ("gpt-6", "openai-responses"),
        ("oswe-codex-mini", "openai-responses"),
        ("gpt-4.1", "openai-chat"),
        ("gemini-3.5-flash", "openai-chat"),
    ],
)
def test_copilot_speaks_to_each_model_in_its_makers_format(name: str, api: str) -> None:
    assert copilot.api(name) == api


@pytest.mark.parametrize("dialect", ["", "anthropic", "openai", "codex", "openrouter", "xai"])
def test_who_may_be_asked_to_search(dialect: str) -> None:
    assert dialects.of(to(dialect)).searches


@pytest.mark.parametrize("dialect", ["copilot", "deepseek", "moonshotai", "ollama", "llamacpp", "vllm", "lmstudio"])
def test_who_may_not(dialect: str) -> None:
    assert not dialects.of(to(dialect)).searches
