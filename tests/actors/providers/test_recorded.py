"""Every recorded chat and Messages stream gives its digest, wherever the bytes are cut. Responses files: not yet."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actors.messages.conversation import Thinking, Usage
from actors.messages.model import Answer, Api, TextDelta
from actors.providers.faults import ServiceFailed
from tests.actors.providers.reading import ROOT, answer_to, cut

FIXTURES = ROOT.parent / "shared" / "fixtures"
FOLDERS = ("openai-chat", "openrouter", "local", "other-compatible", "copilot", "anthropic")
RESPONSES_API = {
    "openrouter/responses-raw-cot.sse",
    "local/lmstudio-responses-tool.sse",
    "copilot/responses-id-rotation.sse",
}
FILES = sorted(
    name
    for path in FIXTURES.glob("*/*.sse")
    if path.parent.name in FOLDERS and (name := f"{path.parent.name}/{path.name}") not in RESPONSES_API
)
EXPECTED: dict[str, dict[str, Any]] = json.loads((FIXTURES / "expected.json").read_text()) if FILES else {}
CACHED = {"local/llamacpp-reasoning-tool.sse": 138, "local/llamacpp-text.sse": 83}  # llama.cpp: timings.cache_n
STOP = {
    "stop": "end_turn",
    "end_turn": "end_turn",
    "stop_sequence": "end_turn",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "max_tokens": "max_tokens",
    "pause_turn": "pause",
    "refusal": "refusal",
}

each_file = pytest.mark.parametrize("name", FILES)
each_whole = pytest.mark.parametrize("name", [name for name in FILES if EXPECTED[name]["error"] is None])
pytestmark = pytest.mark.skipif(not FILES, reason="the recorded streams are not beside this checkout")


def api_of(name: str) -> Api:
    return "anthropic-messages" if name.startswith("anthropic/") else "openai-chat"


def digest(text: str) -> dict[str, Any]:
    return {"length": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def outcome(name: str, pieces: list[bytes]) -> Answer | str:
    try:
        return answer_to(api_of(name), pieces)[1]
    except ServiceFailed as error:
        return error.fault.text


@each_whole
def test_the_answer_has_its_digest(name: str) -> None:
    expected = EXPECTED[name]

    answer = answer_to(api_of(name), [(FIXTURES / name).read_bytes()])[1]
    message = answer.message
    thinking = "".join(block.text for block in message.blocks if isinstance(block, Thinking))
    calls = [[call.name, json.loads(call.arguments)] for call in message.calls]
    whole_calls = [call for call in expected["tool_calls"] if "unparsed" not in call[1]]

    assert digest(message.text) == expected["text"]
    assert digest(thinking) == expected.get("reasoning", digest(thinking))
    assert calls == whole_calls
    assert answer.cut_call == next((call[0] for call in expected["tool_calls"] if "unparsed" in call[1]), "")
    assert message.stop_reason == ("tool_calls" if calls else STOP[expected["stop"]])
    assert message.usage == normalised(expected.get("usage", {}), CACHED.get(name, 0))


@each_whole
def test_the_deltas_are_the_answer(name: str) -> None:
    deltas, answer = answer_to(api_of(name), [(FIXTURES / name).read_bytes()])
    told = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))

    assert told == answer.message.text


@pytest.mark.parametrize(
    ("name", "code", "tries"),
    [
        ("anthropic/overloaded-mid-text.sse", "overloaded", 4),
        ("openrouter/error-in-chunk.sse", "bad_request", 1),
        ("other-compatible/groq-error-midstream.sse", "bad_request", 1),
    ],
)
def test_an_error_inside_a_stream_is_raised(name: str, code: str, tries: int) -> None:
    with pytest.raises(ServiceFailed) as failure:
        answer_to(api_of(name), [(FIXTURES / name).read_bytes()])

    assert (failure.value.fault.code, failure.value.fault.tries) == (code, tries)


@each_file
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places=st.lists(st.integers(min_value=0), min_size=1, max_size=60))
def test_it_does_not_matter_where_the_bytes_are_cut(name: str, places: list[int]) -> None:
    data = (FIXTURES / name).read_bytes()

    assert outcome(name, cut(data, places)) == outcome(name, [data])


@each_file
@pytest.mark.parametrize("line_end", [b"\r\n", b"\r"])
def test_every_line_end_is_understood(name: str, line_end: bytes) -> None:
    data = (FIXTURES / name).read_bytes()
    other = b"\xef\xbb\xbf: comment" + line_end + data.replace(b"\r\n", b"\n").replace(b"\n", line_end)

    assert outcome(name, cut(other, list(range(7, len(other), 97)))) == outcome(name, [data])


@each_file
def test_a_stream_cut_in_its_first_half_is_an_error(name: str) -> None:
    data = (FIXTURES / name).read_bytes()

    with pytest.raises(ServiceFailed) as failure:
        answer_to(api_of(name), [data[: len(data) // 2]])

    assert failure.value.fault.code == "bad_stream"


def normalised(counts: dict[str, Any], cached: int) -> Usage:
    if "prompt_tokens" in counts:
        details = "prompt_tokens_details.cached_tokens"
        output = counts["total_tokens"] - counts["prompt_tokens"]
        return Usage(
            input_tokens=counts["prompt_tokens"],
            cache_read_tokens=counts.get(details, cached),
            cache_write_tokens=counts.get("prompt_tokens_details.cache_write_tokens", 0),
            output_tokens=output,
            reasoning_tokens=counts.get("completion_tokens_details.reasoning_tokens", 0),
            cost_usd=counts.get("cost"),
        )
    read = counts.get("cache_read_input_tokens", 0)
    written = counts.get("cache_creation_input_tokens", 0)
    return Usage(
        input_tokens=counts.get("input_tokens", 0) + read + written,
        cache_read_tokens=read,
        cache_write_tokens=written,
        output_tokens=counts.get("output_tokens", 0),
        reasoning_tokens=counts.get("output_tokens_details.thinking_tokens", 0),
    )
