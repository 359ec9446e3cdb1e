"""Frames on a socket: 4 bytes of length, then a msgpack envelope. Many are decoded per read and sent per write."""

import socket
import struct
from collections import deque

import msgspec
import trio

from actors.common.plurals import how_many
from actors.messages.base import Envelope

LENGTH = struct.Struct("!I")
LARGEST_FRAME = 256 * 1024 * 1024
READ_BYTES = 32 * 1024
MOST_QUEUED = 2 * LARGEST_FRAME
"""Bytes waiting for a reader. A slow one may have a large item of a stream and the whole answer before it; streams have
credits, so only a hung one gets here."""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Envelope)


class BrokenFrame(Exception):
    """The bytes are not frames: the other side is not one of ours, or out of its mind."""


def frame(envelope: Envelope) -> bytes:
    body = _encoder.encode(envelope)
    return LENGTH.pack(len(body)) + body


class FrameReader:
    """Bytes in, envelopes out; no I/O."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes | memoryview) -> list[Envelope]:
        """Raises BrokenFrame."""
        self._buffer += data
        envelopes = []
        start = 0
        while len(self._buffer) - start >= LENGTH.size:
            (size,) = LENGTH.unpack_from(self._buffer, start)
            if size > LARGEST_FRAME:
                raise BrokenFrame(f"a frame of {how_many(size, 'byte')}")
            end = start + LENGTH.size + size
            if len(self._buffer) < end:
                break
            try:
                envelopes.append(_decoder.decode(bytes(memoryview(self._buffer)[start + LENGTH.size : end])))
            except msgspec.DecodeError as error:
                raise BrokenFrame(str(error)) from error
            start = end
        if start:
            del self._buffer[:start]
        return envelopes


class Connection:
    """One end of a socketpair; a Link for the mailbox. `write` must run beside whoever sends."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._socket = trio.socket.from_stdlib_socket(end)
        self._reader = FrameReader()
        self._taken = memoryview(bytearray(READ_BYTES))
        """Where each read puts what has come: a block for each would lie between all others."""
        self._out: deque[bytes] = deque()
        self._wake = trio.lowlevel.ParkingLot()
        self._sent = trio.lowlevel.ParkingLot()
        self._broken = False
        self.queued = 0
        """Bytes that wait for the other side to read."""
        self.moved = 0
        """Bytes of messages too large to go at once, either way: by them the other side shows that it lives."""

    def send(self, envelope: Envelope) -> None:
        """At once when nothing waits before it: waking the writer costs more than the system call."""
        data = frame(envelope)
        if not self.queued:
            data = data[self._send_now(data) :]
        if data and not self._broken:
            self._out.append(data)
            self.queued += len(data)
            self._wake.unpark()

    def _send_now(self, data: bytes) -> int:
        try:
            return self._end.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            self._broken = True  # the other side is gone; who reads from it learns that
            return 0

    async def receive(self) -> list[Envelope]:
        """At least one envelope; [] at the end. Raises BrokenFrame."""
        while True:
            try:
                count = await self._socket.recv_into(self._taken)
            except ConnectionError:
                return []
            if not count:
                return []
            if envelopes := self._reader.feed(self._taken[:count]):
                return envelopes
            self.moved += count

    async def write(self) -> None:
        """Send what is queued, as much as there is at a time; ends when the other side is gone."""
        while True:
            while not self._out:
                await self._wake.park()
            data = b"".join(self._out)
            self._out.clear()
            try:
                await self._send_all(data)
            except (ConnectionError, trio.ClosedResourceError):
                self._broken = True
                return
            finally:
                self._sent.unpark_all()

    async def _send_all(self, data: bytes) -> None:
        with memoryview(data) as rest:
            sent = 0
            while sent < len(rest):
                count = await self._socket.send(rest[sent:])
                sent += count
                self.moved += count if sent < len(rest) else 0
                self.queued -= count

    async def drain(self) -> None:
        """Wait until all that was sent is with the kernel."""
        while self.queued and not self._broken:
            await self._sent.park()

    def end(self) -> None:
        """Say that nothing more will come; the other side may still speak."""
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError:
            return  # gone already

    def close(self) -> None:
        self._socket.close()
