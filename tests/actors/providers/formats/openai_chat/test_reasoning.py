"""Reasoning that a service wants back: what is kept of an answer, and how it goes back in each dialect."""

import json
from typing import Any

import pytest

from actors.messages.conversation import (
    AssistantMessage,
    Block,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import AskModel
from actors.providers.formats.openai_chat import FORMAT
from tests.actors.providers.formats.openai_chat.streams import Json, at_once, chat, recorded, said, to, whole

TEXT = {"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0}
SUMMARY = {"type": "reasoning.summary", "index": 0}
SECRET = {"type": "reasoning.encrypted", "data": "c2VjcmV0", "index": 0}


def kept(*deltas: Json) -> Any:  # noqa: ANN401  # any JSON
    blocks = said(chat(*deltas)).blocks
    return [json.loads(block.data) for block in blocks if isinstance(block, Opaque)]


def details(*pieces: Json) -> Any:  # noqa: ANN401
    (members,) = kept(*({"reasoning_details": [piece]} for piece in pieces))
    return members["reasoning_details"]


def answered(*blocks: Block, calls: bool = True, model: str = "test/model") -> AssistantMessage:
    call = (ToolCall(call_id="call_1", name="read", arguments="{}"),) if calls else ()
    return AssistantMessage(blocks=(*blocks, *call), stop_reason="tool_calls", model=model)


def sent(dialect: str, *history: Any, effort: str = "", name: str = "model") -> list[Json]:  # noqa: ANN401
    """The assistant's messages as they go out."""
    ask = AskModel(model="test/model", session_id="s", system="", history=history, effort=effort)
    body: Json = json.loads(FORMAT.request(to(dialect, name), ask).body)
    return [message for message in body["messages"] if message["role"] == "assistant"]


PROMPT = UserMessage(text="Go.", turn_id="t", prompt_id="p")
RESULT = ToolResult(call_id="call_1", name="read", output="x")
HM = Thinking(text="Hm.")


def test_pieces_with_one_index_are_one_detail() -> None:
    pieces = (
        {**TEXT, "text": "Let "},
        {**TEXT, "text": "me"},
        {**TEXT, "text": " see."},
        {**TEXT, "signature": "c2ln"},
    )

    assert details(*pieces) == [{**TEXT, "text": "Let me see.", "signature": "c2ln"}]


def test_details_stay_in_order_and_apart() -> None:
    pieces = (
        {**SUMMARY, "summary": "Fir"},
        {**SUMMARY, "summary": "st."},
        {**SECRET, "id": "tool_a"},
        {**SECRET, "id": "tool_b"},
        {**SUMMARY, "index": 1, "summary": "Second."},
        {"type": "reasoning.tomorrow", "index": 0, "what": [1, None]},
    )

    assert details(*pieces) == [{**SUMMARY, "summary": "First."}, *pieces[2:]]


def test_thinking_that_begins_after_a_signature_is_another() -> None:
    pieces = (
        {**TEXT, "text": "a", "signature": "one"},
        {**TEXT, "text": "b"},
        {**TEXT, "text": "", "signature": "two"},
    )

    assert details(*pieces) == [{**TEXT, "text": "a", "signature": "one"}, {**TEXT, "text": "b", "signature": "two"}]


def test_what_comes_at_once_is_kept_as_it_is() -> None:
    message = {"content": "x", "reasoning": "Hm.", "reasoning_details": [{**TEXT, "text": "Hm.", "signature": None}]}

    blocks = at_once(whole(message))[1].message.blocks

    assert isinstance(blocks[0], Opaque)
    assert json.loads(blocks[0].data) == {"reasoning_details": message["reasoning_details"]}
    assert blocks[1:] == (HM, Text(text="x"))


def test_the_text_of_details_is_shown_where_it_is_not_beside_them() -> None:
    blocks = said(chat({"reasoning_details": [{**TEXT, "text": "Hm."}]}, {"content": "x"})).blocks

    assert blocks[1:] == (HM, Text(text="x"))


def test_copilots_and_googles_members_are_kept() -> None:
    signed = {"google": {"thought_signature": "c2ln"}}

    assert kept({"reasoning_text": "Hm."}, {"content": "x", "reasoning_opaque": "b3BhcXVl"}) == [
        {"reasoning_opaque": "b3BhcXVl"}
    ]
    assert kept({"content": "x", "extra_content": signed}) == [{"extra_content": signed}]
    assert kept({"content": "x", "extra_content": None}) == []


@pytest.mark.parametrize("dialect", ["openrouter", ""])
def test_details_go_back_as_they_came(dialect: str) -> None:
    answer = said([recorded_or_own()])
    (opaque,) = [block for block in answer.blocks if isinstance(block, Opaque)]

    (message,) = sent(dialect, PROMPT, answer, RESULT)

    assert message["reasoning_details"] == json.loads(opaque.data)["reasoning_details"]
    assert "reasoning" not in message
    assert "reasoning_content" not in message


def recorded_or_own() -> bytes:
    try:
        return recorded("openrouter/reasoning-details-signature-tool.sse")
    except FileNotFoundError:
        return b"".join(chat({"content": "x", "reasoning_details": [{**TEXT, "text": "Hm.", "signature": "c2ln"}]}))


@pytest.mark.parametrize("dialect", ["deepseek", "moonshotai", "zai"])
def test_reasoning_goes_back_in_turns_with_calls_only(dialect: str) -> None:
    history = (
        *(PROMPT, answered(HM, Text(text="Plain."), calls=False)),
        *(PROMPT, answered(HM), RESULT, answered(HM, Text(text="Read."), calls=False)),
        *(PROMPT, answered(HM), RESULT),
    )

    returned = [message.get("reasoning_content") for message in sent(dialect, *history)]

    assert returned == [None, "Hm.", "Hm.", "Hm."]


@pytest.mark.parametrize("dialect", ["deepseek", "moonshotai", "zai"])
def test_without_thinking_none_goes_back(dialect: str) -> None:
    (message,) = sent(dialect, PROMPT, answered(HM), RESULT, effort="off")

    assert "reasoning_content" not in message


@pytest.mark.parametrize(("dialect", "stand_in"), [("deepseek", ""), ("moonshotai", "."), ("zai", None)])
def test_calls_of_another_model_have_something_in_the_place_of_reasoning(dialect: str, stand_in: str | None) -> None:
    calling, ending = sent(dialect, PROMPT, answered(model="o/m"), RESULT, answered(Text(text="Read."), calls=False))

    assert calling.get("reasoning_content") == stand_in
    assert "reasoning_content" not in ending


@pytest.mark.parametrize(
    "dialect", ["", "openai", "openrouter", "ollama", "vllm", "llamacpp", "lmstudio", "groq", "xai"]
)
def test_elsewhere_reasoning_does_not_go_back(dialect: str) -> None:
    (message,) = sent(dialect, PROMPT, answered(HM), RESULT)

    assert message == {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "read", "arguments": "{}"}}],
    }


def test_mistral_gets_its_array_back() -> None:
    (message,) = sent("mistral", PROMPT, answered(HM, Text(text="Yes."), calls=False))

    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    assert message == {"role": "assistant", "content": [thinking, {"type": "text", "text": "Yes."}]}


def test_copilot_gets_its_text_back_only_with_what_is_opaque() -> None:
    opaque = Opaque(api="openai-chat", data='{"reasoning_opaque":"b3BhcXVl"}')

    with_it, without = sent("copilot", PROMPT, answered(opaque, HM), RESULT, answered(HM))

    assert (with_it["reasoning_text"], with_it["reasoning_opaque"]) == ("Hm.", "b3BhcXVl")
    assert {"reasoning_text", "reasoning_opaque"}.isdisjoint(without)


def test_google_gets_its_signatures_back() -> None:
    extra = '{"extra_content":{"google":{"thought_signature":"c2ln"}}}'
    signed = ToolCall(call_id="call_1", name="read", arguments="{}", extra=extra)
    answer = AssistantMessage(blocks=(signed,), stop_reason="tool_calls", model="test/model")

    (message,) = sent("google", PROMPT, answer, RESULT)

    assert message["tool_calls"][0]["extra_content"] == {"google": {"thought_signature": "c2ln"}}


def test_google_is_told_which_calls_another_model_made() -> None:
    calls = tuple(ToolCall(call_id=f"call_{number}", name="read", arguments="{}") for number in (1, 2))
    other = AssistantMessage(blocks=calls, stop_reason="tool_calls", model="other/model")

    (message,) = sent("google", PROMPT, other, RESULT)

    first, second = message["tool_calls"]
    assert first["extra_content"] == {"google": {"thought_signature": "skip_thought_signature_validator"}}
    assert "extra_content" not in second
    assert "extra_content" not in sent("google", PROMPT, other, RESULT, name="gemini-2.5-pro")[0]["tool_calls"][0]


def test_what_is_kept_says_nothing_to_another_model() -> None:
    assert FORMAT.as_text('{"reasoning_opaque":"b3BhcXVl"}') == ""
