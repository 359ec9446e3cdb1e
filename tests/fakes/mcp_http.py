"""The fake MCP server over HTTP on this machine, in the test's own loop: sessions, streams, and ways to be rude."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import trio

from actors.settings.mcp.servers import McpServer
from tests.fakes.mcp_server import SUBSCRIPTION, Fake, Json

HEAD = b"HTTP/1.1 %d X\r\nConnection: close\r\n%s\r\n"


class McpHttp:
    def __init__(self, flags: tuple[str, ...]) -> None:
        """flags: of the fake, and: says_400, to a session it does not know; sign_in; streams, also for one message;
        breaks, in the middle of each stream."""
        self.flags = flags
        self.fake = Fake(flags)
        self.url = ""
        self.sessions: set[str] = set()
        self.headers: list[dict[str, str]] = []
        """Of each request."""
        self._made = 0
        self._heard = trio.lowlevel.ParkingLot()
        self._released: dict[Any, trio.Event] = {}
        self._late: dict[Any, list[Json]] = {}

    async def has_heard(self, method: str, times: int = 1) -> None:
        """Now, or once it has."""
        while sum(message.get("method") == method for message in self.fake.heard) < times:
            await self._heard.park()

    def forget(self) -> None:
        """All sessions, as when it was started anew."""
        self.sessions.clear()

    async def serve(self, stream: trio.SocketStream) -> None:
        async with stream:
            try:
                method, _, headers, body = await request_of(stream)
                self.headers.append(headers)
                await self.answer(stream, method, headers, body)
            except (trio.BrokenResourceError, trio.ClosedResourceError, EOFError):
                return

    async def answer(self, stream: trio.SocketStream, method: str, headers: dict[str, str], body: bytes) -> None:
        if "sign_in" in self.flags:
            await stream.send_all(HEAD % (401, b"WWW-Authenticate: Bearer\r\nContent-Length: 0\r\n"))
        elif method != "POST":
            await stream.send_all(HEAD % (200 if method == "DELETE" else 405, b"Content-Length: 0\r\n"))
        else:
            await self._post(stream, headers, json.loads(body))

    async def _post(self, stream: trio.SocketStream, headers: dict[str, str], message: Json) -> None:
        session, more = headers.get("mcp-session-id"), b""
        if message.get("method") == "initialize":
            self._made += 1
            session = f"session-{self._made}"
            self.sessions.add(session)
            more = b"Mcp-Session-Id: %s\r\n" % session.encode()
        if "modern" not in self.flags and session not in self.sessions and message.get("method") != "server/discover":
            code = 400 if "says_400" in self.flags else 404
            await stream.send_all(HEAD % (code, b"Content-Length: 0\r\n"))
            return
        said = [one for one in self.fake.handle(message) if isinstance(one, dict)]
        self._heard.unpark_all()
        said = [one for one in said if not self._is_for_listener(one, message)]
        if message.get("id") is None or not message.get("method"):
            for one in said:  # answers of ours have made answers of calls
                self._late.setdefault(one["id"], []).append(one)
                self._released.setdefault(one["id"], trio.Event()).set()
            await stream.send_all(HEAD % (202, b"Content-Length: 0\r\n"))
        elif len(said) == 1 and "streams" not in self.flags and said[0].get("id") == message["id"]:
            data = json.dumps(said[0]).encode()
            kind = b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(data)
            await stream.send_all(HEAD % (200, more + kind) + data)
        else:
            await stream.send_all(HEAD % (200, more + b"Content-Type: text/event-stream\r\n"))
            await self._stream(stream, message["id"], said)

    def _is_for_listener(self, one: Json, message: Json) -> bool:
        """It goes to the stream that waits for changes."""
        listener = one.get("params", {}).get("_meta", {}).get(SUBSCRIPTION)
        if listener is None or listener == message["id"]:
            return False
        self._late.setdefault(listener, []).append(one)
        self._released.setdefault(listener, trio.Event()).set()
        return True

    async def _stream(self, stream: trio.SocketStream, number: object, said: list[Json]) -> None:
        if "breaks" in self.flags and any("content" in one.get("result", {}) for one in said):
            await stream.send_all(b'event: message\r\ndata: {"jsonrpc": "2.')
            return
        for one in said:
            await stream.send_all(b"event: message\r\ndata: %s\r\n\r\n" % json.dumps(one).encode())
        if not any(one.get("id") == number and "method" not in one for one in said):
            await self._released.setdefault(number, trio.Event()).wait()
            for one in self._late.pop(number):
                await stream.send_all(b"event: message\r\ndata: %s\r\n\r\n" % json.dumps(one).encode())


async def request_of(stream: trio.SocketStream) -> tuple[str, str, dict[str, str], bytes]:
    """Its method, target, headers and body."""
    data = bytearray()
    while b"\r\n\r\n" not in data:
        data += await _some(stream)
    head, _, body = bytes(data).partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", "0")):
        body += await _some(stream)
    return first.split()[0], first.split()[1], headers, body


async def _some(stream: trio.SocketStream) -> bytes:
    data = await stream.receive_some(65_536)
    if not data:
        raise EOFError
    return bytes(data)


@asynccontextmanager
async def serving(*flags: str, port: int = 0) -> AsyncIterator[McpHttp]:
    server = McpHttp(flags)
    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(port, host="127.0.0.1")
        server.url = f"http://127.0.0.1:{listener.socket.getsockname()[1]}/mcp"
        nursery.start_soon(trio.serve_listeners, server.serve, [listener])
        yield server
        nursery.cancel_scope.cancel()


def reached(http: McpHttp, **more: object) -> McpServer:
    made = {"name": "fake", "transport": "http", "url": http.url, "source": "/mcp.json", "scope": "user", **more}
    return McpServer(**made)  # type: ignore[arg-type]
