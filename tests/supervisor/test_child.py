"""One actor across its lives: what waits for the next one, and what does not."""

import os
import socket

import msgspec

from actors.messages.base import Envelope, Kind
from supervisor.child import Child
from supervisor.child_spec import ChildSpec
from supervisor.health import ailing
from supervisor.process.spawner import Process
from supervisor.process.wire import Connection, FrameReader

SPEC = ChildSpec(name="store", entry="a.module:run")


def envelope(kind: Kind, number: int) -> Envelope:
    return Envelope(kind=kind, to="store", sender="agent:main", id=number)


def a_process() -> Process:
    return Process(os.posix_spawnp("true", ["true"], os.environ))


async def handed_over(child: Child) -> list[Envelope]:
    """What its next life gets at first."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    process, connection = a_process(), Connection(ours)
    child.begin(process, connection)
    connection.close()
    with theirs:
        envelopes = FrameReader().feed(theirs.recv(65536))
    await process.wait()
    return envelopes


async def test_what_was_asked_before_its_askers_were_told_of_its_death_is_not_done_for_nobody() -> None:
    child = Child("store", SPEC, msgspec.Raw(b""))
    for held in (envelope("ask", 1), envelope("tell", 0), envelope("stream", 2), envelope("cancel", 2)):
        child.deliver(held)

    child.forget_requests()

    assert await handed_over(child) == [envelope("tell", 0)]


async def test_what_is_asked_after_that_waits_for_its_next_life() -> None:
    child = Child("store", SPEC, msgspec.Raw(b""))
    child.deliver(envelope("tell", 0))
    child.forget_requests()
    child.deliver(envelope("ask", 3))
    child.deliver(envelope("stream", 4))

    assert await handed_over(child) == [envelope("tell", 0), envelope("ask", 3), envelope("stream", 4)]


async def test_who_has_two_large_envelopes_to_read_is_not_taken_for_hung() -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    child, process, connection = Child("store", SPEC, msgspec.Raw(b"")), a_process(), Connection(ours)
    child.begin(process, connection)
    with theirs:
        for _ in range(2):
            large = msgspec.Raw(msgspec.msgpack.encode(bytes(100_000_000)))
            child.deliver(Envelope(kind="item", to="store", sender="providers", id=1, body=large))

        assert ailing(child, 0.0) == ""
        connection.close()
    await process.wait()
