"""Server-sent events, however the bytes are cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.providers.faults.fault import ServiceFailed
from actors.providers.formats.sse import LONGEST_EVENT, Event, Parser
from tests.actors.providers.formats.reading import cut

STREAM = "\n".join(
    [": hello", "data: one", "", "event: two", "data:second", "data:  line ✓", "id: 7", "", "data", "", ": end", "", ""]
)
EVENTS = [Event("", b"one"), Event("two", "second\n line ✓".encode()), Event("", b"")]


def parsed(pieces: list[bytes]) -> list[Event]:
    parser = Parser()
    return [event for piece in pieces for event in parser.feed(piece)] + parser.finish()


@given(
    places=st.lists(st.integers(min_value=0), max_size=40),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    bom=st.booleans(),
)
def test_it_does_not_matter_where_the_bytes_are_cut(places: list[int], line_end: str, bom: bool) -> None:
    data = STREAM.replace("\n", line_end).encode("utf-8-sig" if bom else "utf-8")

    assert parsed(cut(data, places)) == EVENTS


def test_line_ends_of_other_alphabets_end_no_line() -> None:
    data = "data: a\x0bb\x1cc\x85d\u2028e\n\n".encode()

    assert parsed([data]) == [Event("", "a\x0bb\x1cc\x85d\u2028e".encode())]


@pytest.mark.parametrize("data", [b"data: last", b"data: last\n", b"data: last\r"])
def test_the_last_event_counts_without_its_blank_line(data: bytes) -> None:
    assert parsed([data]) == [Event("", b"last")]


def test_an_event_without_data_is_none() -> None:
    assert parsed([b"event: ping\n\n: comment\n\n"]) == []


def test_an_event_beyond_all_measure_is_refused() -> None:
    megabyte = b"x" * 1024 * 1024

    with pytest.raises(ServiceFailed):
        parsed([megabyte] * (LONGEST_EVENT // len(megabyte) + 1))
