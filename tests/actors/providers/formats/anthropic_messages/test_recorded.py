"""Every recorded Messages answer gives its digest, streamed or at once, and every recorded refusal its fault."""

import hashlib
import json
from typing import Any

import pytest

from actors.messages.conversation import Opaque, Text, Thinking
from actors.messages.model import Answer, TextDelta, ThinkingDelta
from actors.messages.usage import Usage
from actors.providers.faults.fault import ServiceFailed, of_event, of_response
from actors.providers.formats.anthropic_messages import FORMAT
from actors.providers.formats.sse import Parser
from actors.providers.formats.wire_format import Pass
from tests.actors.providers.formats.anthropic_messages.streams import (
    AT_ONCE,
    EXPECTED,
    FIXTURES,
    MISSING,
    STREAMED,
    at_once,
    recorded,
    streamed,
)
from tests.actors.providers.formats.reading import ASK, target

pytestmark = pytest.mark.skipif(not STREAMED, reason=MISSING)
STOP = {
    "end_turn": "end_turn",
    "stop_sequence": "end_turn",
    "tool_use": "tool_calls",
    "max_tokens": "max_tokens",
    "pause_turn": "pause",
    "refusal": "refusal",
}
WHOLE = [name for name in (*STREAMED, *AT_ONCE) if EXPECTED[f"anthropic/{name}"]["error"] is None]
FAULTS = {
    "error-400-prompt-too-long.json": "context_overflow",
    "error-400-tool-order.json": "bad_request",
    "error-401-auth.json": "unauthorized",
    "error-404-model.json": "unknown_model",
}


def digest(text: str) -> dict[str, Any]:
    return {"length": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def digested(answer: Answer) -> dict[str, Any]:
    """In the members of expected.json."""
    blocks = answer.message.blocks
    own = [json.loads(block.data) for block in blocks if isinstance(block, Opaque)]
    cited = [json.loads(block.extra or "{}") for block in blocks if isinstance(block, Text)]
    calls: list[list[Any]] = [[call.name, json.loads(call.arguments)] for call in answer.message.calls]
    return {
        "text": digest(answer.message.text),
        "reasoning": digest("".join(block.text for block in blocks if isinstance(block, Thinking))),
        "tool_calls": calls,
        "signatures": sum(isinstance(block, Thinking) and bool(block.signature) for block in blocks),
        "redacted": sum(block["type"] == "redacted_thinking" for block in own),
        "server_tools": [block["name"] for block in own if block["type"] == "server_tool_use"],
        "compactions": sum(block["type"] == "compaction" for block in own),
        "citations": sum(len(block.get("citations", [])) for block in cited),
    }


def expected_of(name: str) -> dict[str, Any]:
    expected = EXPECTED[f"anthropic/{name}"]
    return {
        "text": expected["text"],
        "reasoning": expected.get("reasoning", digest("")),
        "tool_calls": [call for call in expected["tool_calls"] if "unparsed" not in call[1]],
        "signatures": expected.get("signatures", 0),
        "redacted": expected.get("redacted", 0),
        "server_tools": expected.get("server_tools", []),
        "compactions": expected.get("compactions", 0),
        "citations": expected.get("citations", 0),
    }


def usage_of(name: str) -> Usage:
    counts = EXPECTED[f"anthropic/{name}"]["usage"]
    read, written = counts.get("cache_read_input_tokens", 0), counts.get("cache_creation_input_tokens", 0)
    return Usage(
        input_tokens=counts["input_tokens"] + read + written,
        cache_read_tokens=read,
        cache_write_tokens=written,
        cache_write_1h_tokens=counts.get("cache_creation.ephemeral_1h_input_tokens", 0),
        output_tokens=counts["output_tokens"],
        reasoning_tokens=counts.get("output_tokens_details.thinking_tokens", 0),
        searches=counts.get("server_tool_use.web_search_requests", 0),
    )


@pytest.mark.parametrize("name", WHOLE)
def test_the_answer_has_its_digest(name: str) -> None:
    expected = EXPECTED[f"anthropic/{name}"]

    deltas, answer = at_once(recorded(name)) if name.endswith(".json") else streamed([recorded(name)])

    assert digested(answer) == expected_of(name)
    assert answer.cut_call == next((call[0] for call in expected["tool_calls"] if "unparsed" in call[1]), "")
    assert answer.message.stop_reason == STOP[expected["stop"]]
    assert answer.message.usage == usage_of(name)
    assert "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)) == answer.message.text
    assert digest("".join(delta.text for delta in deltas if isinstance(delta, ThinkingDelta))) == expected.get(
        "reasoning", digest("")
    )


def test_an_overload_in_the_middle_is_raised() -> None:
    with pytest.raises(ServiceFailed) as failure:
        streamed([recorded("overloaded-mid-text.sse")])

    assert (failure.value.fault.code, failure.value.fault.again) == ("overloaded", "while it lasts")


@pytest.mark.parametrize(("name", "code"), FAULTS.items())
def test_a_refused_request_has_its_fault(name: str, code: str) -> None:
    meta = json.loads((FIXTURES / "anthropic" / name.replace(".json", ".meta.json")).read_text())["response"]

    fault = of_response(meta["status"], meta["headers"], recorded(name), now=0)

    assert (fault.code, fault.again) == (code, "never")


@pytest.mark.parametrize("name", FAULTS)
def test_an_error_body_with_status_200_is_the_same_error(name: str) -> None:
    with pytest.raises(ServiceFailed) as failure:
        at_once(recorded(name))

    assert failure.value.fault == of_event(recorded(name))
    assert failure.value.fault.code == FAULTS[name]


def test_every_run_of_a_model_is_billed() -> None:
    def runs(name: str) -> list[Pass]:
        reader, parser = FORMAT.reader(target("anthropic-messages"), ASK), Parser()
        for event in parser.feed(recorded(name)):
            reader.read(event)
        reader.finish()
        return reader.passes

    assert runs("compaction-cache-read.sse") == [
        Pass(Usage(input_tokens=55_196, cache_read_tokens=55_096, output_tokens=83)),
        Pass(Usage(input_tokens=181, output_tokens=8)),
    ]
    assert [(run.name, run.usage.input_tokens) for run in runs("thinking-omitted-advisor.sse")] == [
        ("", 1128),
        ("claude-opus-4-8", 2543),
        ("", 1283),
    ]
    assert runs("text-short.sse") == []
