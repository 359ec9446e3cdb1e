"""What a conversation looks like on each wire."""

from typing import Any

import msgspec

from actors.messages.conversation import (
    AssistantMessage,
    ModelInput,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import Api, AskModel, ToolSpec
from actors.providers import BY_API
from tests.actors.providers.reading import target

SCHEMA = '{"type":"object","properties":{"path":{"type":"string"}}}'
READ = ToolSpec(name="read", description="Read a file.", parameters=SCHEMA, effect="read")
REDACTED = '{"type":"redacted_thinking","data":"c2VjcmV0"}'
HISTORY: tuple[ModelInput, ...] = (
    UserMessage(text="Fix it.", turn_id="t1"),
    AssistantMessage(
        blocks=(
            Thinking(text="Hm.", signature="c2lnbmVk"),
            Opaque(api="anthropic-messages", data=REDACTED),
            Text(text="Looking."),
            ToolCall(call_id="a:1", name="read", arguments='{"path":"x"}'),
            ToolCall(call_id="b", name="read", arguments='{"path'),
        ),
        stop_reason="tool_calls",
        model="test/model",
    ),
    UserMessage(text="And hurry.", turn_id="t1"),
    ToolResult(call_id="a:1", name="read", output="text of x"),
    ToolResult(call_id="b", name="read", output="no such arguments", failed=True),
    AssistantMessage(blocks=(Thinking(text="Only thoughts."),), stop_reason="end_turn", model="test/model"),
    UserMessage(text="Well?", turn_id="t2"),
)


def body(api: Api, **changes: Any) -> Any:  # noqa: ANN401  # any JSON
    ask = AskModel(model="test/model", session_id="s", system="Be brief.", history=HISTORY, tools=(READ,))
    request = BY_API[api].request(target(api), msgspec.structs.replace(ask, **changes))
    return msgspec.json.decode(request.body)


def test_a_conversation_as_chat_completions() -> None:
    assert body("openai-chat") == {
        "model": "model",
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Fix it."},
            {
                "role": "assistant",
                "content": "Looking.",
                "tool_calls": [
                    {"id": "a:1", "type": "function", "function": {"name": "read", "arguments": '{"path":"x"}'}},
                    {
                        "id": "b",
                        "type": "function",
                        "function": {"name": "read", "arguments": '{"unparsed":"{\\"path"}'},
                    },
                ],
            },
            {"role": "tool", "tool_call_id": "a:1", "content": "text of x"},
            {"role": "tool", "tool_call_id": "b", "content": "no such arguments"},
            {"role": "user", "content": "And hurry."},
            {"role": "user", "content": "Well?"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "read",
                    "description": "Read a file.",
                    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
                },
            }
        ],
    }


def test_a_conversation_as_messages() -> None:
    assert body("anthropic-messages") == {
        "model": "model",
        "max_tokens": 32_000,
        "stream": True,
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Fix it."}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmVk"},
                    {"type": "redacted_thinking", "data": "c2VjcmV0"},
                    {"type": "text", "text": "Looking."},
                    {"type": "tool_use", "id": "a_1", "name": "read", "input": {"path": "x"}},
                    {"type": "tool_use", "id": "b", "name": "read", "input": {"unparsed": '{"path'}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "a_1", "content": "text of x"},
                    {"type": "tool_result", "tool_use_id": "b", "content": "no such arguments", "is_error": True},
                    {"type": "text", "text": "And hurry."},
                    {"type": "text", "text": "Well?"},
                ],
            },
        ],
        "tools": [
            {
                "name": "read",
                "description": "Read a file.",
                "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
            }
        ],
    }


def test_what_is_bound_to_another_model_is_not_sent_to_this_one() -> None:
    history = tuple(
        msgspec.structs.replace(message, model="test/other") if isinstance(message, AssistantMessage) else message
        for message in HISTORY
    )

    content = body("anthropic-messages", history=history)["messages"][1]["content"]

    assert [block["type"] for block in content] == ["text", "tool_use", "tool_use"]


def test_messages_with_calls_always_come_with_tools() -> None:
    asked = body("anthropic-messages", tools=())

    assert asked["tools"] == [{"name": "read", "input_schema": {"type": "object"}}]
    assert asked["tool_choice"] == {"type": "none"}
    assert "tools" not in body("openai-chat", tools=())


def test_effort_is_passed_on() -> None:
    assert body("openai-chat", effort="low")["reasoning_effort"] == "low"
    assert body("anthropic-messages", effort="low")["output_config"] == {"effort": "low"}


def test_where_the_request_goes_and_how_it_proves_itself() -> None:
    ask = AskModel(model="test/model", session_id="s", system="", history=HISTORY[:1])
    chat = BY_API["openai-chat"].request(target("openai-chat"), ask)
    messages = BY_API["anthropic-messages"].request(target("anthropic-messages"), ask)

    assert chat.url == "http://127.0.0.1/v1/chat/completions"
    assert chat.headers["authorization"] == "Bearer planted-key"
    assert messages.url == "http://127.0.0.1/v1/v1/messages"  # the registry takes the /v1 away
    assert messages.headers["x-api-key"] == "planted-key"
    assert "planted-key" not in repr((chat, messages, target("openai-chat")))
