"""Responses streams as odd as servers send them."""

import pytest

from actors.messages.conversation import Source, Text, Thinking, ToolCall
from actors.messages.model import TextDelta, ThinkingDelta
from actors.providers.faults.fault import ENDED, ServiceFailed
from actors.providers.formats.openai_responses import FORMAT
from tests.actors.providers.formats.openai_responses.streams import (
    COMPLETED,
    REASONING,
    Json,
    added,
    answer,
    call,
    done,
    event,
    message,
    own,
    read,
)
from tests.actors.providers.formats.reading import ASK, target


def fault_of(*events: Json | bytes) -> tuple[str, str]:
    with pytest.raises(ServiceFailed) as failure:
        answer(*events)
    return failure.value.fault.code, failure.value.fault.again


def test_interleaved_items_are_told_apart_by_their_index_whatever_their_ids() -> None:
    blocks = answer(
        added(1, call("c2", "", id="b")),
        added(0, call("c1", "", id="a")),
        event("function_call_arguments.delta", output_index=0, item_id="x1", delta='{"path":'),
        event("function_call_arguments.delta", output_index=1, item_id="x2", delta='{"path":"b"}'),
        event("function_call_arguments.delta", output_index=0, item_id="x3", delta='"a"}'),
        COMPLETED,
    ).message.blocks

    assert blocks == (
        ToolCall(call_id="c1", name="read", arguments='{"path":"a"}'),
        ToolCall(call_id="c2", name="read", arguments='{"path":"b"}'),
    )


def test_without_an_index_the_id_counts_and_without_an_id_the_latest_item() -> None:
    blocks = answer(
        added(None, call("c1", "", id="a")),
        added(None, call("c2", "", id="b")),
        event("function_call_arguments.delta", item_id="a", delta='{"path":"a"}'),
        event("function_call_arguments.delta", delta='{"path":"b"}'),
        done(None, call("c1", "", id="a")),
        added(None, {"type": "message", "content": []}),
        event("output_text.delta", delta="So."),
        done(None, message("So.")),
        COMPLETED,
    ).message.blocks

    assert blocks == (
        ToolCall(call_id="c1", name="read", arguments='{"path":"a"}'),
        ToolCall(call_id="c2", name="read", arguments='{"path":"b"}'),
        Text(text="So."),
    )


def test_a_server_may_give_every_item_the_same_index() -> None:
    said = answer(
        added(0, message("")),
        event("output_text.delta", output_index=0, delta="One"),
        done(0, message("One")),
        added(0, call("c1", "")),
        done(0, call("c1", "{}")),
        done(0, message("Two")),
        COMPLETED,
    ).message

    assert (said.text, [one.call_id for one in said.calls]) == ("OneTwo", ["c1"])


def test_items_that_were_never_announced_count() -> None:
    deltas, said, _ = read(
        [
            event("output_text.delta", output_index=0, delta="So"),
            event("output_text.delta", output_index=0, delta="."),
            done(1, call("c1", '{"path":"x"}')),
            COMPLETED,
        ]
    )

    assert said.message.text == "So."
    assert [one.arguments for one in said.message.calls] == ['{"path":"x"}']
    assert deltas == [TextDelta(text="So"), TextDelta(text=".")]


def test_the_end_of_an_item_counts_more_than_its_deltas() -> None:
    said = answer(
        added(0, call("c1", "")),
        event("function_call_arguments.delta", output_index=0, delta='{"path":"wr'),
        event("function_call_arguments.done", output_index=0, arguments='{"path":"right"}'),
        added(1, call("c2", "")),
        event("function_call_arguments.delta", output_index=1, delta='{"path":"x"}'),
        done(1, call("c2", "")),
        added(2, call("c3", "")),
        done(2, {"type": "function_call", "call_id": "c3", "name": "read", "arguments": {"path": "object"}}),
        COMPLETED,
    ).message

    assert [one.arguments for one in said.calls] == ['{"path":"right"}', '{"path":"x"}', '{"path":"object"}']


def test_text_that_only_the_end_of_an_item_has_is_told() -> None:
    deltas, said, _ = read([added(0, message("")), done(0, message("Whole.", phase="final_answer")), COMPLETED])

    assert deltas == [TextDelta(text="Whole.")]
    assert said.message.blocks == (Text(text="Whole.", extra='{"phase":"final_answer"}'),)


def test_a_call_that_is_done_without_its_name_keeps_it() -> None:
    nameless = {"type": "function_call", "arguments": '{"path":"x"}'}

    (found,) = answer(added(0, call("c1", "", namespace="n")), done(0, nameless), COMPLETED).message.calls

    assert found == ToolCall(call_id="c1", name="read", arguments='{"path":"x"}', extra='{"namespace":"n"}')


def test_an_emoji_may_come_in_halves() -> None:
    said = b'{"type":"response.output_text.delta","output_index":0,"delta":"%s"}'
    written = b'{"type":"response.function_call_arguments.delta","output_index":1,"delta":"%s"}'
    deltas, whole, _ = read(
        [
            said % rb"a\ud83d",
            said % rb"\ude00b",
            added(1, call("c1", "")),
            written % rb"{\"path\":\"\ud83d",
            written % rb"\ude00\"}",
            COMPLETED,
        ]
    )

    assert deltas == [TextDelta(text="a"), TextDelta(text="\U0001f600b")]
    assert [one.arguments for one in whole.message.calls] == ['{"path":"\U0001f600"}']


def test_the_parts_of_a_summary_are_paragraphs_on_screen() -> None:
    summary = [{"type": "summary_text", "text": "One."}, {"type": "summary_text", "text": "Two."}]
    deltas, said, _ = read(
        [
            added(0, REASONING),
            event("reasoning_summary_text.delta", output_index=0, summary_index=0, delta="One"),
            event("reasoning_summary_text.delta", output_index=0, summary_index=0, delta="."),
            event("reasoning_summary_text.delta", output_index=0, summary_index=1, delta="Two."),
            done(0, REASONING | {"summary": summary}),
            done(1, message("So.")),
            COMPLETED,
        ]
    )

    assert "".join(delta.text for delta in deltas if isinstance(delta, ThinkingDelta)) == "One.\n\nTwo."
    assert said.message.blocks == (
        Thinking(text="One."),
        Thinking(text="Two."),
        own(REASONING | {"summary": summary}),
        Text(text="So."),
    )


def test_reasoning_is_kept_as_it_was_when_it_was_done() -> None:
    final = REASONING | {"encrypted_content": "d2hvbGU"}

    blocks = answer(added(0, REASONING), done(0, final), done(1, message("So.")), COMPLETED).message.blocks

    assert blocks == (own(final), Text(text="So."))


def test_thoughts_without_a_word_after_them_are_a_pause() -> None:
    assert answer(done(0, REASONING), COMPLETED).message.stop_reason == "pause"


def test_a_refusal_is_said_and_ends_the_turn() -> None:
    deltas, said, _ = read(
        [
            event("refusal.delta", output_index=0, content_index=0, delta="I can"),
            event("refusal.done", output_index=0, content_index=0, refusal="I cannot."),
            COMPLETED,
        ]
    )

    assert deltas == [TextDelta(text="I can"), TextDelta(text="not.")]
    assert said.message.blocks == (Text(text="I cannot.", extra='{"type":"refusal"}'),)
    assert said.message.stop_reason == "refusal"


@pytest.mark.parametrize(
    ("reason", "stop"), [("max_output_tokens", "max_tokens"), ("content_filter", "refusal"), (None, "max_tokens")]
)
def test_an_incomplete_answer_says_why(reason: str | None, stop: str) -> None:
    details = {"incomplete_details": {"reason": reason}} if reason else {}

    said = answer(done(0, message("So")), event("incomplete", response=details))

    assert (said.message.text, said.message.stop_reason) == ("So", stop)


@pytest.mark.parametrize(
    "item",
    [
        call("c2", '{"path":"lo', status="incomplete"),
        {"type": "custom_tool_call", "call_id": "c2", "name": "read", "input": '{"a":1}', "status": "incomplete"},
    ],
    ids=["function", "custom"],
)
def test_a_call_that_the_limit_cut_is_not_one(item: Json) -> None:
    said = answer(
        done(0, call("c1", "{}")),
        done(1, item),
        event("incomplete", response={"incomplete_details": {"reason": "max_output_tokens"}}),
    )

    assert [one.call_id for one in said.message.calls] == ["c1"]
    assert said.cut_call == "read"


def test_a_custom_call_streams_in_as_text() -> None:
    blocks = answer(
        added(0, {"type": "custom_tool_call", "call_id": "c1", "name": "patch", "input": ""}),
        event("custom_tool_call_input.delta", output_index=0, delta="*** Begin"),
        event("custom_tool_call_input.delta", output_index=0, delta=' "x"\n'),
        event("custom_tool_call_input.done", output_index=0, input='*** Begin "x"\n'),
        COMPLETED,
    ).message.blocks

    assert blocks == (
        ToolCall(
            call_id="c1",
            name="patch",
            arguments='{"input":"*** Begin \\"x\\"\\n"}',
            extra='{"type":"custom_tool_call"}',
        ),
    )


def test_sources_are_named_once_and_searches_are_counted() -> None:
    cited = {"type": "url_citation", "url": "https://t.io", "title": "Trio", "start_index": 0, "end_index": 3}
    part = {"type": "output_text", "text": "So.", "annotations": [cited, {"type": "file_citation", "index": 1}]}
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
    said = answer(
        done(0, search | {"action": {"type": "search", "query": "trio"}}),
        done(1, search | {"action": {"type": "open_page", "url": "https://t.io"}}),
        event("output_text.delta", output_index=2, delta="So."),
        event("output_text.annotation.added", output_index=2, content_index=0, annotation=cited),
        done(2, message("") | {"content": [part]}),
        COMPLETED,
    ).message

    assert said.blocks[-1] == Text(text="So.", sources=(Source(url="https://t.io", title="Trio"),))
    assert said.usage.searches == 1


def test_what_is_not_known_is_skipped() -> None:
    said = answer(
        event("queued", response={}),
        event("web_search_call.searching", item_id="ws_1", output_index=0),
        event("image_generation_call.partial_image", partial_image_b64="eA", delta={"odd": 1}),
        event("content_part.added", part=[]),
        {"type": "codex.rate_limits", "rate_limits": {}},
        {"type": "keepalive", "sequence_number": 3},
        b"null",
        done(7, {"type": "tomorrow_call", "id": "t_1", "content": {"any": "form"}}),
        done(8, message("So.")),
        COMPLETED,
        b"[DONE]",
    ).message

    assert said.blocks == (
        own({"type": "tomorrow_call", "id": "t_1", "content": {"any": "form"}}),
        Text(text="So."),
    )


@pytest.mark.parametrize("response", [{}, {"id": "resp_1"}, {"status": "completed"}])
def test_chatgpts_backend_may_end_with_done(response: Json) -> None:
    said = answer(done(0, message("So.")), event("done", response=response))

    assert said.message.stop_reason == "end_turn"


@pytest.mark.parametrize(
    ("events", "fault"),
    [
        (
            [{"type": "error", "code": "rate_limit_exceeded", "message": "Slow down."}],
            ("rate_limited", "while it lasts"),
        ),
        (
            [{"type": "error", "error": {"code": "server_error", "message": "Oops."}}],
            ("server_error", "while it lasts"),
        ),
        ([{"error": {"code": "invalid_api_key", "message": "No."}}], ("unauthorized", "never")),
        ([{"type": None, "error": {"code": 429, "message": "No."}}], ("rate_limited", "while it lasts")),
        ([event("error", error={"code": "rate_limit_exceeded", "message": "No."})], ("rate_limited", "while it lasts")),
        (
            [event("failed", response={"error": {"code": "server_error", "message": "Oops."}})],
            ("server_error", "while it lasts"),
        ),
        (
            [event("failed", response={"error": {"code": "context_length_exceeded", "message": "Too long."}})],
            ("context_overflow", "never"),
        ),
        ([event("failed", response={"error": {"code": "invalid_prompt", "message": "No."}})], ("bad_request", "never")),
        ([event("failed", response={"status": "failed", "error": None})], ("bad_stream", "a few times")),
        ([event("done", response={"status": "cancelled"})], ("bad_stream", "a few times")),
        ([done(0, message("So."))], ("bad_stream", "while it lasts")),
        ([done(0, message("So.")), b"[DONE]"], ("bad_stream", "while it lasts")),
        ([b"not json"], ("bad_stream", "a few times")),
        ([b"[1]"], ("bad_stream", "a few times")),
        ([b'\xff{"type":"response.created"}'], ("bad_stream", "a few times")),
    ],
)
def test_a_failure_is_classed(events: list[Json | bytes], fault: tuple[str, int]) -> None:
    assert fault_of(*events) == fault


def test_an_event_that_was_cut_says_that_the_stream_was() -> None:
    with pytest.raises(ServiceFailed) as failure:
        answer(b'{"type":"response.output_text.delta","delta":"\xc3')

    assert failure.value.fault == ENDED


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b'{"object":"response","status":"failed","error":{"code":"server_error","message":"Oops."}}', "server_error"),
        (b'{"object":"response","status":"in_progress","output":[]}', "bad_stream"),
        (b"[1]", "bad_stream"),
        (b"{}", "bad_stream"),
        (b'{"output":3}', "bad_stream"),
        (b'{"error":{"code":"model_not_found","message":"No such model."}}', "unknown_model"),
    ],
)
def test_a_body_that_is_no_answer_is_a_fault(body: bytes, code: str) -> None:
    with pytest.raises(ServiceFailed) as failure:
        FORMAT.reader(target("openai-responses"), ASK).read_whole(body)

    assert failure.value.fault.code == code


def test_it_goes_on_only_from_an_answer_that_is_as_the_service_has_it() -> None:
    def goes_on(*events: Json) -> bool:
        return read(events)[2].goes_on

    assert goes_on(done(0, call("c1", "{}")), COMPLETED)
    assert not goes_on(done(0, call("", "{}")), COMPLETED)
    assert not goes_on(done(0, call("c1", "{}")), event("incomplete", response={"id": "resp_1"}))
    assert not goes_on(done(0, call("c1", "{}")), event("completed", response={}))
    assert not goes_on(done(0, REASONING), COMPLETED)
