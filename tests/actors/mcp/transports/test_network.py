"""What a server over HTTP may answer with: bodies that are more than they seem."""

import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from actors.settings.mcp.servers import McpServer
from tests.fakes.mcp_actor import asking
from tests.fakes.mcp_http import request_of

PACKED = b"HTTP/1.1 %d X\r\nContent-Type: %s\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s"
BOMB = gzip.compress(b" " * 30_000_000)


@asynccontextmanager
async def answering(status: int, kind: bytes, asked: list[dict[str, str]]) -> AsyncIterator[McpServer]:
    async def answer(stream: trio.SocketStream) -> None:
        async with stream:
            asked.append((await request_of(stream))[2])
            await stream.send_all(PACKED % (status, kind, len(BOMB), BOMB))

    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, answer, [listener])
        url = f"http://127.0.0.1:{listener.socket.getsockname()[1]}/mcp"
        yield McpServer(name="fake", transport="http", url=url, source="/mcp.json", scope="user")
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("kind", [b"application/json", b"text/event-stream", b"text/html"])
@pytest.mark.parametrize("status", [200, 500])
async def test_what_is_compressed_is_not_unpacked(status: int, kind: bytes, tmp_path: Path) -> None:
    asked: list[dict[str, str]] = []
    async with answering(status, kind, asked) as server, asking(server, tmp_path) as asker:
        described = await asker.describe()

    assert described.state == "failed"
    assert "the answer is compressed, though that was not asked for" in described.error
    assert {headers["accept-encoding"] for headers in asked} == {"identity"}
