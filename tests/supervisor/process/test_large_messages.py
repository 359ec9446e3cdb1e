"""A large message is under way: who sends or reads it lives. On a clock that jumps, over a real socket."""

# ruff: noqa: ARG001  # a clock is used by being asked for

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import trio
from trio.testing import MockClock

from actors.messages.base import Envelope
from supervisor import health
from supervisor.child import Child
from supervisor.child_spec import ChildSpec
from supervisor.process.wire import Connection, FrameReader, frame

MEGABYTE = 1024 * 1024
SPEC = ChildSpec(name="agent:main", entry="a.module:run", heartbeat_s=10.0)


def event(megabytes: int) -> Envelope:
    body = msgspec.Raw(msgspec.msgpack.encode("x" * megabytes * MEGABYTE))
    return Envelope(kind="item", to="ui", sender="agent:main", id=1, body=body)


@asynccontextmanager
async def watched() -> AsyncIterator[tuple[Child, trio.SocketStream, list[Envelope]]]:
    """An actor at work that was just pinged, its end of the socket, and what has come from it."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    child, connection = Child("agent:main", SPEC, msgspec.Raw(b"")), Connection(ours)
    child.connection, child.busy = connection, True
    came: list[Envelope] = []

    async def read() -> None:
        while envelopes := await connection.receive():
            came.extend(envelopes)

    async with trio.open_nursery() as nursery, trio.SocketStream(trio.socket.from_stdlib_socket(theirs)) as end:
        nursery.start_soon(read)
        nursery.start_soon(connection.write)
        nursery.start_soon(health.watch, [child], lambda _name: 1, trio.lowlevel.ParkingLot())
        yield child, end, came
        nursery.cancel_scope.cancel()
    connection.close()


async def test_who_says_nothing_is_hung(autojump_clock: MockClock) -> None:
    async with watched() as (child, _, _came):
        await trio.sleep(15)

    assert (child.own_fault, child.cause) == (True, "hung: no answer for 10 s")


async def test_an_event_of_a_hundred_megabytes_that_takes_its_time_is_life(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.01  # real bytes take real time
    data = frame(event(100))
    async with watched() as (child, theirs, came):
        for at in range(0, len(data), len(data) // 20):
            await theirs.send_all(data[at : at + len(data) // 20])
            await trio.sleep(3)

    assert (child.own_fault, child.cause) == (False, "")
    assert len(came) == 1


async def test_who_reads_on_at_what_it_was_sent_lives(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.01
    reader, got = FrameReader(), list[Envelope]()
    async with watched() as (child, theirs, _):
        assert child.connection is not None
        child.connection.send(event(8))
        while not any(one.kind == "item" for one in got):
            got += reader.feed(bytes(await theirs.receive_some(MEGABYTE // 2)))
            await trio.sleep(1)

    assert (child.own_fault, child.cause) == (False, "")


async def test_who_is_sent_something_and_does_not_read_it_is_hung(autojump_clock: MockClock) -> None:
    async with watched() as (child, _, _came):
        assert child.connection is not None
        for _ in range(15):
            child.connection.send(event(0))
            await trio.sleep(1)

    assert child.own_fault
