"""Every recorded Responses stream and body gives its digest, wherever the bytes are cut."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actors.messages.conversation import Opaque, Text, Thinking
from actors.messages.model import Answer, TextDelta
from actors.messages.usage import Usage
from actors.providers.faults.fault import ENDED, ServiceFailed, of_response
from actors.providers.formats.openai_responses import FORMAT
from tests import ROOT
from tests.actors.providers.formats.reading import ASK, answer_to, cut, target

FIXTURES = ROOT.parent / "shared" / "fixtures"
ELSEWHERE = ("openrouter/responses-raw-cot", "local/lmstudio-responses-tool", "copilot/responses-id-rotation")
STREAMS = sorted(
    f"{path.parent.name}/{path.name}"
    for path in (*FIXTURES.glob("openai-responses/*.sse"), *(FIXTURES / f"{name}.sse" for name in ELSEWHERE))
    if path.exists()
)
EXPECTED: dict[str, dict[str, Any]] = json.loads((FIXTURES / "expected.json").read_text()) if STREAMS else {}
BODIES = sorted(
    name
    for name, expected in EXPECTED.items()
    if name.startswith("openai-responses/") and name.endswith(".json") and not expected["error"]
)
WHOLE = [name for name in STREAMS if EXPECTED[name]["error"] is None]
STOP = {"completed": "end_turn", "incomplete:max_output_tokens": "max_tokens", None: "end_turn"}
NOTHING = {"length": 0, "sha256": hashlib.sha256(b"").hexdigest()}

each_stream = pytest.mark.parametrize("name", STREAMS)
pytestmark = pytest.mark.skipif(not STREAMS, reason="the recorded streams are not beside this checkout")


def digest(text: str) -> dict[str, Any]:
    return {"length": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def read(name: str) -> Answer:
    data = (FIXTURES / name).read_bytes()
    if name.endswith(".sse"):
        return answer_to("openai-responses", [data])[1]
    reader = FORMAT.reader(target("openai-responses"), ASK)
    list(reader.read_whole(data))
    return reader.finish()


def outcome(pieces: list[bytes]) -> Answer | str:
    try:
        return answer_to("openai-responses", pieces)[1]
    except ServiceFailed as error:
        return error.fault.text


def usage(expected: dict[str, Any]) -> Usage:
    counts = expected.get("usage", {})
    return Usage(
        input_tokens=counts.get("input_tokens", 0),
        cache_read_tokens=counts.get("input_tokens_details.cached_tokens", 0),
        cache_write_tokens=counts.get("input_tokens_details.cache_write_tokens", 0),
        output_tokens=counts.get("output_tokens", 0),
        reasoning_tokens=counts.get("output_tokens_details.reasoning_tokens", 0),
        searches=expected.get("server_tools", []).count("web_search_call"),
        cost_usd=counts.get("cost"),
    )


@pytest.mark.parametrize("name", [*WHOLE, *BODIES])
def test_the_answer_has_its_digest(name: str) -> None:
    expected = EXPECTED[name]

    message = read(name).message
    calls = [[call.name, json.loads(call.arguments)] for call in message.calls]
    stop = "refusal" if "refusal" in expected else "tool_calls" if calls else STOP[expected["stop"]]

    assert digest(message.text) == expected.get("refusal", expected["text"])
    assert digest("".join(b.text for b in message.blocks if isinstance(b, Thinking))) == expected.get(
        "reasoning", NOTHING
    )
    assert calls == expected["tool_calls"]
    assert message.stop_reason == stop
    assert message.usage == usage(expected)


@pytest.mark.parametrize("name", [*WHOLE, *BODIES])
def test_what_only_the_service_understands_is_kept(name: str) -> None:
    expected = EXPECTED[name]

    message = read(name).message
    own = [json.loads(block.data) for block in message.blocks if isinstance(block, Opaque)]
    kinds = [item["type"] for item in own]

    assert sum(bool(item.get("encrypted_content")) for item in own if item["type"] == "reasoning") >= expected.get(
        "encrypted", 0
    )
    assert [kind for kind in kinds if kind in expected.get("server_tools", [])] == expected.get("server_tools", [])
    assert kinds.count("compaction") == expected.get("compactions", 0)
    assert sum(len(block.sources) for block in message.blocks if isinstance(block, Text)) == expected.get(
        "citations", 0
    )


@pytest.mark.parametrize("name", WHOLE)
def test_the_deltas_are_the_answer(name: str) -> None:
    deltas, answer = answer_to("openai-responses", [(FIXTURES / name).read_bytes()])

    assert "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)) == answer.message.text


def test_an_error_inside_a_stream_is_raised() -> None:
    with pytest.raises(ServiceFailed) as failure:
        read("openai-responses/error-insufficient-quota.sse")

    assert (failure.value.fault.code, failure.value.fault.again) == ("rate_limited", "never")


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("error-400-bad-include", 400, "bad_request"),
        ("error-400-context-length", 400, "context_overflow"),
        ("error-401-auth", 401, "unauthorized"),
    ],
)
def test_a_refusal_is_classed(name: str, status: int, code: str) -> None:
    body = (FIXTURES / "openai-responses" / f"{name}.json").read_bytes()

    assert of_response(status, {}, body, 0.0).code == code


@each_stream
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places=st.lists(st.integers(min_value=0), min_size=1, max_size=60))
def test_it_does_not_matter_where_the_bytes_are_cut(name: str, places: list[int]) -> None:
    data = (FIXTURES / name).read_bytes()

    assert outcome(cut(data, places)) == outcome([data])


@each_stream
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_every_line_end_is_understood(name: str, line_end: bytes) -> None:
    data = (FIXTURES / name).read_bytes()
    other = b"\xef\xbb\xbf: comment" + line_end + data.replace(b"\r\n", b"\n").replace(b"\n", line_end)

    assert outcome(cut(other, list(range(7, len(other), 97)))) == outcome([data])


@each_stream
@settings(max_examples=15, deadline=None)
@given(share=st.floats(min_value=0, max_value=1, exclude_max=True))
def test_a_stream_that_ends_before_its_last_event_says_so(name: str, share: float) -> None:
    data = (FIXTURES / name).read_bytes()
    last = max(data.find(b'"type":"response.completed"'), data.find(b'"type":"response.incomplete"'))
    last = data.find(b'data: {"type":"error"') if last < 0 else data.rfind(b"data: ", 0, last)

    with pytest.raises(ServiceFailed) as failure:
        answer_to("openai-responses", [data[: int(share * last)]])

    assert failure.value.fault == ENDED
