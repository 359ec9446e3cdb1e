"""Bytes may be cut anywhere, end their lines in any way, and stop anywhere."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.messages.conversation import (
    AssistantMessage,
    Text,
    Thinking,
    ToolCall,
)
from actors.messages.model import Answer
from actors.messages.usage import Usage
from tests import ROOT
from tests.actors.providers.formats.openai_chat.streams import MISSING, STREAMED, chat, outcome, recorded
from tests.actors.providers.formats.reading import cut

DATA = ROOT / "tests" / "data" / "streams"
TEXT, CALLS = (DATA / "chat-text.sse").read_bytes(), (DATA / "chat-calls.sse").read_bytes()
TEXT_ANSWER = Answer(
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
CALLS_ANSWER = Answer(
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
PLACES = 60
"""Where each large stream is stopped."""
IN_THE_MIDDLE = "the stream ended in the middle."

each_small = pytest.mark.parametrize("small", [TEXT, CALLS], ids=["text", "calls"])
each_recorded = pytest.mark.parametrize(
    "name",
    STREAMED or [pytest.param("", marks=pytest.mark.skip(reason=MISSING))],
)


def test_the_small_streams_have_these_answers() -> None:
    assert [outcome([TEXT]), outcome([CALLS])] == [TEXT_ANSWER, CALLS_ANSWER]


@each_small
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_every_cut_in_two_is_the_same(small: bytes, line_end: bytes) -> None:
    data = small.replace(b"\n", line_end)
    whole = outcome([data])

    assert isinstance(whole, Answer)
    assert all(outcome([data[:place], data[place:]]) == whole for place in range(len(data)))


@each_small
def test_one_byte_at_a_time_is_the_same(small: bytes) -> None:
    assert outcome([small[place : place + 1] for place in range(len(small))]) == outcome([small])


@each_recorded
@settings(max_examples=6, deadline=None)
@given(places=st.lists(st.integers(min_value=0), min_size=1, max_size=60))
def test_a_recording_may_be_cut_anywhere(name: str, places: list[int]) -> None:
    data = recorded(name)

    assert forgetting_ids(outcome(cut(data, places))) == forgetting_ids(outcome([data]))


@each_recorded
@pytest.mark.parametrize("line_end", [b"\r\n", b"\r"], ids=["crlf", "cr"])
@settings(max_examples=3, deadline=None)
@given(places=st.lists(st.integers(min_value=0), min_size=1, max_size=60))
def test_every_line_end_is_understood(name: str, line_end: bytes, places: list[int]) -> None:
    data = recorded(name)
    other = b"\xef\xbb\xbf: a comment\n\n" + data.replace(b"\r\n", b"\n").replace(b"\ndata: {", b"\ndata: {\ndata:")
    other = other.replace(b"\n\n", b"\n\n:\n").replace(b"\n", line_end)

    assert outcome(cut(other, places)) == outcome([data])


@each_small
def test_a_stream_that_stops_anywhere_is_whole_or_an_error_that_says_so(small: bytes) -> None:
    whole = outcome([small])
    assert isinstance(whole, Answer)
    decided = small.index(b'"finish_reason":"stop"')

    for place in range(len(small)):
        stopped = outcome([small[:place]])
        assert stopped == IN_THE_MIDDLE or (place > decided and same_blocks(stopped, whole)) or before_all(place, small)


@each_recorded
def test_a_recording_that_stops_anywhere_is_whole_or_an_error(name: str) -> None:
    data = recorded(name)
    whole = outcome([data])
    places = random.Random(name)
    first = data.index(b"\n\n", data.index(b"data: {"))

    for place in (places.randrange(first, len(data)) for _ in range(PLACES)):
        stopped = outcome([data[:place]])
        assert stopped in (IN_THE_MIDDLE, whole) or same_blocks(stopped, whole) or after_its_end(stopped, data[:place])


def same_blocks(stopped: Answer | str, whole: Answer | str) -> bool:
    """The counts come last."""
    return isinstance(stopped, Answer) and isinstance(whole, Answer) and stopped.message.blocks == whole.message.blocks


def after_its_end(stopped: Answer | str, data: bytes) -> bool:
    """A service that says how it ended and then that it failed."""
    return isinstance(stopped, Answer) and b'"finish_reason":"length"' in data


def before_all(place: int, small: bytes) -> bool:
    return place < small.index(b"\n\n", small.index(b"data: {"))


def forgetting_ids(answer: Answer | str) -> object:
    """Those we make are new each time."""
    if isinstance(answer, str):
        return answer
    return [
        (type(block), getattr(block, "text", ""), getattr(block, "arguments", "")) for block in answer.message.blocks
    ]


def test_a_stream_that_stops_before_anything_was_said_has_no_answer() -> None:
    assert outcome([]) == IN_THE_MIDDLE
    assert outcome([b": waiting\n\n"]) == IN_THE_MIDDLE
    assert outcome([b"data: [DONE]\n\n"]) == "it ended the stream without an answer."


def test_an_emoji_may_be_split_into_its_utf_16_halves() -> None:
    pieces = chat({"content": "a\ud83d"}, {"content": "\ude00b"}, {"content": " \ud83d\ude00 \\ud83d"})

    answer = outcome(pieces)

    assert isinstance(answer, Answer)
    assert answer.message.text == "a😀b 😀 \\ud83d"


def test_half_a_character_alone_is_shown_as_one_that_is_missing() -> None:
    answer = outcome(chat({"content": "a\ude00b"}))

    assert isinstance(answer, Answer)
    assert answer.message.text == "a\ufffdb"
