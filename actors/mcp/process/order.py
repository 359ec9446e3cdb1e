"""What the process that becomes a server is told, on the socket that is then its lifeline."""

import socket
import struct

import msgspec

from actors.settings.config import Settings

LENGTH = struct.Struct("!I")
NOT_SET_UP = 125
"""Exit code: the sandbox, not the server, is what failed; as of programs that start others, such as env."""


class Order(msgspec.Struct, frozen=True, kw_only=True):
    settings: Settings
    """As of a worker: what it is confined to."""
    argv: tuple[str, ...]
    cwd: str
    environment: dict[str, str]
    """The server's own part of it: what was configured."""
    network: bool
    sandboxed: bool


def encoded(order: Order) -> bytes:
    body = msgspec.msgpack.encode(order)
    return LENGTH.pack(len(body)) + body


def received(lifeline: socket.socket) -> Order:
    """Raises ConnectionResetError when who gave it is gone."""
    (size,) = LENGTH.unpack(_exactly(lifeline, LENGTH.size))
    return msgspec.msgpack.decode(_exactly(lifeline, size), type=Order)


def _exactly(lifeline: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        more = lifeline.recv(size - len(data))
        if not more:
            raise ConnectionResetError("whoever wanted the server is gone")
        data += more
    return bytes(data)
