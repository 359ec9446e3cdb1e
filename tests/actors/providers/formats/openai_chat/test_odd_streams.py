"""What the reader makes of the oddities that servers show; tool calls have a file of their own."""

import json

import pytest

from actors.messages.conversation import Source, Text, Thinking
from actors.messages.model import TextDelta, ThinkingDelta
from actors.providers.faults.fault import ServiceFailed
from tests.actors.providers.formats.openai_chat.streams import (
    DONE,
    Json,
    at_once,
    call,
    chat,
    fault_of,
    frame,
    said,
    streamed,
    whole,
)

THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}


@pytest.mark.parametrize(
    ("content", "blocks"),
    [
        pytest.param("Yes.", (Text(text="Yes."),), id="text"),
        pytest.param(
            [THOUGHT, {"type": "text", "text": "Yes."}], (Thinking(text="Hm."), Text(text="Yes.")), id="parts"
        ),
        pytest.param([{"type": "thinking", "thinking": "Hm."}], (Thinking(text="Hm."),), id="thinking that is a text"),
        pytest.param({"type": "text", "text": "Yes."}, (Text(text="Yes."),), id="one part"),
        pytest.param(["Yes", "."], (Text(text="Yes."),), id="texts"),
        pytest.param(
            [{"type": "reference", "reference_ids": [1]}, {"type": "text", "text": "Yes."}],
            (Text(text="Yes."),),
            id="unknown part",
        ),
        pytest.param(None, (), id="null"),
        pytest.param("", (), id="empty"),
    ],
)
def test_content_comes_in_many_forms(content: object, blocks: tuple[object, ...]) -> None:
    assert said(chat({"content": content})).blocks == blocks
    assert at_once(whole({"content": content}))[1].message.blocks == blocks


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "reasoning_text"])
def test_reasoning_has_three_names(name: str) -> None:
    deltas, answer = streamed(chat({name: "Hm"}, {name: "."}, {"content": "Yes.", name: ""}))

    assert deltas == [ThinkingDelta(text="Hm"), ThinkingDelta(text="."), TextDelta(text="Yes.")]
    assert answer.message.blocks == (Thinking(text="Hm."), Text(text="Yes."))


def test_reasoning_under_two_names_is_taken_once() -> None:
    assert said(chat({"reasoning_content": "Hm.", "reasoning": "Hm."})).blocks == (Thinking(text="Hm."),)


def test_reasoning_after_text_is_thinking_of_its_own() -> None:
    blocks = said(chat({"reasoning": "a"}, {"content": "b"}, {"reasoning": "c"}, {"content": "d"})).blocks

    assert blocks == (Thinking(text="a"), Text(text="b"), Thinking(text="c"), Text(text="d"))


@pytest.mark.parametrize(
    ("finish", "stop"),
    [
        ("stop", "end_turn"),
        ("STOP", "end_turn"),
        ("eos", "end_turn"),
        ("length", "max_tokens"),
        ("max_tokens", "max_tokens"),
        ("content_filter", "refusal"),
        ("sensitive", "refusal"),
        ("model_context_window_exceeded", "context_window"),
        ("model_length", "context_window"),
    ],
)
def test_every_end_has_its_reason(finish: str, stop: str) -> None:
    assert said(chat({"content": "x"}, finish=finish)).stop_reason == stop
    assert at_once(whole({"content": "x"}, finish))[1].message.stop_reason == stop


def test_the_last_reason_that_is_one_counts() -> None:
    pieces = [frame({"choices": [{"delta": {}, "finish_reason": reason}]}) for reason in ("stop", "length", None)]

    assert said([frame({"choices": [{"delta": {"content": "x"}}]}), *pieces]).stop_reason == "max_tokens"


@pytest.mark.parametrize("finish", ["error", "network_error", "abort"])
def test_an_answer_that_was_given_up_is_a_broken_stream(finish: str) -> None:
    assert (fault_of(chat({"content": "x"}, finish=finish)).code) == "bad_stream"


def test_a_service_out_of_resources_is_overloaded() -> None:
    assert fault_of(chat({"content": "x"}, finish="insufficient_system_resource")).code == "overloaded"


def test_done_without_a_reason_is_an_end_and_a_reason_without_done_too() -> None:
    assert said(chat({"content": "all"}, finish=None)).text == "all"
    assert said(chat({"content": "all"}, done=False)).text == "all"
    assert said(chat({}, finish="stop")).blocks == ()


def test_what_comes_after_done_does_not_count() -> None:
    assert said([*chat({"content": "all"}), frame({"error": {"message": "late"}})]).text == "all"


def test_only_the_first_choice_is_read() -> None:
    both = {"choices": [{"index": 1, "delta": {"content": "other"}}, {"index": 0, "delta": {"content": "this"}}]}

    assert said([frame(both), *chat()]).text == "this"
    assert (
        at_once(b'{"choices":[{"message":{"content":"this"}},{"message":{"content":"other"}}]}')[1].message.text
        == "this"
    )


def test_copilot_splits_one_answer_into_two_choices() -> None:
    choices = [{"message": {"content": "Reading."}}, {"message": call(id="a", name="one")}]

    message = at_once(json.dumps({"choices": choices}).encode(), "copilot")[1].message

    assert (message.text, [made.name for made in message.calls]) == ("Reading.", ["one"])


def test_copilot_splits_a_stream_as_well() -> None:
    pieces = [
        frame({"choices": [{"index": 0, "delta": {"content": "Reading."}}]}),
        frame({"choices": [{"index": 1, "delta": call(index=0, id="a", name="one"), "finish_reason": "tool_calls"}]}),
        DONE,
    ]

    message = streamed(pieces, dialect="copilot")[1].message

    assert (message.text, [made.name for made in message.calls]) == ("Reading.", ["one"])


def test_chunks_that_say_nothing_are_passed_over() -> None:
    nothing: list[Json] = [
        {"choices": []},
        {"choices": None},
        {},
        {"choices": [{"delta": None}]},
        {"choices": [{}]},
        {"choices": [], "prompt_filter_results": [{"prompt_index": 0}]},
        {"type": "ping", "error": None},
    ]

    assert (
        said([b": OPENROUTER PROCESSING\n\n", b"data:\n\n", *map(frame, nothing), *chat({"content": "x"})]).text == "x"
    )


def test_a_stream_of_one_whole_message_is_read() -> None:
    assert said([frame({"choices": [{"message": {"content": "all"}, "finish_reason": "stop"}]}), DONE]).text == "all"
    again = {"choices": [{"message": {"content": "all"}, "finish_reason": "stop"}]}
    assert said([*chat({"content": "all"}, done=False), frame(again)]).text == "all"


@pytest.mark.parametrize(
    "delta",
    [
        {"content": "x", "reasoning": {"why": 1}},
        {"content": "x", "tool_calls": {"index": 0}},
        {"content": "x", "tool_calls": ["odd"]},
        {"content": "x", "annotations": "none"},
        {"content": "x", "reasoning_details": [1]},
        {"content": "x", "function_call": []},
        {"content": "x", "refusal": False},
    ],
)
def test_a_member_of_a_type_nobody_knows_does_not_cost_the_answer(delta: Json) -> None:
    assert said(chat(delta)).text == "x"


def test_an_odd_call_does_not_cost_the_others() -> None:
    calls = ["odd", *call(id="a", name="one")["tool_calls"]]

    assert [made.name for made in said(chat({"tool_calls": calls})).calls] == ["one"]


def test_a_number_that_is_written_as_text_is_a_number() -> None:
    assert (
        said(chat(call(index="0", id="a", name="one"), call(index="0", arguments='{"x":1}'))).calls[0].arguments
        == '{"x":1}'
    )


@pytest.mark.parametrize("stream", [True, False])
def test_a_refusal_is_said_and_calls_nothing(stream: bool) -> None:
    delta = {"refusal": "No.", **call(index=0, id="a", name="one", arguments="{}")}

    message = said(chat(delta)) if stream else at_once(whole(delta))[1].message

    assert message.blocks == (Text(text="No."),)
    assert message.stop_reason == "refusal"


def test_citations_are_the_sources_of_the_text() -> None:
    cited = {"url": "https://trio.readthedocs.io", "title": "Trio"}
    annotations = [
        {"type": "url_citation", "url_citation": cited},
        {"type": "url_citation", "url_citation": {"url": "https://x"}},
        {"type": "url_citation", "url": "https://y", "title": "Y"},
    ]

    message = said(chat({"content": "", "annotations": annotations}, {"content": "Trio."}))

    sources = (
        Source(url="https://trio.readthedocs.io", title="Trio"),
        Source(url="https://x"),
        Source(url="https://y", title="Y"),
    )
    assert message.blocks == (Text(text="Trio.", sources=sources),)


@pytest.mark.parametrize(
    ("pieces", "code", "text"),
    [
        pytest.param(
            [frame({"error": {"code": 502, "message": "Upstream is down"}})], "server_error", "Upstream", id="object"
        ),
        pytest.param([frame({"error": "Upstream is down"})], "server_error", "Upstream", id="text"),
        pytest.param(
            [frame({"error": {"code": 429, "message": "Slow"}, "choices": []})],
            "rate_limited",
            "Slow",
            id="beside choices",
        ),
        pytest.param(
            [frame({"choices": [{"delta": {}, "error": {"code": 429, "message": "Slow"}}]})],
            "rate_limited",
            "Slow",
            id="in a choice",
        ),
        pytest.param([b"event: error\n" + frame({"message": "Down", "code": 503})], "overloaded", "Down", id="event"),
        pytest.param([b"event: error\ndata: it fell over\n\n"], "server_error", "it fell over", id="event of text"),
        pytest.param(
            [frame({"object": "error", "message": "Down", "code": 503})], "overloaded", "Down", id="vLLM of old"
        ),
        pytest.param([frame({"detail": "Out of memory"})], "server_error", "Out of memory", id="FastAPI"),
        pytest.param([frame({"message": "Down", "code": 503})], "overloaded", "Down", id="without any sign"),
        pytest.param(
            [frame({"object": "error", "message": "Down", "code": 503, "choices": []})],
            "overloaded",
            "Down",
            id="with no choices",
        ),
    ],
)
def test_an_error_inside_a_stream_is_raised(pieces: list[bytes], code: str, text: str) -> None:
    fault = fault_of([*chat({"content": "half"}, done=False)[:1], *pieces, DONE])

    assert fault.code == code
    assert text in fault.text


@pytest.mark.parametrize("body", [b'{"detail":"Out of memory"}', b'{"object":"error","message":"Out of memory"}'])
def test_an_error_in_the_place_of_a_body_is_raised(body: bytes) -> None:
    with pytest.raises(ServiceFailed) as failure:
        at_once(body)

    assert "Out of memory" in failure.value.fault.text


@pytest.mark.parametrize("error", [None, "", {}, False])
def test_an_error_that_is_none_is_none(error: object) -> None:
    assert said([frame({"choices": [{"delta": {"content": "x"}}], "error": error}), *chat()]).text == "x"


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param([b"data: {nonsense\n\n"], id="no JSON"),
        pytest.param([b'data: {"choices":[{"delta":{"content":"\xff"}}]}\n\n'], id="no UTF-8"),
        pytest.param([b'data: "a text"\n\n'], id="no chunk"),
        pytest.param([b"data: [1]\n\n"], id="a list"),
        pytest.param([*chat({"content": "x"}, done=False)[:1], b"data: {nonsense\n\n", *chat()], id="in the middle"),
    ],
)
def test_what_is_no_chunk_is_a_broken_stream(pieces: list[bytes]) -> None:
    assert fault_of(pieces).text == "it sent something that is not a chat completion chunk."


@pytest.mark.parametrize("body", [b"", b"<html>Welcome!</html>", b'"hello"', b"{}", b'{"choices":[]}'])
def test_a_body_without_an_answer_is_one_that_is_broken(body: bytes) -> None:
    with pytest.raises(ServiceFailed) as failure:
        at_once(body)

    assert failure.value.fault.code == "bad_stream"
