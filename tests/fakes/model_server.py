"""A model service on a loopback socket, in both formats, that can fail in every way a real one does.

It answers from a script (the format of `actors.providers.scripted`) at /v1/chat/completions and /v1/messages, and
lists its models at /v1/models. A fault spoils one request; faults are used up in order. As a process:

    python -m tests.fakes.model_server --script FILE_OR_JSON [--faults drop,429,stall]

prints its address on one line, such as http://127.0.0.1:40123, and serves until it is ended.
"""

import argparse
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec
import trio

from actors.providers import scripted
from actors.providers.scripted import Script
from tests.fakes import model_formats

STATUS = {"overloaded": 529, "rate_limited": 429, "unauthorized": 401, "unknown_model": 404, "bad_request": 400}
MODELS = ("test-model", "test-model-large", "text-embedding-small")


@dataclass(frozen=True)
class Reply:
    pieces: tuple[bytes, ...]
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})
    then: Literal["end", "drop", "stall"] = "end"
    pause_s: float = 0.0
    """Before each piece."""
    raw: bool = False
    """The pieces are all that is sent: no HTTP around them."""


@dataclass(frozen=True)
class Got:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    peer: int
    """The port it came from, one for each connection."""


def refusal(status: int, message: str, kind: str = "", **headers: str) -> Reply:
    body = msgspec.json.encode({"error": {"message": message, "type": kind or None, "code": kind or None}})
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply((body,), status, {"content-type": "application/json", **named})


def _half(pieces: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return pieces[: max(1, len(pieces) // 2)]


def _bytewise(pieces: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return tuple(bytes([byte]) for byte in b"".join(pieces))


Fault = Callable[[tuple[bytes, ...]], Reply]
FAULTS: dict[str, Fault] = {  # from the pieces of the good answer
    "drop": lambda pieces: Reply(_half(pieces), then="drop"),
    "stall": lambda pieces: Reply(_half(pieces), then="stall"),
    "silence": lambda _: Reply((), then="stall", raw=True),
    "close": lambda _: Reply((), then="drop", raw=True),
    "short": lambda pieces: Reply(_half(pieces)),
    "garbage": lambda _: Reply((b"data: \xff\x00{not json\n\n",)),
    "not-http": lambda _: Reply((b"\x15\x03\x01\x00\x02\x02\x46",), raw=True, then="drop"),
    "wrong-type": lambda _: Reply((b"<html>Welcome!</html>",), headers={"content-type": "text/html"}),
    "error-in-200": lambda _: Reply(refusal(200, "no such thing").pieces, headers={"content-type": "application/json"}),
    "redirect": lambda _: Reply((), 307, {"location": "http://user:pass@127.0.0.1:9/v1"}),
    "split": lambda pieces: Reply(_bytewise(pieces)),
    "drip": lambda pieces: Reply(pieces, pause_s=1.0),
    "400-overflow": lambda _: refusal(400, "prompt is too long: 9 tokens > 8 maximum", "invalid_request_error"),
    "401": lambda _: refusal(401, "Incorrect API key provided: planted-key.", "invalid_api_key"),
    "404": lambda _: refusal(404, "The model does not exist.", "model_not_found"),
    "429": lambda _: refusal(429, "Slow down", "rate_limit_exceeded"),
    "429-after": lambda _: refusal(429, "Slow down", "rate_limit_exceeded", retry_after="7"),
    "429-long": lambda _: refusal(429, "Slow down", "rate_limit_exceeded", retry_after="3600"),
    "429-quota": lambda _: refusal(429, "You exceeded your current quota", "insufficient_quota"),
    "500": lambda _: refusal(500, "Internal error"),
    "500-final": lambda _: refusal(500, "Internal error", x_should_retry="false"),
    "503-html": lambda _: Reply((b"<html>busy</html>",), 503, {"content-type": "text/html"}),
    "529": lambda _: refusal(529, "Overloaded", "overloaded_error"),
}


class ModelServer:
    def __init__(self, script: Script, faults: Iterable[str] = ()) -> None:
        self.requests: list[Got] = []
        self.url = ""
        self._script = script
        self._faults = list(faults)
        self._talking = 0
        self._idle = trio.Event()
        self._retried: set[scripted.Situation] = set()

    async def serve(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.url = f"http://127.0.0.1:{listeners[0].socket.getsockname()[1]}"
        task_status.started()
        await trio.serve_listeners(self._talk, listeners)

    async def _talk(self, stream: trio.SocketStream) -> None:
        self._talking += 1
        async with stream:
            try:
                received = b""
                while True:
                    got, received = await _receive(stream, received)
                    self.requests.append(got)
                    await _send(stream, await self._reply(got))
            except (trio.BrokenResourceError, EOFError):
                pass  # the other side is gone, or we broke off on purpose
        self._talking -= 1
        if not self._talking:
            self._idle.set()

    async def until_idle(self) -> None:
        """Waits until every connection is closed."""
        if self._talking:
            self._idle = trio.Event()
            await self._idle.wait()

    async def _reply(self, got: Got) -> Reply:
        if got.path == "/v1/models":
            listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in MODELS]}
            return Reply((msgspec.json.encode(listed),), headers={"content-type": "application/json"})
        formats = {"/v1/chat/completions": model_formats.chat, "/v1/messages": model_formats.messages}
        if got.path not in formats:
            return refusal(404, "not found")
        body = msgspec.json.decode(got.body, type=model_formats.Body)
        at = model_formats.situation(body)
        answer = scripted.chosen(self._script, at)
        pieces = tuple(formats[got.path](answer, at, body.model))
        if self._faults:
            return FAULTS[self._faults.pop(0)](pieces)
        if answer.retry and at not in self._retried:
            self._retried.add(at)
            return refusal(529, answer.retry.why, "overloaded_error", retry_after=str(answer.retry.wait_s))
        if answer.error:
            return refusal(STATUS.get(answer.error.code, 500), answer.error.text)
        await trio.sleep(answer.delay_s)
        return Reply(pieces, pause_s=answer.chunk_delay_s)


async def _receive(stream: trio.SocketStream, received: bytes) -> tuple[Got, bytes]:
    """One request and what came after it. Raises EOFError."""
    while b"\r\n\r\n" not in received:
        received += await _more(stream)
    head, _, rest = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = int(headers.get("content-length", 0))
    while len(rest) < length:
        rest += await _more(stream)
    method, target, _ = first.split(" ")
    path = urlsplit(target).path  # a client that takes us for its proxy sends the whole URL
    return Got(method, path, headers, rest[:length], stream.socket.getpeername()[1]), rest[length:]


async def _more(stream: trio.SocketStream) -> bytes:
    data = await stream.receive_some()
    if not data:
        raise EOFError
    return bytes(data)


async def _send(stream: trio.SocketStream, reply: Reply) -> None:
    if not reply.raw:
        head = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
        await stream.send_all(f"HTTP/1.1 {reply.status} -\r\n{head}transfer-encoding: chunked\r\n\r\n".encode())
    for piece in reply.pieces:
        if reply.pause_s:
            await trio.sleep(reply.pause_s)
        await stream.send_all(piece if reply.raw else b"%x\r\n%s\r\n" % (len(piece), piece))
    match reply.then:
        case "end":
            await stream.send_all(b"0\r\n\r\n")
        case "drop":
            raise EOFError
        case "stall":
            await _until_gone(stream)


async def _until_gone(stream: trio.SocketStream) -> None:
    while True:
        await _more(stream)


@asynccontextmanager
async def open_model_server(script: Script, faults: Iterable[str] = ()) -> AsyncIterator[ModelServer]:
    server = ModelServer(script, faults)
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        yield server
        nursery.cancel_scope.cancel()


async def _main(script: Script, faults: list[str]) -> None:
    server = ModelServer(script, faults)
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        print(server.url, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fakes.model_server")
    parser.add_argument("--script", required=True, help="a TOML or JSON file, or JSON")
    parser.add_argument("--faults", default="", help=f"comma list of: {', '.join(FAULTS)}")
    given = parser.parse_args()
    inline = given.script.lstrip().startswith("{")
    chosen = msgspec.json.decode(given.script, type=Script) if inline else scripted.read(Path(given.script))
    unknown = set(filter(None, given.faults.split(","))) - FAULTS.keys()
    if unknown:
        sys.exit(f"unknown faults: {', '.join(unknown)}")
    trio.run(_main, chosen, [name for name in given.faults.split(",") if name])
