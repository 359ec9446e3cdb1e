"""Streams that no recording shows: what the format allows, and what gateways make of it."""

import json
from typing import Any

import pytest

from actors.messages.conversation import (
    Opaque,
    Source,
    Text,
    Thinking,
    ToolCall,
)
from actors.messages.model import Retrying, TextDelta
from actors.messages.usage import Usage
from actors.providers.faults.fault import LONGEST_MESSAGE, ServiceFailed
from actors.providers.formats.anthropic_messages import FORMAT
from actors.providers.formats.anthropic_messages.reader import MessagesReader
from actors.providers.formats.sse import Event, Parser
from actors.providers.formats.wire_format import Pass
from tests.actors.providers.formats.anthropic_messages.streams import (
    at_once,
    block,
    delta,
    event,
    message,
    said,
    start,
    streamed,
    text,
)
from tests.actors.providers.formats.reading import ASK, target

CALL = block({"type": "input_json_delta", "partial_json": ""}, type="tool_use", id="t1", name="list", input={})
CITATION = {"type": "web_search_result_location", "url": "https://a.example", "title": "A", "encrypted_index": "ZQ"}
PAGE = {"type": "page_location", "document_index": 0, "cited_text": "x"}


def opaque(**members: Any) -> Opaque:  # noqa: ANN401  # any JSON
    return Opaque(api="anthropic-messages", data=json.dumps(members, separators=(",", ":")))


def failure(pieces: list[bytes]) -> str:
    with pytest.raises(ServiceFailed) as failed:
        streamed(pieces)
    return failed.value.fault.code


def read(pieces: list[bytes]) -> MessagesReader:
    reader, parser = MessagesReader(target("anthropic-messages"), ASK), Parser()
    for one in parser.feed(b"".join(pieces)):
        reader.read(one)
    return reader


def test_blocks_may_be_interleaved() -> None:
    pieces = [start(0, type="text", text=""), start(1, type="tool_use", id="t1", name="read", input={})]
    pieces += [
        delta(1, "input_json_delta", partial_json='{"path"'),
        delta(0, "text_delta", text="Rea"),
        event("ping"),
        delta(1, "input_json_delta", partial_json=':"x"}'),
        delta(0, "text_delta", text="ding."),
    ]

    assert said(message(*pieces, stop="tool_use")).blocks == (
        Text(text="Reading."),
        ToolCall(call_id="t1", name="read", arguments='{"path":"x"}'),
    )


@pytest.mark.parametrize(
    "piece",
    [
        pytest.param(event("tomorrow", delta=5, index="a"), id="event"),
        pytest.param(delta(0, "tomorrow_delta", text=["not a text"]), id="delta"),
        pytest.param(b"event: ping\ndata:\n\n", id="nothing"),
        pytest.param(b": a comment\n\n", id="comment"),
        pytest.param(delta(7, "signature_delta", signature="x"), id="delta of no block"),
    ],
)
def test_what_nobody_knows_is_skipped(piece: bytes) -> None:
    assert said(message(text("Hi"), piece, text("!"))).blocks == (Text(text="Hi"), Text(text="!"))


def test_what_comes_after_the_end_is_not_read() -> None:
    pieces = [*message(text("Hi")), b"data: [DONE]\n\n", event("error", error={"type": "api_error", "message": "x"})]

    reader = read(pieces)

    assert reader.ended
    assert reader.finish().message.text == "Hi"


def test_a_block_nobody_knows_is_kept_for_the_service() -> None:
    odd = block({"type": "text_delta", "text": "half"}, type="tomorrow", id=5, text=None)

    assert said(message(odd, text("Hi"))).blocks == (
        opaque(type="tomorrow", id=5, text="half"),
        Text(text="Hi"),
    )


def test_omitted_and_redacted_thinking_are_kept_in_place() -> None:
    omitted = block({"type": "signature_delta", "signature": "c2ln"}, type="thinking", thinking="", signature="")

    answer = said(message(omitted, block(type="redacted_thinking", data="c2Vj"), CALL, stop="tool_use"))

    assert answer.blocks == (
        Thinking(text="", signature="c2ln"),
        opaque(type="redacted_thinking", data="c2Vj"),
        ToolCall(call_id="t1", name="list", arguments="{}"),
    )


def test_citations_are_kept_for_the_service_and_shown_once() -> None:
    cites = [{"type": "citations_delta", "citation": citation} for citation in (CITATION, PAGE, CITATION)]
    cited = block({"type": "text_delta", "text": "So."}, *cites, type="text", text="", citations=[])

    (found,) = said(message(cited)).blocks

    assert isinstance(found, Text)
    assert (found.text, found.sources) == ("So.", (Source(url="https://a.example", title="A"),))
    assert json.loads(found.extra) == {"citations": [CITATION, PAGE, CITATION]}


def test_where_a_cited_text_ends_its_sources_are_told() -> None:
    cite = {"type": "citations_delta", "citation": CITATION}
    cited = block(cite, {"type": "text_delta", "text": "So."}, cite, type="text", text="", citations=[])

    deltas, answer = streamed(message(cited, block({"type": "text_delta", "text": " Or not."}, type="text", text="")))

    assert deltas == [
        TextDelta(text="So."),
        TextDelta(text="", cites=("https://a.example",)),
        TextDelta(text=" Or not."),
    ]
    assert [block.cited for block in answer.message.blocks if isinstance(block, Text)] == [True, False]


def test_members_a_call_came_with_go_back_with_it() -> None:
    call = block(type="tool_use", id="t1", name="read", input={"path": "x"}, caller={"type": "direct"}, tag=None)

    assert said(message(call, stop="tool_use")).calls == (
        ToolCall(call_id="t1", name="read", arguments='{"path":"x"}', extra='{"caller":{"type":"direct"}}'),
    )


def test_arguments_that_stream_in_replace_those_the_call_began_with() -> None:
    delta_ = {"type": "input_json_delta", "partial_json": '{"path":"y"}'}

    answer = said(message(block(delta_, type="tool_use", id="t1", name="read", input={"path": "x"}), stop="tool_use"))

    assert [call.arguments for call in answer.calls] == ['{"path":"y"}']


def test_a_gateway_may_count_its_blocks_from_0_again_or_not_begin_them() -> None:
    pieces = [
        start(0, type="text", text=""),
        delta(0, "text_delta", text="One. "),
        event("content_block_stop", index=0),
    ]
    pieces += [start(0, type="text", text="Two. "), event("content_block_stop", index=0)]
    pieces += [delta(3, "thinking_delta", thinking="Hm."), delta(3, "text_delta", text="Three.")]

    assert said(message(*pieces)).blocks == (
        Text(text="One. "),
        Text(text="Two. "),
        Thinking(text="Hm."),
        Text(text="Three."),
    )


def test_a_message_that_begins_again_forgets_all_of_the_first() -> None:
    first = [*message(text("Half"), stop="max_tokens", output_tokens=9, iterations=[{"input_tokens": 1}] * 2)[:-1]]

    deltas, answer = streamed([*first, *message(text("Whole"))])

    assert deltas == [
        TextDelta(text="Half"),
        Retrying(why="The service began its answer again.", wait_s=0),
        TextDelta(text="Whole"),
    ]
    assert (answer.message.text, answer.message.stop_reason) == ("Whole", "end_turn")
    assert answer.message.usage == Usage(input_tokens=1)


def test_usage_is_a_total_and_null_says_nothing() -> None:
    begun = {"input_tokens": 5, "cache_creation_input_tokens": 7, "output_tokens": 1}
    searched = {"web_search_requests": 2, "web_fetch_requests": 1}
    begun |= {"cache_creation": {"ephemeral_5m_input_tokens": 3, "ephemeral_1h_input_tokens": 4}}
    pieces = [
        event("message_start", message={"usage": begun}),
        event("message_delta", delta={}, usage={"output_tokens": 20, "input_tokens": None, "odd": {}}),
        event("message_delta", delta={"stop_reason": "end_turn"}, usage={"server_tool_use": searched}),
        event("message_delta", delta={"stop_reason": None}, usage=None),
        event("message_stop"),
    ]

    usage = said(pieces).usage

    assert usage == Usage(input_tokens=12, cache_write_tokens=7, cache_write_1h_tokens=4, output_tokens=20, searches=2)


def test_usage_that_cannot_be_read_costs_no_answer() -> None:
    assert said(message(text("Hi"), input_tokens={"many": True})).usage == Usage(input_tokens=1)


@pytest.mark.parametrize(
    "odd",
    [{"cache_creation": 0}, {"server_tool_use": []}, {"output_tokens_details": "none"}, {"input_tokens": {}}],
    ids=lambda odd: next(iter(odd)),
)
def test_one_odd_count_costs_no_other(odd: dict[str, Any]) -> None:
    assert said(message(text("Hi"), output_tokens=9, **odd)).usage == Usage(input_tokens=1, output_tokens=9)


def test_an_odd_run_costs_no_other() -> None:
    reader = read(message(text("Hi"), output_tokens=9, iterations=[{"output_tokens": 9}, None]))

    assert reader.finish().message.usage == Usage(input_tokens=1, output_tokens=9)
    assert reader.passes == [Pass(Usage(output_tokens=9))]


def test_an_emoji_may_come_in_halves() -> None:
    began = {"type": "tool_use", "id": "t1", "name": "read", "input": {}}
    smile = (r"\ud83d", r"\ude00")
    halves = [
        b'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%s"}}\n\n' % half.encode()
        for half in (f"a{smile[0]}", f"{smile[1]}b")
    ]
    arguments = [
        b'data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"%s"}}\n\n'
        % (before + half + after).encode()
        for before, half, after in (('{\\"path\\":\\"', smile[0], ""), ("", smile[1], '\\"}'))
    ]

    answer = said(message(start(0, type="text", text=""), *halves, start(1, **began), *arguments, stop="tool_use"))

    assert answer.blocks == (
        Text(text="a\U0001f600b"),
        ToolCall(call_id="t1", name="read", arguments='{"path":"\U0001f600"}'),
    )


def test_why_a_model_refused_is_kept() -> None:
    def details(given: object) -> str:
        stopped = event("message_delta", delta={"stop_reason": "refusal", "stop_details": given})
        return said([*message(text("Hi"))[:-2], stopped, event("message_stop")]).stop_details

    assert details({"type": "refusal", "category": "cyber", "explanation": "Looks\nlike  malware."}) == (
        "Looks like malware."
    )
    assert details({"category": "cyber", "explanation": None}) == "cyber"
    assert len(details({"explanation": "x" * 9999})) == LONGEST_MESSAGE
    assert [details(odd) for odd in (None, 5, {"explanation": 5})] == ["", "", ""]


def test_a_gateway_may_end_with_the_end_of_another_format() -> None:
    assert said([*message(text("Hi"))[:-1], b"data: [DONE]\n\n"]).text == "Hi"


def test_a_fall_back_is_billed_by_its_models_and_its_searches_once() -> None:
    runs = [
        {"type": "message", "input_tokens": 10, "output_tokens": 1, "cache_creation": None},
        {"type": "fallback_message", "model": "claude-opus-4-8", "input_tokens": 12, "output_tokens": 30},
    ]
    hop = {"type": "fallback", "from": {"model": "claude-fable-5"}, "to": {"model": "claude-opus-4-8"}}
    searched = {"web_search_requests": 1}

    reader = read(message(block(**hop), text("Hi"), iterations=runs, server_tool_use=searched, output_tokens=30))

    assert reader.finish().message.blocks[0] == opaque(**hop)
    assert reader.passes == [
        Pass(Usage(input_tokens=10, output_tokens=1)),
        Pass(Usage(input_tokens=12, output_tokens=30, searches=1), "claude-opus-4-8"),
    ]


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        ("end_turn", "end_turn"),
        ("stop_sequence", "end_turn"),
        ("max_tokens", "max_tokens"),
        ("pause_turn", "pause"),
        ("compaction", "pause"),
        ("refusal", "refusal"),
        ("model_context_window_exceeded", "context_window"),
        ("of_tomorrow", "end_turn"),
    ],
)
def test_why_it_stopped(stop: str, reason: str) -> None:
    assert said(message(text("Hi"), stop=stop)).stop_reason == reason


@pytest.mark.parametrize("stop", ["max_tokens", "model_context_window_exceeded", "refusal"])
def test_what_was_cut_off_is_left_out(stop: str) -> None:
    half = {"type": "input_json_delta", "partial_json": '{"query": "tr'}
    searching = block(half, type="server_tool_use", id="s1", name="web_search", input={})
    calling = block(half, type="tool_use", id="t1", name="read", input={})

    answer = streamed(message(text("Hi"), searching, calling, stop=stop))[1]

    assert answer.message.blocks == (Text(text="Hi"),)
    assert answer.cut_call == "read"


def test_a_compaction_may_have_more_than_a_summary() -> None:
    deltas = [
        {"type": "compaction_delta", "content": "All ", "encrypted_content": None},
        {"type": "compaction_delta", "content": "of it.", "encrypted_content": "ZW5j"},
    ]

    (found,) = said(message(block(*deltas, type="compaction", content=None, signature="c2ln"))).blocks

    assert found == opaque(type="compaction", content="All of it.", signature="c2ln", encrypted_content="ZW5j")


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param([], id="nothing"),
        pytest.param([event("message_stop")], id="only the end"),
        pytest.param(message(text("Hi"))[:-2], id="no reason to stop"),
        pytest.param(message(text("Hi"))[:-1], id="no end"),
        pytest.param([*message(text("Hi"))[:-2], b"data: [DONE]\n\n"], id="no reason, and an end of another format"),
        pytest.param(message(text("Hi"), b"data: {nonsense\n\n"), id="no JSON"),
        pytest.param(message(text("Hi"), b'data: "a string"\n\n'), id="no event"),
        pytest.param(message(text("Hi"), delta(0, "text_delta", text=5)), id="no text"),
        pytest.param(message(block(type="text", text=5)), id="no text at once"),
        pytest.param(message(event("content_block_start", index=0, content_block=None)), id="no block"),
        pytest.param(message(start(0, type=5)), id="no type"),
        pytest.param([b'data: {"type":"message_start","message":{"usage":"\xff"}}\n\n'], id="no UTF-8"),
        pytest.param([b"<html>not a stream</html>"], id="no events"),
    ],
)
def test_what_is_no_whole_answer_is_a_bad_stream(pieces: list[bytes]) -> None:
    assert failure(pieces) == "bad_stream"


def test_an_end_without_a_reason_is_one_when_there_is_an_answer() -> None:
    assert said(message(CALL, stop=None)).stop_reason == "tool_calls"


@pytest.mark.parametrize(
    "piece",
    [
        event("error", error={"type": "overloaded_error", "message": "Overloaded"}),
        b'event: error\ndata: {"error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
        b'data: {"error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
        b'data: {"type":null,"error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
        b'data: {"type":"error","status":529,"message":"Overloaded"}\n\n',
    ],
    ids=["with its type", "named by its event only", "not named", "type null", "flat"],
)
def test_an_error_after_the_answer_began(piece: bytes) -> None:
    assert failure(message(text("Hi"), piece)) == "overloaded"


def test_an_answer_at_once_is_the_same_as_a_stream() -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "c2Vj"},
        {"type": "text", "text": "So.", "citations": [CITATION]},
        {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "x"}},
    ]
    body = {"type": "message", "content": blocks, "stop_reason": "tool_use", "usage": {"input_tokens": 1}}
    whole = [block(**one) for one in blocks]

    assert at_once(json.dumps(body, separators=(",", ":")).encode()) == streamed(message(*whole, stop="tool_use"))


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b'{"content":"x"}', b'{"type":"message"}'])
def test_a_body_that_is_no_answer_is_a_bad_stream(body: bytes) -> None:
    with pytest.raises(ServiceFailed) as failed:
        at_once(body)

    assert failed.value.fault.code == "bad_stream"


def test_a_thousand_deltas_are_a_thousand_deltas() -> None:
    reader = FORMAT.reader(target("anthropic-messages"), ASK)
    piece = Event("", b'{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}')

    assert sum(len(list(reader.read(piece))) for _ in range(1000)) == 1000


def test_an_error_may_be_plain_words() -> None:
    with pytest.raises(ServiceFailed) as failed:
        streamed([b"event: error\ndata: out of memory\n\n"])

    assert failed.value.fault.text == "an error in the middle of the answer: out of memory."
