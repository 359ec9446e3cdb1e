"""Small streams of our own writing: what each wire format makes of the oddities that real services show."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.messages.conversation import AssistantMessage, Opaque, Text, Thinking, ToolCall, Usage, UserMessage
from actors.messages.model import Answer, Api, Retrying, TextDelta, ThinkingDelta
from actors.providers.faults import ServiceFailed
from tests.actors.providers.reading import ASK, ROOT, answer_to, cut

STREAMS = ROOT / "tests" / "data" / "streams"
CHAT_TEXT = Answer(
    message=AssistantMessage(
        blocks=(Thinking(text="Short one."), Text(text="Grüße, 世界 👋")),
        stop_reason="end_turn",
        model="test/model",
        usage=Usage(
            input_tokens=20,
            cache_read_tokens=5,
            cache_write_tokens=2,
            output_tokens=8,
            reasoning_tokens=3,
            cost_usd=0.25,
        ),
    )
)
CHAT_CALLS = Answer(
    message=AssistantMessage(
        blocks=(
            ToolCall(call_id="a", name="read", arguments='{"path":"a.txt"}'),
            ToolCall(call_id="b", name="grep", arguments='{"pattern":"x"}'),
            ToolCall(call_id="c", name="list", arguments="{}"),
        ),
        stop_reason="tool_calls",
        model="test/model",
    )
)
MESSAGES = Answer(
    message=AssistantMessage(
        blocks=(
            Thinking(text="Look first.", signature="c2lnbmVk"),
            Opaque(api="anthropic-messages", data='{"type":"redacted_thinking","data":"c2VjcmV0"}'),
            Opaque(
                api="anthropic-messages",
                data='{"type":"server_tool_use","id":"srv1","name":"web_search","input":{"query": "trio"}}',
            ),
            Text(text="Reading both. 👋"),
            ToolCall(call_id="t1", name="read", arguments='{"path": "a.txt"}'),
            ToolCall(call_id="t2", name="list", arguments="{}"),
        ),
        stop_reason="tool_calls",
        model="test/model",
        usage=Usage(input_tokens=17, cache_read_tokens=4, cache_write_tokens=3, output_tokens=50, reasoning_tokens=20),
    )
)
STREAMED: list[tuple[str, Api, Answer]] = [
    ("chat-text.sse", "openai-chat", CHAT_TEXT),
    ("chat-calls.sse", "openai-chat", CHAT_CALLS),
    ("messages-thinking-tools.sse", "anthropic-messages", MESSAGES),
]
each_stream = pytest.mark.parametrize(("name", "api", "answer"), STREAMED)


def chat(*deltas: dict[str, Any], finish: str | None = "stop", done: bool = True) -> list[bytes]:
    chunks: list[Any] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    return [*(frame(chunk) for chunk in chunks), *([b"data: [DONE]\n\n"] if done else [])]


def call(**fields: Any) -> dict[str, Any]:  # noqa: ANN401
    function = {key: fields.pop(key) for key in ("name", "arguments") if key in fields}
    return {"tool_calls": [{**fields, "function": function}]}


def frame(value: object) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def chat_calls(*deltas: dict[str, Any], finish: str = "tool_calls") -> list[tuple[str, str]]:
    answer = answer_to("openai-chat", chat(*deltas, finish=finish))[1]
    return [(call.name, call.arguments) for call in answer.message.calls]


@each_stream
def test_a_stream_becomes_an_answer(name: str, api: Api, answer: Answer) -> None:
    assert answer_to(api, [(STREAMS / name).read_bytes()])[1] == answer


@each_stream
@settings(max_examples=30)
@given(places=st.lists(st.integers(min_value=0), max_size=40))
def test_it_does_not_matter_where_it_is_cut(name: str, api: Api, answer: Answer, places: list[int]) -> None:
    assert answer_to(api, cut((STREAMS / name).read_bytes(), places))[1] == answer


@each_stream
def test_a_stream_that_stops_anywhere_before_its_end_is_whole_or_an_error(name: str, api: Api, answer: Answer) -> None:
    data = (STREAMS / name).read_bytes()

    def outcome(length: int) -> object:
        try:
            return answer_to(api, [data[:length]])[1].message.blocks
        except ServiceFailed as error:
            return error.fault.code

    assert {outcome(length) for length in range(0, len(data), 3)} <= {"bad_stream", answer.message.blocks}


def test_deltas_come_in_order() -> None:
    deltas, _ = answer_to("anthropic-messages", [(STREAMS / "messages-thinking-tools.sse").read_bytes()])

    assert deltas == [ThinkingDelta(text="Look first."), TextDelta(text="Reading "), TextDelta(text="both. 👋")]


@pytest.mark.parametrize(
    ("deltas", "calls"),
    [
        pytest.param(
            [call(id="a", name="one", arguments="{}"), call(id="b", name="two", arguments="{}")],
            [("one", "{}"), ("two", "{}")],
            id="no index",
        ),
        pytest.param(
            [call(index=0, id="a", name="one", arguments="{}"), call(index=0, id="b", name="two", arguments="{}")],
            [("one", "{}"), ("two", "{}")],
            id="every index 0",
        ),
        pytest.param(
            [call(index=0, id="", name="one", arguments="{}"), call(index=0, id="", name="two", arguments="{}")],
            [("one", "{}"), ("two", "{}")],
            id="neither id nor index of use",
        ),
        pytest.param(
            [call(id="a", name="one", arguments='{"x"'), call(arguments=":1}")],
            [("one", '{"x":1}')],
            id="a fragment without index and id",
        ),
        pytest.param(
            [call(index=0, id="a", name="one"), call(index=0, id="a", name="one", arguments="{}")],
            [("one", "{}")],
            id="id and name repeated",
        ),
        pytest.param([call(index=0, id="a", name="one", arguments={"x": [1]})], [("one", '{"x":[1]}')], id="object"),
        pytest.param([call(index=0, id="a", name="one", arguments='{"x"')], [("one", '{"x"')], id="malformed"),
    ],
)
def test_tool_calls_are_put_together(deltas: list[dict[str, Any]], calls: list[tuple[str, str]]) -> None:
    assert chat_calls(*deltas) == calls
    assert chat_calls(*deltas, finish="stop") == calls


def test_an_id_is_made_up_where_none_is_given_or_one_was_used_before() -> None:
    earlier = AssistantMessage(
        blocks=(ToolCall(call_id="0", name="one", arguments="{}"),), stop_reason="tool_calls", model="test/model"
    )
    ask = type(ASK)(model="", session_id="s", system="", history=(UserMessage(text="x", turn_id="t"), earlier))
    deltas = [call(index=0, id="0", name="one"), call(index=1, id="", name="two"), call(index=2, id="3", name="three")]

    ids = [made.call_id for made in answer_to("openai-chat", chat(*deltas), ask)[1].message.calls]

    assert ids[2] == "3"
    assert len({"0", "", *ids}) == 5


def test_a_call_cut_by_the_token_limit_is_left_out_and_named() -> None:
    deltas = [call(index=0, id="a", name="one", arguments="{}"), call(index=1, id="b", name="two", arguments='{"x":')]

    answer = answer_to("openai-chat", chat(*deltas, finish="length"))[1]

    assert [made.name for made in answer.message.calls] == ["one"]
    assert (answer.message.stop_reason, answer.cut_call) == ("max_tokens", "two")


def test_a_refused_answer_calls_nothing() -> None:
    answer = answer_to("openai-chat", chat({"refusal": "No."}, call(index=0, id="a", name="one", arguments="{}")))[1]

    assert answer.message.blocks == (Text(text="No."),)
    assert answer.message.stop_reason == "refusal"


def test_content_may_be_an_array() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}

    answer = answer_to("openai-chat", chat({"content": [thought, {"type": "text", "text": "Yes."}]}))[1]

    assert answer.message.blocks == (Thinking(text="Hm."), Text(text="Yes."))


def test_reasoning_sent_under_two_names_is_taken_once() -> None:
    answer = answer_to("openai-chat", chat({"reasoning_content": "Hm.", "reasoning": "Hm."}))[1]

    assert answer.message.blocks == (Thinking(text="Hm."),)


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param([], id="nothing"),
        pytest.param([b"data: [DONE]\n\n"], id="only the end"),
        pytest.param(chat({"content": "half"}, finish=None, done=False), id="no end"),
        pytest.param(chat({"content": "half"}, finish="error"), id="given up"),
        pytest.param([b"data: {nonsense\n\n"], id="no JSON"),
        pytest.param([b'data: {"choices":[{"delta":{"content":"\xff"}}]}\n\n'], id="no UTF-8"),
        pytest.param([b'data: "a string"\n\n'], id="no chunk"),
        pytest.param([b"<html>not a stream</html>"], id="no events"),
    ],
)
def test_what_is_no_whole_answer_is_a_bad_stream(pieces: list[bytes]) -> None:
    with pytest.raises(ServiceFailed) as failure:
        answer_to("openai-chat", pieces)

    assert failure.value.fault.code == "bad_stream"


def test_an_end_without_done_is_an_end() -> None:
    answer = answer_to("openai-chat", chat({"content": "all"}, done=False))[1]

    assert answer.message.text == "all"


def test_a_message_that_begins_again_voids_what_was_streamed() -> None:
    data = (STREAMS / "messages-thinking-tools.sse").read_bytes()
    again = data[: data.index(b"event: content_block_stop")] + data

    deltas, answer = answer_to("anthropic-messages", [again])

    assert [type(delta) for delta in deltas[:3]] == [ThinkingDelta, Retrying, ThinkingDelta]
    assert answer == MESSAGES


def test_a_call_cut_in_the_messages_format_is_named_too() -> None:
    data = (STREAMS / "messages-thinking-tools.sse").read_bytes()
    limited = data.replace(b'"stop_reason":"tool_use"', b'"stop_reason":"max_tokens"')

    answer = answer_to("anthropic-messages", [limited])[1]

    assert [made.name for made in answer.message.calls] == ["read"]
    assert (answer.message.stop_reason, answer.cut_call) == ("max_tokens", "list")
