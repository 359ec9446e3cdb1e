"""Messages over HTTP: streams that the server answers with, or the one long stream of servers before 2025."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from actors.mcp import limits
from actors.mcp.sign_in.way import Way
from actors.mcp.transports.stdio import Heard
from actors.settings.mcp.servers import McpServer

CONNECT_S = 15.0
SILENCE_S = 300.0
"""Of an open stream."""
SESSION = "mcp-session-id"
SIGN_IN = (401, 403)
PLAIN = "identity"
"""The encoding that is asked for: 24 MB that are packed can be 24 GB, and a body is bounded before it is unpacked."""
FORGOTTEN = (400, 404)
"""The protocol has 404 for a session that is not known, and some servers say 400."""


class Bounded(httpx2.AsyncByteStream):
    """A body that is read whole: too much of it is a broken connection."""

    def __init__(self, inner: object) -> None:
        self._inner = inner if isinstance(inner, httpx2.AsyncByteStream) else None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        if self._inner is not None:
            async for chunk in self._inner:
                read += len(chunk)
                if read > limits.LINE_BYTES:
                    raise httpx2.ReadError(f"the answer is longer than {limits.LINE_BYTES} bytes")
                yield chunk

    async def aclose(self) -> None:
        if self._inner is not None:
            await self._inner.aclose()


@asynccontextmanager
async def streams(server: McpServer, heard: Heard, way: Way) -> AsyncIterator[TransportStreams]:
    """server: its variables filled in."""
    auth, make = way.auth(server), partial(_client, server.headers, partial(_note, heard, way))
    if server.transport == "sse":
        async with sse_client(
            server.url, auth=auth, sse_read_timeout=SILENCE_S, timeout=CONNECT_S, httpx_client_factory=make
        ) as pair:
            yield pair
        return
    async with (
        make(timeout=httpx2.Timeout(CONNECT_S, read=SILENCE_S), auth=auth) as client,
        streamable_http_client(server.url, http_client=client, max_sse_event_size=limits.LINE_BYTES) as pair,
    ):
        yield pair


def _client(
    own: Mapping[str, str],
    note: Callable[[httpx2.Response], Awaitable[None]],
    headers: dict[str, str] | None = None,
    timeout: httpx2.Timeout | None = None,
    auth: httpx2.Auth | None = None,
) -> httpx2.AsyncClient:
    """As the SDK makes its own, with the server's headers."""
    both = {"accept-encoding": PLAIN, **(headers or {}), **own}
    return httpx2.AsyncClient(headers=both, timeout=timeout, auth=auth, event_hooks={"response": [note]})


async def _note(heard: Heard, way: Way, response: httpx2.Response) -> None:
    """What the SDK does not tell of a response. Raises httpx2.ReadError: it is packed."""
    if response.headers.get("content-encoding", PLAIN).strip().lower() != PLAIN:
        raise httpx2.ReadError("the answer is packed, though that was not asked for")
    if response.headers.get("content-type", "").startswith("application/json"):
        response.stream = Bounded(response.stream)
    if response.status_code == httpx2.codes.FORBIDDEN:
        way.note_refusal(response.headers.get("www-authenticate", ""))
    if response.status_code in SIGN_IN:
        heard.status = response.status_code
    elif response.is_success and response.request.method == "POST":
        heard.status = 0  # it lets us in: one request was refused, and not we
    if response.status_code in FORGOTTEN and SESSION in response.request.headers:
        heard.forgotten = True
