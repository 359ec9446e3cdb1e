"""A Responses service on loopback, over sockets and over HTTP, as the real one behaves.

A socket remembers its last response, also where nothing is stored; it knows no other, and it refuses calls without
outputs and outputs without calls. What it answers is scripted: one list of events a request.
"""

import ssl
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec
import trio
from trio_websocket import ConnectionClosed, WebSocketConnection, wrap_server_stream

Json = dict[str, Any]
Stream = trio.SocketStream | trio.SSLStream[trio.SocketStream]
Turn = list[Json]
HUGE = 33 * 1024 * 1024


@dataclass
class Heard:
    """One connection."""

    headers: dict[str, str]
    frames: list[Json] = field(default_factory=list)


class ResponsesSocket:
    def __init__(
        self,
        turns: Iterable[Turn],
        faults: Iterable[str] = (),
        refuses: int | bytes | None = None,
        context: ssl.SSLContext | None = None,
    ) -> None:
        """faults: one a request, of those in `_spoil`. refuses: sockets, with this status, or these bytes."""
        self.url = ""
        self.sockets: list[Heard] = []
        self.posts: list[Json] = []
        self.refused = 0
        """Handshakes."""
        self.pause_s = 0.0
        """Before each event of a turn."""
        self.ended = trio.Event()
        """A socket has ended."""
        self._turns = list(turns)
        self._faults = list(faults)
        self._refuses = refuses
        self._context = context

    async def serve(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        scheme = "https" if self._context else "http"
        self.url = f"{scheme}://127.0.0.1:{listeners[0].socket.getsockname()[1]}/v1"
        task_status.started()
        await trio.serve_listeners(self._accept, listeners)

    async def _accept(self, stream: trio.SocketStream) -> None:
        if self._context is None:
            await self._talk(stream)
        else:
            await self._talk(trio.SSLStream(stream, self._context, server_side=True, https_compatible=True))

    async def _talk(self, stream: Stream) -> None:
        async with stream:
            try:
                head, rest = await _head(stream)
                headers = _headers(head)
                if headers.get("upgrade") != "websocket":
                    await self._post(stream, rest, int(headers["content-length"]))
                elif self._refuses is not None:
                    await self._refuse(stream)
                else:
                    await self._upgrade(_Again(stream, head + rest), Heard(headers))
            except (trio.BrokenResourceError, trio.ClosedResourceError, EOFError):
                pass  # hung up, one or the other

    async def _refuse(self, stream: Stream) -> None:
        self.refused += 1
        if isinstance(self._refuses, int):
            await stream.send_all(f"HTTP/1.1 {self._refuses} No\r\ncontent-length: 2\r\n\r\nno".encode())
        elif self._refuses:
            await stream.send_all(self._refuses)

    async def _post(self, stream: Stream, body: bytes, length: int) -> None:
        while len(body) < length:
            body += await _more(stream)
        self.posts.append(msgspec.json.decode(body))
        events = b"".join(b"data: " + msgspec.json.encode(event) + b"\n\n" for event in self._turns.pop(0))
        head = f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {len(events)}\r\n\r\n"
        await stream.send_all(head.encode() + events)

    async def _upgrade(self, stream: "_Again", heard: Heard) -> None:
        self.sockets.append(heard)
        async with trio.open_nursery() as nursery:
            request = await wrap_server_stream(nursery, stream)  # type: ignore[arg-type]  # any stream will do
            connection = await request.accept(extra_headers=[(b"x-ratelimit-remaining-requests", b"7")])
            with suppress(ConnectionClosed, EOFError):  # hung up, one or the other
                await self._remember(connection, heard)
            self.ended.set()
            nursery.cancel_scope.cancel()

    async def _remember(self, connection: WebSocketConnection, heard: Heard) -> None:
        known: list[Json] = []
        last = ""
        while True:
            frame: Json = msgspec.json.decode(await connection.get_message())
            heard.frames.append(frame)
            fault = self._faults.pop(0) if self._faults else ""
            if fault.startswith("forget"):
                last = ""
            if refusal := _wrong(frame, known, last):
                known, last = [], ""
                await _send(connection, _in_other_words(fault, refusal))
                continue
            turn = await self._spoil(fault, connection)
            await _send(connection, turn, self.pause_s)
            known = [*(known if "previous_response_id" in frame else []), *frame["input"], *_made(turn)]
            last = turn[-1]["response"]["id"]
            if fault == "close-after":
                raise EOFError

    async def _spoil(self, fault: str, connection: WebSocketConnection) -> Turn:
        match fault:
            case "drop":
                turn = self._turns[0]
                await _send(connection, turn[: len(turn) // 2])
                raise EOFError
            case "worn-out-later":
                await _send(connection, self._turns[0][:1])
                await _send(connection, [_error(400, "websocket_connection_limit_reached", "60 minutes are over.")])
                raise EOFError
            case "close":
                raise EOFError
            case "stall":
                await trio.sleep_forever()
            case "worn-out":
                await _send(connection, [_error(400, "websocket_connection_limit_reached", "60 minutes are over.")])
                raise EOFError
            case "limited":
                limited = _error(429, "rate_limit_exceeded", "Slow down.") | {"headers": {"retry-after": "7"}}
                await _send(connection, [limited])
                raise EOFError
            case "limited-later":
                turn = self._turns[0]
                await _send(connection, [*turn[: len(turn) // 2], _error(429, "rate_limit_exceeded", "Slow down.")])
                raise EOFError
            case "garbage":
                await connection.send_message("[not, an event")
                raise EOFError
            case "huge":
                await connection.send_message("x" * HUGE)
                raise EOFError
        return self._turns.pop(0)


class _Again(trio.abc.Stream):
    """A stream whose first bytes were read already."""

    def __init__(self, stream: Stream, read: bytes) -> None:
        self._stream = stream
        self._read = read

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        read, self._read = self._read, b""
        return read or await self._stream.receive_some(max_bytes)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _head(stream: Stream) -> tuple[bytes, bytes]:
    received = b""
    while b"\r\n\r\n" not in received:
        received += await _more(stream)
    head, end, rest = received.partition(b"\r\n\r\n")
    return head + end, rest


async def _more(stream: Stream) -> bytes:
    data = await stream.receive_some()
    if not data:
        raise EOFError
    return bytes(data)


def _headers(head: bytes) -> dict[str, str]:
    _, *lines = head.decode("latin-1").strip().split("\r\n")
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


async def _send(connection: WebSocketConnection, events: Turn, pause_s: float = 0.0) -> None:
    for event in events:
        await trio.sleep(pause_s)
        await connection.send_message(msgspec.json.encode(event).decode())


def _wrong(frame: Json, known: list[Json], last: str) -> Json | None:
    if frame["type"] != "response.create" or {"stream", "background"} & frame.keys():
        return _error(400, "invalid_request_error", "no such frame")
    previous = frame.get("previous_response_id")
    if previous is not None and previous != last:
        return _error(400, "previous_response_not_found", f"Previous response with id '{previous}' not found.")
    items = [*(known if previous else []), *frame["input"]]
    called = [item["call_id"] for item in items if item["type"] in ("function_call", "custom_tool_call")]
    answered = [item["call_id"] for item in items if item["type"].endswith("_call_output")]
    if sorted(called) != sorted(answered):
        return _error(400, "invalid_request_error", f"calls {called}, outputs {answered}")
    return None


def _in_other_words(fault: str, refusal: Json) -> Turn:
    created = {"type": "response.created", "response": {"id": "resp_x"}}
    call = {"type": "function_call", "call_id": "x", "name": "read", "arguments": ""}
    match fault:
        case "forget-created":
            return [created, {"type": "response.output_item.added", "output_index": 0, "item": call}, refusal]
        case "forget-failed":
            return [created, {"type": "response.failed", "response": {"status": "failed", "error": refusal["error"]}}]
        case "forget-type":
            return [{"type": "error", "error": {"type": refusal["error"]["code"], "message": "?"}}]
    return [refusal]


def _error(status: int, code: str, message: str) -> Json:
    error = {"type": "invalid_request_error", "code": code, "message": message, "param": None}
    return {"type": "error", "status": status, "error": error}


def _made(turn: Iterable[Mapping[str, Any]]) -> list[Json]:
    return [event["item"] for event in turn if event["type"] == "response.output_item.done"]


@asynccontextmanager
async def open_responses_socket(server: ResponsesSocket) -> AsyncIterator[None]:
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        yield
        nursery.cancel_scope.cancel()
