"""A model service on a loopback socket, in all three formats, that can fail in every way a real one does.

It answers from a script (the format of `actors.providers.scripted`) at /v1/chat/completions, /v1/messages and
/v1/responses, and lists its models at /v1/models. A fault spoils one request; faults are used up in order. As a
process:

    python -m tests.fakes.model_server --script FILE_OR_JSON [--faults drop,429,stall] [--tls CA_FILE]

prints its address on one line, such as http://127.0.0.1:40123, and serves until it is ended. With --tls it speaks
https, and writes the certificate of the authority behind its own to CA_FILE.
"""

import argparse
import ssl
import sys
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import trio

from actors.providers import scripted
from actors.providers.scripted import Script, ScriptedAnswer, Situation
from tests.fakes import model_formats
from tests.fakes.model_faults import FAULTS, JSON, Fault, Good, Reply, refusal

STATUS = {"overloaded": 529, "rate_limited": 429, "unauthorized": 401, "unknown_model": 404, "bad_request": 400}
TLS_HELLO = b"\x16"
MODELS = ("test-model", "test-model-large", "text-embedding-small")
Streamed = Callable[[ScriptedAnswer, Situation, str], Iterable[bytes]]
Whole = Callable[[ScriptedAnswer, Situation, str], bytes]
FORMATS: dict[str, tuple[Streamed, Whole]] = {
    "/v1/chat/completions": (model_formats.chat, model_formats.chat_whole),
    "/v1/messages": (model_formats.messages, model_formats.messages_whole),
    "/v1/responses": (model_formats.responses, model_formats.responses_whole),
}


@dataclass(frozen=True)
class Got:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    peer: int
    """The port it came from, one for each connection."""
    at: float
    """On trio's clock."""


class ModelServer:
    def __init__(
        self,
        script: Script,
        faults: Iterable[str | Fault] = (),
        tls: ssl.SSLContext | None = None,
        absent: Collection[str] = (),
        refuses: Callable[[dict[str, Any]], Reply | None] = lambda _body: None,
    ) -> None:
        """absent: paths that nothing answers at. refuses: what it says to a body it does not take."""
        self.requests: list[Got] = []
        self.peers: list[int] = []
        """Of every connection, also of one that was never used."""
        self.url = ""
        self._tls = tls
        self.answered = 0
        """Requests that no fault spoiled."""
        self.down = ""
        """The fault that spoils every request for as long as it is named."""
        self._absent = absent
        self._refuses = refuses
        self._script = script
        self._faults = list(faults)
        self._talking: set[trio.SocketStream] = set()
        self._idle = trio.Event()
        self._retried: set[scripted.Situation] = set()

    async def serve(self, port: int = 0, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """port: 0 for any that is free."""
        listeners = await trio.open_tcp_listeners(port, host="127.0.0.1")
        scheme = "https" if self._tls else "http"
        self.url = f"{scheme}://127.0.0.1:{listeners[0].socket.getsockname()[1]}"
        task_status.started()
        await trio.serve_listeners(self._talk, listeners)

    async def _talk(self, plain: trio.SocketStream) -> None:
        self._talking.add(plain)
        peer = plain.socket.getpeername()[1]
        self.peers.append(peer)
        stream = trio.SSLStream(plain, self._tls, server_side=True, https_compatible=True) if self._tls else plain
        async with plain:
            try:
                received = b""
                while True:
                    got, received = await _receive(stream, received, peer)
                    self.requests.append(got)
                    await _send(stream, await self._reply(got))
            except (trio.BrokenResourceError, trio.ClosedResourceError, EOFError):
                pass  # the other side is gone, or we broke off on purpose
        self._talking.discard(plain)
        if not self._talking:
            self._idle.set()

    @property
    def asked(self) -> list[Got]:
        """The requests that want an answer."""
        return [got for got in self.requests if got.method == "POST"]

    async def hang_up(self) -> None:
        """Close every connection."""
        for stream in list(self._talking):
            await stream.aclose()

    async def until_idle(self) -> None:
        """Waits until every connection is closed."""
        if self._talking:
            self._idle = trio.Event()
            await self._idle.wait()

    async def _reply(self, got: Got) -> Reply:
        if got.path == "/v1/models":
            listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in MODELS]}
            return Reply((msgspec.json.encode(listed),), headers=JSON)
        if got.path not in FORMATS or got.path in self._absent or got.method != "POST":
            return refusal(404, "not found")
        if reply := self._refuses(msgspec.json.decode(got.body)):
            return reply
        body = msgspec.json.decode(got.body, type=model_formats.Body)
        at = model_formats.situation(body)
        answer = scripted.chosen(self._script.told(model_formats.first_prompt(body)), at)
        streamed, whole = FORMATS[got.path]
        pieces = tuple(streamed(answer, at, body.model))
        if self.down or self._faults:
            fault = self.down or self._faults.pop(0)
            good = Good(got.path, pieces, whole(answer, at, body.model))
            return FAULTS[fault](good) if isinstance(fault, str) else fault(good)
        self.answered += 1
        if answer.retry and at not in self._retried:
            self._retried.add(at)
            return refusal(529, answer.retry.why, "overloaded_error", {"retry-after": str(answer.retry.wait_s)})
        if answer.error:
            return refusal(STATUS.get(answer.error.code, 500), answer.error.text)
        await trio.sleep(answer.delay_s)
        return Reply(pieces, pause_s=answer.chunk_delay_s)


async def _receive(stream: trio.abc.Stream, received: bytes, peer: int) -> tuple[Got, bytes]:
    """One request and what came after it. Raises EOFError."""
    while b"\r\n\r\n" not in received:
        received += await _more(stream)
        if received.startswith(TLS_HELLO):
            await stream.send_all(b"HTTP/1.1 400 -\r\n\r\n")
            raise EOFError
    head, _, rest = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = int(headers.get("content-length", 0))
    while len(rest) < length:
        rest += await _more(stream)
    method, target, _ = first.split(" ")
    path = urlsplit(target).path  # a client that takes us for its proxy sends the whole URL
    return Got(method, path, headers, rest[:length], peer, trio.current_time()), rest[length:]


async def _more(stream: trio.abc.Stream) -> bytes:
    data = await stream.receive_some()
    if not data:
        raise EOFError
    return bytes(data)


async def _send(stream: trio.abc.Stream, reply: Reply) -> None:
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


async def _until_gone(stream: trio.abc.Stream) -> None:
    while True:
        await _more(stream)


@asynccontextmanager
async def open_model_server(
    script: Script,
    faults: Iterable[str | Fault] = (),
    tls: ssl.SSLContext | None = None,
    absent: Collection[str] = (),
    refuses: Callable[[dict[str, Any]], Reply | None] = lambda _body: None,
) -> AsyncIterator[ModelServer]:
    server = ModelServer(script, faults, tls, absent, refuses)
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        yield server
        nursery.cancel_scope.cancel()


async def _main(server: ModelServer) -> None:
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        print(server.url, flush=True)


def certified(ca_file: Path) -> ssl.SSLContext:
    import trustme

    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(ca_file))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1", "localhost").configure_cert(context)
    return context


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fakes.model_server")
    parser.add_argument("--script", required=True, help="a TOML or JSON file, or JSON")
    parser.add_argument("--faults", default="", help=f"comma list of: {', '.join(FAULTS)}")
    parser.add_argument("--tls", type=Path, help="speak https; the authority's certificate is written to this file")
    given = parser.parse_args()
    inline = given.script.lstrip().startswith("{")
    chosen = msgspec.json.decode(given.script, type=Script) if inline else scripted.read(Path(given.script))
    names = [name for name in given.faults.split(",") if name]
    if unknown := set(names) - FAULTS.keys():
        sys.exit(f"unknown faults: {', '.join(unknown)}")
    trio.run(_main, ModelServer(chosen, names, certified(given.tls) if given.tls else None))
