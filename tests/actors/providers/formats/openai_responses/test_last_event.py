"""The last event has the whole answer once more, and sometimes what no other event had."""

import pytest

from actors.messages.conversation import Text, Thinking, ToolCall
from actors.messages.model import TextDelta, ThinkingDelta
from tests.actors.providers.formats.openai_responses.streams import (
    REASONING,
    Json,
    added,
    call,
    completed,
    done,
    event,
    message,
    own,
    read,
)


def test_an_answer_that_comes_only_with_the_last_event_is_told() -> None:
    deltas, said, _ = read([completed(output=[message("All at once."), call("c1", "{}")])])

    assert deltas == [TextDelta(text="All at once.")]
    assert [one.call_id for one in said.message.calls] == ["c1"]


def test_output_that_was_streamed_is_not_told_again_at_the_end() -> None:
    deltas, said, _ = read([done(0, message("Once.")), completed(output=[message("Once.")])])

    assert deltas == [TextDelta(text="Once.")]
    assert said.message.text == "Once."


def test_what_only_the_last_event_has_comes_behind_what_was_streamed() -> None:
    deltas, said, _ = read(
        [done(0, REASONING), completed(output=[REASONING, message("So."), call("c1", "{}")])],
    )

    assert deltas == [TextDelta(text="So.")]
    assert said.message.blocks == (
        own(REASONING),
        Text(text="So."),
        ToolCall(call_id="c1", name="read", arguments="{}"),
    )


def test_what_was_never_done_is_finished_by_the_last_event_and_told_once() -> None:
    deltas, said, _ = read(
        [
            added(0, REASONING | {"encrypted_content": ""}),
            event("reasoning_summary_text.delta", output_index=0, summary_index=0, delta="Hm."),
            event("output_text.delta", output_index=1, delta="S"),
            completed(output=[REASONING, message("So."), call("c1", "{}")]),
        ]
    )

    assert deltas == [ThinkingDelta(text="Hm."), TextDelta(text="S"), TextDelta(text="o.")]
    assert said.message.blocks == (
        Thinking(text="Hm."),
        own(REASONING),
        Text(text="So."),
        ToolCall(call_id="c1", name="read", arguments="{}"),
    )


@pytest.mark.parametrize(
    ("index", "output"),
    [
        pytest.param(None, [message("Once."), call("c1", "{}")], id="no index"),
        pytest.param(1, [message("Once.")], id="counted from 1"),
        pytest.param(1, [message("Once."), call("c1", "{}")], id="counted from 1, and one that was not streamed"),
    ],
)
def test_where_indexes_do_not_say_which_item_is_which_what_streamed_is_all(index: int | None, output: Json) -> None:
    deltas, said, _ = read([done(index, message("Once.")), completed(output=output)])

    assert deltas == [TextDelta(text="Once.")]
    assert said.message.blocks == (Text(text="Once."),)
