"""Messages over HTTP: streams that the server answers with, or the one long stream of servers before 2025."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types.jsonrpc import INVALID_REQUEST, ErrorData, JSONRPCError

from actors.mcp import limits
from actors.mcp.sign_in import admission
from actors.mcp.sign_in.bounded import PLAIN, bound, is_compressed
from actors.mcp.sign_in.way import Way
from actors.mcp.transports.stdio import Heard
from actors.settings.mcp.servers import McpServer

CONNECT_S = 15.0
SILENCE_S = 300.0
"""Of an open stream."""
SESSION = "mcp-session-id"
SIGN_IN = (401, 403)
WANTS_MORE = "it wants more rights than were given at the sign-in. Sign in again: `trouper mcp login {name}`"
WANTS_SIGN_IN = "it wants you to sign in for that: `trouper mcp login {name}`"
FORGOTTEN = (400, 404)
"""The protocol has 404 for a session that is not known, and some servers say 400."""


@asynccontextmanager
async def streams(server: McpServer, heard: Heard, way: Way) -> AsyncIterator[TransportStreams]:
    """server: its variables filled in."""
    auth, make = way.auth(server), partial(_client, server.headers, partial(_note, server, heard, way))
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


async def _note(server: McpServer, heard: Heard, way: Way, response: httpx2.Response) -> None:
    """What the SDK does not tell of a response. Raises httpx2.ReadError: it is compressed."""
    if is_compressed(response):
        raise httpx2.ReadError("the answer is compressed, though that was not asked for")
    if not (response.is_success and response.headers.get("content-type", "").startswith("text/event-stream")):
        bound(response, limits.LINE_BYTES)
    if response.is_success and response.request.method == "POST":
        heard.status = 0  # it lets us in: one request was refused, and not we
    if admission.wants_more(response):
        await _say(response, WANTS_MORE.format(name=server.name))
    elif heard.is_ready and response.status_code == httpx2.codes.UNAUTHORIZED and way.is_unknown(response):
        await admission.remember(way.store(server), response)
        await _say(response, WANTS_SIGN_IN.format(name=server.name))
    if response.status_code in SIGN_IN:
        heard.status = response.status_code
    if response.status_code in FORGOTTEN and SESSION in response.request.headers:
        heard.forgotten = True


async def _say(response: httpx2.Response, words: str) -> None:
    """In the place of its body: whoever has asked hears it, and the connection goes on."""
    if isinstance(response.stream, httpx2.AsyncByteStream):
        await response.stream.aclose()
    error = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=INVALID_REQUEST, message=words))
    response.stream = httpx2.ByteStream(error.model_dump_json().encode())
    for name in ("content-encoding", "content-length"):
        response.headers.pop(name, None)
    response.headers["content-type"] = "application/json"
