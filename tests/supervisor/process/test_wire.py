"""Frames: bytes cut anywhere are the same envelopes."""

import socket

import msgspec
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from actors.messages.base import Envelope
from supervisor.process.wire import LARGEST_FRAME, LENGTH, BrokenFrame, Connection, FrameReader, frame


def an_envelope(number: int) -> Envelope:
    return Envelope(kind="item", to="a", sender="b", id=number, body=msgspec.Raw(msgspec.msgpack.encode("x" * number)))


@given(st.lists(st.integers(min_value=1, max_value=200), max_size=60))
def test_frames_survive_any_cutting(cuts: list[int]) -> None:
    envelopes = [an_envelope(number) for number in range(20)]
    data = b"".join(map(frame, envelopes))
    reader = FrameReader()

    read = []
    for cut in [*cuts, len(data)]:
        read += reader.feed(data[:cut])
        data = data[cut:]

    assert read == envelopes


@pytest.mark.parametrize(
    "data", [LENGTH.pack(LARGEST_FRAME + 1), LENGTH.pack(3) + b"\xc1\xc1\xc1", LENGTH.pack(1) + b"\x01"]
)
def test_what_is_no_frame_is_an_error(data: bytes) -> None:
    with pytest.raises(BrokenFrame):
        FrameReader().feed(data)


async def test_two_connections_carry_envelopes_both_ways_and_see_the_end() -> None:
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setblocking(False)
    one, two = Connection(ours), Connection(theirs)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.write)
        nursery.start_soon(two.write)
        for number in range(100):
            one.send(an_envelope(number))
        read: list[Envelope] = []
        while len(read) < 100:
            read += await two.receive()
        await one.drain()
        one.end()
        end_seen = await two.receive()
        nursery.cancel_scope.cancel()
    one.close()
    two.close()

    assert read == [an_envelope(number) for number in range(100)]
    assert end_seen == []
