"""A model server that answers at once, in three formats: the process `python -m tests.bench.server`.

It prints its address, then a line for each request that arrives and each answer that begins or has said all but its
end: a Seen as JSON. A thread a connection and whole answers in one write: it has to cost less than what is measured.
"""

import os
import socket
import threading
import time
from collections.abc import Iterator
from typing import Literal

import msgspec

from tests.bench import formats
from tests.bench.formats import Speech
from tests.bench.plan import STAMP, Plan

READ_BYTES = 256 * 1024
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
END = b"0\r\n\r\n"
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"


class Seen(msgspec.Struct, frozen=True):
    what: Literal["asked", "answering", "said"]
    at: float
    """On the monotonic clock, which all processes of a machine share."""
    round: int
    """How many answers this prompt had before."""


def main() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        os.write(1, f"http://127.0.0.1:{listener.getsockname()[1]}/v1\n".encode())
        while True:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=_serve, args=(connection,), daemon=True).start()


def _serve(connection: socket.socket) -> None:
    with connection:
        try:
            for arrived, path, body in _requests(connection):
                if path in formats.BY_PATH:
                    _answer(connection, arrived, path, body)
                else:
                    connection.sendall(NOT_FOUND)
        except ConnectionError:
            return  # the other side was killed


def _requests(connection: socket.socket) -> Iterator[tuple[float, str, bytes]]:
    """When the first byte of each was here, its path and its body."""
    data, arrived = b"", 0.0
    while more := connection.recv(READ_BYTES):
        arrived = arrived if data else time.monotonic()
        data += more
        head, separator, body = data.partition(b"\r\n\r\n")
        if separator and len(body) >= _length(head):
            data = b""
            yield arrived, head.split(b" ", 2)[1].decode().partition("?")[0], body


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def _answer(connection: socket.socket, arrived: float, path: str, body: bytes) -> None:
    if (found := formats.read(body)) is None:
        connection.sendall(_whole(formats.BY_PATH[path](Plan(), 0)))
        return
    planned, answered = found
    _say(Seen("asked", arrived, answered))
    is_last = answered >= planned.rounds
    speech = formats.BY_PATH[path](planned, answered)
    time.sleep(planned.hold_s + (planned.hold_last_s if is_last else 0.0))
    _say(Seen("answering", time.monotonic(), answered))
    if is_last and (planned.per_s or planned.hold_end_s):
        _drip(connection, planned, speech)
        _say(Seen("said", time.monotonic(), answered))
        time.sleep(planned.hold_end_s)
        connection.sendall(_chunk(b"".join(speech.closing)) + END)
    else:
        connection.sendall(_whole(speech))


def _whole(speech: Speech) -> bytes:
    return HEAD + _chunk(b"".join((*speech.opening, *speech.deltas, *speech.closing))) + END


def _drip(connection: socket.socket, planned: Plan, speech: Speech) -> None:
    """Without a rate, all deltas in one piece."""
    connection.sendall(HEAD + _chunk(b"".join(speech.opening)) if speech.opening else HEAD)
    due = time.monotonic()
    stamp = STAMP.encode()
    for event in speech.deltas if planned.per_s else [b"".join(speech.deltas)]:
        if planned.per_s:
            due += 1 / planned.per_s
            time.sleep(max(due - time.monotonic(), 0.0))
        connection.sendall(_chunk(event.replace(stamp, b"%014.6f" % time.monotonic())))


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def _say(seen: Seen) -> None:
    os.write(1, msgspec.json.encode(seen) + b"\n")


if __name__ == "__main__":
    main()
