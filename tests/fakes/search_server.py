"""The services that search the web, on one loopback socket: Brave's, Tavily's and SearXNG's addresses and formats."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec
import trio

KEY = "planted-search-key"
Page = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """Instead of results."""

    status: int = 200
    body: bytes = b""


@dataclass
class SearchServer:
    pages: list[Page]
    """In each service's own words: title, url, and description or content."""
    said: list[Said | None] = field(default_factory=list)
    """Answers to the first requests; None is never answered."""
    asked: list[dict[str, str]] = field(default_factory=list)
    """Query and body of each request."""
    url: str = ""

    async def serve(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.url = f"http://127.0.0.1:{listeners[0].socket.getsockname()[1]}"
        task_status.started()
        await trio.serve_listeners(self._talk, listeners)

    async def _talk(self, stream: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError):
            async with stream:
                head, body = await _request(stream)
                said = self.said.pop(0) if self.said else self._found(head, body)
                if said is None:
                    await trio.sleep_forever()
                    return
                start = f"HTTP/1.1 {said.status} -\r\ncontent-length: {len(said.body)}\r\nconnection: close\r\n\r\n"
                await stream.send_all(start.encode() + said.body)

    def _found(self, head: str, body: bytes) -> Said:
        first, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        method, target, _ = first.split(" ")
        parts = urlsplit(target)
        query = dict(parse_qsl(parts.query))
        match method, parts.path:
            case "GET", "/web/search" if headers.get("x-subscription-token") == KEY:
                self.asked.append(query)
                return Said(body=msgspec.json.encode({"web": {"results": self.pages}, "query": {}}))
            case "POST", "/search" if headers.get("authorization") == f"Bearer {KEY}":
                self.asked.append({name: str(value) for name, value in msgspec.json.decode(body).items()})
                return Said(body=msgspec.json.encode({"results": self.pages, "answer": None}))
            case "GET", "/search" if query.get("format") == "json":
                self.asked.append(query)
                return Said(body=msgspec.json.encode({"results": self.pages, "number_of_results": 0}))
            case _:
                return Said(401, b'{"detail": "no such key"}')


async def _request(stream: trio.SocketStream) -> tuple[str, bytes]:
    received = b""
    while b"\r\n\r\n" not in received:
        received += await _more(stream)
    head, _, body = received.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    while len(body) < length:
        body += await _more(stream)
    return head.decode("latin-1"), body


async def _more(stream: trio.SocketStream) -> bytes:
    piece = await stream.receive_some()
    if not piece:
        raise trio.BrokenResourceError
    return bytes(piece)


@asynccontextmanager
async def open_search_server(
    pages: Iterable[Page] = (), said: Iterable[Said | None] = ()
) -> AsyncIterator[SearchServer]:
    server = SearchServer(list(pages), list(said))
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        yield server
        nursery.cancel_scope.cancel()
