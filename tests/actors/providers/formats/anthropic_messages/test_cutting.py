"""Bytes may be cut anywhere, end their lines in any way, and stop anywhere."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.messages.model import Answer
from tests import ROOT
from tests.actors.providers.formats.anthropic_messages.streams import MISSING, STREAMED, outcome, recorded
from tests.actors.providers.formats.reading import cut

SMALL = (ROOT / "tests" / "data" / "streams" / "messages-thinking-tools.sse").read_bytes()
PLACES = 60
"""Where each large stream is stopped."""

each_recorded = pytest.mark.parametrize(
    "name",
    STREAMED or [pytest.param("", marks=pytest.mark.skip(reason=MISSING))],
)


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_every_cut_in_two_is_the_same(line_end: bytes) -> None:
    data = SMALL.replace(b"\n", line_end)
    whole = outcome([data])

    assert isinstance(whole, Answer)
    assert all(outcome([data[:place], data[place:]]) == whole for place in range(len(data)))


def test_one_byte_at_a_time_is_the_same() -> None:
    assert outcome([SMALL[place : place + 1] for place in range(len(SMALL))]) == outcome([SMALL])


@each_recorded
@settings(max_examples=6, deadline=None)
@given(places=st.lists(st.integers(min_value=0), min_size=1, max_size=60))
def test_a_recording_may_be_cut_anywhere(name: str, places: list[int]) -> None:
    data = recorded(name)

    assert outcome(cut(data, places)) == outcome([data])


@each_recorded
@pytest.mark.parametrize("line_end", [b"\r\n", b"\r"], ids=["crlf", "cr"])
@settings(max_examples=3, deadline=None)
@given(places=st.lists(st.integers(min_value=0), min_size=1, max_size=60))
def test_every_line_end_is_understood(name: str, line_end: bytes, places: list[int]) -> None:
    data = recorded(name)
    other = b"\xef\xbb\xbf: a comment\n\n" + data.replace(b"\r\n", b"\n").replace(b"\ndata: {", b"\ndata: {\ndata:")
    other = other.replace(b"\n\n", b"\n\n:\n").replace(b"\n", line_end)

    assert outcome(cut(other, places)) == outcome([data])


def test_a_stream_that_stops_anywhere_is_whole_or_an_error_that_says_so() -> None:
    whole = outcome([SMALL])
    decided = SMALL.index(b"event: message_stop")

    for place in range(len(SMALL)):
        assert outcome([SMALL[:place]]) in ("the stream ended in the middle.", *endings(whole, place, decided))


@each_recorded
def test_a_recording_that_stops_anywhere_is_whole_or_an_error(name: str) -> None:
    data = recorded(name)
    whole = outcome([data])
    decided = data.rfind(b"event: message_stop")
    places = random.Random(name)

    for _ in range(PLACES):
        place = places.randrange(len(data))
        assert outcome([data[:place]]) in ("the stream ended in the middle.", *endings(whole, place, decided))


def endings(whole: Answer | str, place: int, decided: int) -> tuple[Answer | str, ...]:
    """Besides the plain end: a line cut in two, and the answer once its end may have come."""
    cut_line = "it sent something that is not a Messages event."
    return (cut_line, whole) if place > decided else (cut_line,)
