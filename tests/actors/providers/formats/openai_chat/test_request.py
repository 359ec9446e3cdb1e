"""The fields of a request: what each dialect is sent, and what a server of which nothing is known is not."""

import base64
import json
import re
from typing import Any

import msgspec
import pytest

from actors.errors import Failed
from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import AskModel, ModelFacts, ToolSpec
from actors.providers.endpoint import Target
from actors.providers.formats.openai_chat import FORMAT
from tests.actors.providers.formats.openai_chat.streams import Json, to

READ = ToolSpec(name="read", description="Read a file.", parameters='{"type":"object"}', effect="read")
PATCH = ToolSpec(name="patch", description="Patch.", parameters='{"type":"object"}', effect="write", freeform=True)
PROMPT = UserMessage(text="Go.", turn_id="t", prompt_id="p")
CALLING = AssistantMessage(
    blocks=(Text(text="Looking."), ToolCall(call_id="call_1", name="read", arguments='{"path":"x"}')),
    stop_reason="tool_calls",
    model="test/model",
)
RESULT = ToolResult(call_id="call_1", name="read", output="text of x")
IMAGE = Attachment(name="a.png", media_type="image/png", data=b"png")
PDF = Attachment(name="a.pdf", media_type="application/pdf", data=b"pdf")
IMAGE_PART = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + base64.b64encode(b"png").decode()}}
THINKS = ModelFacts(id="model", efforts=("none", "low", "high"), max_output=100_000)
ASK = AskModel(model="test/model", session_id="session-1", system="Be brief.", history=(PROMPT,), tools=(READ,))


def body(target: Target, **changes: Any) -> Json:  # noqa: ANN401
    sent: Json = json.loads(FORMAT.request(target, msgspec.structs.replace(ASK, **changes)).body)
    return sent


def messages(target: Target, *history: Any) -> list[Json]:  # noqa: ANN401
    sent: list[Json] = body(target, history=history, system="")["messages"]
    return sent


def test_an_unknown_server_gets_what_every_server_knows() -> None:
    assert body(to(""), history=(PROMPT, CALLING, RESULT)) == {
        "model": "model",
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Go."},
            {
                "role": "assistant",
                "content": "Looking.",
                "tool_calls": [
                    {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": '{"path":"x"}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": "text of x"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {"name": "read", "description": "Read a file.", "parameters": {"type": "object"}},
            }
        ],
    }


@pytest.mark.parametrize(
    ("dialect", "more"),
    [
        ("openai", {"prompt_cache_key": "session-1"}),
        ("openrouter", {}),
        ("copilot", {"max_tokens": 32_000}),
        ("google", {}),
        ("xai", {}),
        ("deepseek", {"max_tokens": 32_000}),
        ("moonshotai", {"max_tokens": 32_000}),
        ("zai", {"max_tokens": 32_000, "stream_options": None}),
        ("mistral", {"stream_options": None}),
        ("groq", {}),
        ("cerebras", {}),
        ("ollama", {}),
        ("lmstudio", {}),
        ("llamacpp", {"parallel_tool_calls": True}),
        ("vllm", {}),
    ],
)
def test_what_a_dialect_adds_and_leaves_out(dialect: str, more: Json) -> None:
    plain = body(to(""))

    sent = body(to(dialect, facts=THINKS))

    assert {**sent, "messages": None} == {
        name: value
        for name, value in {**plain, **more, "messages": None}.items()
        if value is not None or name == "messages"
    }


@pytest.mark.parametrize(
    ("dialect", "effort", "switch"),
    [
        ("", "high", {"reasoning_effort": "high"}),
        ("", "off", {"reasoning_effort": "none"}),
        ("openai", "high", {"reasoning_effort": "high"}),
        ("openai", "off", {"reasoning_effort": "none"}),
        ("copilot", "low", {"reasoning_effort": "low"}),
        ("google", "off", {"reasoning_effort": "none"}),
        ("openrouter", "high", {"reasoning": {"effort": "high"}}),
        ("openrouter", "off", {"reasoning": {"enabled": False}}),
        ("zai", "high", {"thinking": {"type": "enabled"}, "reasoning_effort": "high"}),
        ("zai", "off", {"thinking": {"type": "disabled"}}),
        ("deepseek", "high", {"thinking": {"type": "enabled"}, "reasoning_effort": "high"}),
        ("deepseek", "off", {"thinking": {"type": "disabled"}}),
        ("moonshotai", "high", {"thinking": {"type": "enabled"}}),
        ("moonshotai", "off", {"thinking": {"type": "disabled"}}),
        ("vllm", "high", {"chat_template_kwargs": {"enable_thinking": True, "reasoning_effort": "high"}}),
        ("llamacpp", "off", {"chat_template_kwargs": {"enable_thinking": False}}),
        ("ollama", "low", {"reasoning_effort": "low"}),
        ("ollama", "off", {"reasoning_effort": "none"}),
        ("mistral", "off", {"reasoning_effort": "none"}),
    ],
)
def test_how_thinking_is_switched(dialect: str, effort: str, switch: Json) -> None:
    target = to(dialect, facts=THINKS)
    before = body(target)

    assert body(target, effort=effort) == {**before, **switch}


@pytest.mark.parametrize(
    ("dialect", "efforts", "switch"),
    [
        ("openai", (), {}),
        ("openai", ("low",), {}),
        ("google", (), {"reasoning_effort": "none"}),
        ("google", ("low",), {}),
        ("google", ("minimal", "low"), {"reasoning_effort": "minimal"}),
        ("ollama", (), {}),
        ("", (), {}),
        ("", ("low",), {"reasoning_effort": "none"}),
        ("ollama", ("low",), {"reasoning_effort": "none"}),
    ],
)
def test_off_is_said_where_there_are_words_for_it(dialect: str, efforts: tuple[str, ...], switch: Json) -> None:
    target = to(dialect, facts=ModelFacts(id="model", efforts=efforts))

    assert body(target, effort="off") == {**body(target), **switch}


def test_the_system_prompt_of_a_model_that_reasons_is_the_developers() -> None:
    roles = [
        body(target)["messages"][0]["role"]
        for target in (to("openai", facts=THINKS), to("openai"), to("", facts=THINKS))
    ]

    assert roles == ["developer", "system", "system"]


def test_openrouter_is_told_where_to_route() -> None:
    routing = {"order": ["anthropic"], "allow_fallbacks": False}

    assert body(to("openrouter", routing=routing))["provider"] == routing
    assert "provider" not in body(to("vllm", routing=routing))


def test_openrouter_can_search() -> None:
    assert body(to("openrouter"), web_search=True)["tools"][1:] == [{"type": "openrouter:web_search"}]
    assert len(body(to("groq"), web_search=True)["tools"]) == 1


def test_copilots_gpt_models_get_no_limit() -> None:
    assert "max_tokens" not in body(to("copilot", "gpt-4.1", THINKS))


def test_a_free_form_tool_is_a_function() -> None:
    (tool,) = body(to(""), tools=(PATCH,))["tools"]

    assert tool["function"]["parameters"] == {"type": "object"}


def test_calls_always_come_with_their_tools() -> None:
    sent = body(to(""), history=(PROMPT, CALLING, RESULT), tools=())

    parameters = {"type": "object", "properties": {}}
    assert sent["tools"] == [{"type": "function", "function": {"name": "read", "parameters": parameters}}]
    assert sent["tool_choice"] == "none"
    assert {"tools", "tool_choice"}.isdisjoint(body(to(""), tools=()))


@pytest.mark.parametrize(
    ("result", "content"),
    [
        ({"output": "no such file", "failed": True}, "Error: no such file"),
        ({"output": "The user refused.", "denied": True}, "Error: The user refused."),
        ({"output": ""}, "(no output)"),
        ({"output": " \n"}, "(no output)"),
    ],
)
def test_what_a_tool_message_says(result: Json, content: str) -> None:
    sent = messages(to(""), PROMPT, CALLING, ToolResult(call_id="call_1", name="read", **result))

    assert sent[-1]["content"] == content


def test_images_are_parts_of_the_prompt() -> None:
    prompt = UserMessage(text="What is it?", turn_id="t", attachments=(IMAGE,))
    silent = UserMessage(text="", turn_id="t", attachments=(IMAGE,))

    assert messages(to(""), prompt)[0]["content"] == [{"type": "text", "text": "What is it?"}, IMAGE_PART]
    assert messages(to(""), silent)[0]["content"] == [IMAGE_PART]


def test_images_of_a_result_are_shown_by_the_user() -> None:
    shown = msgspec.structs.replace(RESULT, attachments=(IMAGE,))

    sent = messages(to("openai"), PROMPT, CALLING, UserMessage(text="Hurry.", turn_id="t"), shown)

    assert sent[2:] == [
        {"role": "tool", "tool_call_id": "call_1", "content": "text of x"},
        {"role": "user", "content": [{"type": "text", "text": "Attached to the result of read:"}, IMAGE_PART]},
        {"role": "user", "content": "Hurry."},
    ]


@pytest.mark.parametrize("dialect", ["openai", "openrouter"])
def test_pdfs_are_files_where_they_are_taken(dialect: str) -> None:
    (message,) = messages(to(dialect), UserMessage(text="", turn_id="t", attachments=(PDF,)))

    data = "data:application/pdf;base64," + base64.b64encode(b"pdf").decode()
    assert message["content"] == [{"type": "file", "file": {"filename": "a.pdf", "file_data": data}}]


def test_pdfs_are_refused_where_they_are_not_taken() -> None:
    prompt = UserMessage(text="Read it.", turn_id="t", attachments=(PDF,))

    for target in (to(""), to("mistral"), to("google", facts=ModelFacts(id="model", pdfs=True))):
        with pytest.raises(Failed) as failure:
            messages(target, prompt)
        assert failure.value.problem.code == "bad_request"
        assert "a.pdf" in failure.value.problem.text
    assert messages(to("", facts=ModelFacts(pdfs=True)), prompt)  # its user knows


def test_some_models_want_turns_to_alternate() -> None:
    more = UserMessage(text="Well?", turn_id="t")

    assert messages(to("llamacpp"), PROMPT, more) == [{"role": "user", "content": "Go.\n\nWell?"}]
    assert len(messages(to("openai"), PROMPT, more)) == 2


@pytest.mark.parametrize("dialect", ["llamacpp", "vllm", "lmstudio"])
def test_turns_alternate_also_around_an_answer_that_says_nothing(dialect: str) -> None:
    thoughts = AssistantMessage(blocks=(Thinking(text="Hm."),), stop_reason="max_tokens", model="test/model")
    shown = UserMessage(text="Well?", turn_id="t", attachments=(IMAGE,))

    assert messages(to(dialect), PROMPT, thoughts, shown) == [
        {"role": "user", "content": [{"type": "text", "text": "Go."}, {"type": "text", "text": "Well?"}, IMAGE_PART]}
    ]


@pytest.mark.parametrize("dialect", ["", "mistral", "openrouter", "llamacpp"])
def test_a_conversation_that_ends_with_an_answer_is_to_go_on(dialect: str) -> None:
    said = AssistantMessage(blocks=(Text(text="Half."),), stop_reason="pause", model="other/model")

    assert messages(to(dialect), PROMPT, said)[1:] == [
        {"role": "assistant", "content": "Half."},
        {"role": "user", "content": "Go on."},
    ]


def test_blank_text_is_no_text() -> None:
    blank = msgspec.structs.replace(CALLING, blocks=(Text(text=" \n"), *CALLING.calls))
    silent = UserMessage(text=" ", turn_id="t", attachments=(IMAGE,))
    only_blank = msgspec.structs.replace(CALLING, blocks=(Text(text=" \n"),))

    assert messages(to(""), PROMPT, blank, RESULT)[1]["content"] is None
    assert messages(to("openai"), PROMPT, only_blank, silent)[1:] == [{"role": "user", "content": [IMAGE_PART]}]


def test_mistral_has_ids_and_an_order_of_its_own() -> None:
    long, short = ("call_1", "abcDEF123")
    blocks = tuple(ToolCall(call_id=one, name="read", arguments="{}") for one in (long, short))
    calling = AssistantMessage(blocks=blocks, stop_reason="tool_calls", model="test/model")
    results = [msgspec.structs.replace(RESULT, call_id=one) for one in (long, short)]

    sent = messages(to("mistral"), PROMPT, calling, *results, UserMessage(text="Hurry.", turn_id="t"))

    ids = [call["id"] for call in sent[1]["tool_calls"]]
    assert re.fullmatch(r"[a-zA-Z0-9]{9}", ids[0])
    assert ids[1] == short
    assert [message.get("tool_call_id") for message in sent[2:4]] == ids
    assert [message["role"] for message in sent[3:]] == ["tool", "assistant", "user"]


@pytest.mark.parametrize("strange", ["functions.read:0", "x" * 60])
def test_ids_of_another_model_are_rewritten_where_they_may_be_refused(strange: str) -> None:
    calling = AssistantMessage(
        blocks=(ToolCall(call_id=strange, name="read", arguments="{}"),), stop_reason="tool_calls", model="test/model"
    )
    result = msgspec.structs.replace(RESULT, call_id=strange)

    own = messages(to("openai"), PROMPT, calling, result)
    others = messages(to("openai"), PROMPT, msgspec.structs.replace(calling, model="o/m"), result)

    assert own[1]["tool_calls"][0]["id"] == own[2]["tool_call_id"] == strange
    assert others[1]["tool_calls"][0]["id"] == others[2]["tool_call_id"] != strange
    assert len(others[2]["tool_call_id"]) <= 40


def test_malformed_arguments_are_wrapped() -> None:
    calling = AssistantMessage(
        blocks=(ToolCall(call_id="call_1", name="read", arguments='{"path'),),
        stop_reason="tool_calls",
        model="test/model",
    )

    (call,) = messages(to(""), PROMPT, calling)[1]["tool_calls"]

    assert json.loads(call["function"]["arguments"]) == {"unparsed": '{"path'}


def test_answers_of_nothing_are_left_out() -> None:
    nothing = AssistantMessage(blocks=(), stop_reason="end_turn", model="test/model")

    assert messages(to(""), PROMPT, nothing) == [{"role": "user", "content": "Go."}]


@pytest.mark.parametrize(
    ("name", "ttl", "marked"),
    [
        ("anthropic/claude-sonnet-5", "5m", ["system", "tool", "tool", "user"]),
        ("~anthropic/claude-sonnet-latest", "1h", ["system", "tool", "tool", "user"]),
        ("google/gemini-3.5-flash", "5m", ["system", "user"]),
        ("openai/gpt-5.5", "5m", []),
    ],
)
def test_openrouter_is_told_what_to_keep(name: str, ttl: str, marked: list[str]) -> None:
    history = (PROMPT, CALLING, RESULT, CALLING, msgspec.structs.replace(RESULT, output="again"))

    sent = body(to("openrouter", name, cache_ttl=ttl), history=history)["messages"]

    control = {"type": "ephemeral", **({"ttl": "1h"} if ttl == "1h" else {})}
    found = [message for message in sent if isinstance(message["content"], list)]
    assert sorted(message["role"] for message in found) == marked
    assert all(message["content"][-1]["cache_control"] == control for message in found)


def test_where_the_request_goes_and_how_it_proves_itself() -> None:
    request, listing = FORMAT.request(to("openrouter"), ASK), FORMAT.list_models(to("openrouter").endpoint)

    assert request.url == "http://127.0.0.1/v1/chat/completions"
    assert request.headers == {
        "content-type": "application/json",
        "accept": "text/event-stream",
        "authorization": "Bearer planted-key",
    }
    assert listing.url == "http://127.0.0.1/v1/models"
    assert listing.headers == {"authorization": "Bearer planted-key", "x-title": "Trouper"}
    assert "planted-key" not in repr((request, listing))
    assert "authorization" not in FORMAT.request(to("ollama", key=""), ASK).headers
