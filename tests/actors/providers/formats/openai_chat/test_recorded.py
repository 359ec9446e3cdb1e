"""Every recorded chat answer gives its digest, streamed or at once, and every recorded refusal its fault."""

import hashlib
import json
from typing import Any

import pytest

from actors.messages.conversation import Text, Thinking
from actors.messages.model import Answer, TextDelta, ThinkingDelta
from actors.messages.usage import Usage
from actors.providers.faults.fault import ServiceFailed, of_event, of_response
from actors.providers.formats.wire_format import Delta
from tests.actors.providers.formats.openai_chat.streams import (
    AT_ONCE,
    EXPECTED,
    FIXTURES,
    MISSING,
    STREAMED,
    at_once,
    recorded,
    streamed,
)

pytestmark = pytest.mark.skipif(not STREAMED, reason=MISSING)
WHOLE = [name for name in (*STREAMED, *AT_ONCE) if EXPECTED[name]["error"] is None]
CACHED = {"local/llamacpp-reasoning-tool.sse": 138, "local/llamacpp-text.sse": 83}  # llama.cpp: timings.cache_n
REASONED = {"other-compatible/gemini-compat-no-tool-id.json": 62}  # told only by the total
DIALECTS = {"other-compatible/gemini-compat-no-tool-id.json": "google"}
FAILED_INSIDE = {
    "openrouter/error-in-chunk.sse": ("bad_request", "never"),
    "other-compatible/groq-error-midstream.sse": ("bad_request", "never"),
}
REFUSED = {
    "openai-chat/error-404-model.json": ("unknown_model", "never"),
    "openrouter/error-429-upstream.json": ("rate_limited", "while it lasts"),
    "local/ollama-error-400-context.json": ("context_overflow", "never"),
}


def digest(text: str) -> dict[str, Any]:
    return {"length": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def digested(answer: Answer) -> dict[str, Any]:
    """In the members of expected.json."""
    blocks = answer.message.blocks
    calls: list[list[Any]] = [[call.name, json.loads(call.arguments)] for call in answer.message.calls]
    return {
        "text": digest(answer.message.text),
        "reasoning": digest("".join(block.text for block in blocks if isinstance(block, Thinking))),
        "tool_calls": calls,
        "citations": sum(len(block.sources) for block in blocks if isinstance(block, Text)),
    }


def expected_of(name: str) -> dict[str, Any]:
    expected = EXPECTED[name]
    return {
        "text": expected["text"],
        "reasoning": expected.get("reasoning", digest("")),
        "tool_calls": expected["tool_calls"],
        "citations": expected.get("citations", 0),
    }


def usage_of(name: str) -> Usage:
    counts = EXPECTED[name].get("usage", {})
    asked = counts.get("prompt_tokens", 0)
    return Usage(
        input_tokens=asked,
        cache_read_tokens=counts.get("prompt_tokens_details.cached_tokens", CACHED.get(name, 0)),
        cache_write_tokens=counts.get("prompt_tokens_details.cache_write_tokens", 0),
        output_tokens=counts.get("total_tokens", 0) - asked,
        reasoning_tokens=counts.get("completion_tokens_details.reasoning_tokens", REASONED.get(name, 0)),
        searches=counts.get("server_tool_use_details.web_search_requests", 0),
        cost_usd=counts.get("cost"),
    )


def _read(name: str) -> tuple[list[Delta], Answer]:
    dialect = DIALECTS.get(name, "")
    if name.endswith(".json"):
        return at_once(recorded(name), dialect)
    return streamed([recorded(name)], dialect=dialect)


@pytest.mark.parametrize("name", WHOLE)
def test_the_answer_has_its_digest(name: str) -> None:
    expected = expected_of(name)

    deltas, answer = _read(name)

    assert digested(answer) == expected
    assert answer.message.stop_reason == ("tool_calls" if expected["tool_calls"] else "end_turn")
    assert answer.message.usage == usage_of(name)
    assert "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)) == answer.message.text
    assert digest("".join(delta.text for delta in deltas if isinstance(delta, ThinkingDelta))) == expected["reasoning"]


def test_every_file_is_looked_at() -> None:
    assert {*WHOLE, *FAILED_INSIDE, *REFUSED} == {*STREAMED, *AT_ONCE}


@pytest.mark.parametrize("name", FAILED_INSIDE)
def test_an_error_inside_a_stream_is_raised(name: str) -> None:
    with pytest.raises(ServiceFailed) as failure:
        streamed([recorded(name)])

    assert (failure.value.fault.code, failure.value.fault.again) == FAILED_INSIDE[name]


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_request_has_its_fault(name: str) -> None:
    meta = json.loads((FIXTURES / name.replace(".json", ".meta.json")).read_text())["response"]

    fault = of_response(meta["status"], meta["headers"], recorded(name), now=0)

    assert (fault.code, fault.again) == REFUSED[name]


@pytest.mark.parametrize("name", REFUSED)
def test_an_error_body_with_status_200_is_an_error_too(name: str) -> None:
    with pytest.raises(ServiceFailed) as failure:
        at_once(recorded(name))

    assert failure.value.fault == of_event(recorded(name))
