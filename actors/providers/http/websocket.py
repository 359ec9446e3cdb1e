"""One WebSocket, from its handshake to its end: text frames out and in. It knows nothing of what they mean."""

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import trio

from actors.providers.formats.openai_responses.continuation import Memory
from actors.providers.formats.sse import LONGEST_EVENT
from actors.providers.formats.wire_format import HttpRequest
from actors.providers.http import transport_rules
from actors.providers.http.connections import KEEP_ALIVE
from actors.version import AGENT

if TYPE_CHECKING:
    from trio_websocket import WebSocketConnection

HANDSHAKE_S = 5.0
"""From the first packet to the open socket; whoever needs longer is asked over HTTP."""
AHEAD = 256
"""Frames that may wait for a slow asker before the service is slowed down."""
AT_ONCE = 64 * 1024
"""Bytes of one read."""
ONLY_HTTP = ("accept", "content-type", "content-length")
BETA = {"responses=experimental": "responses_websockets=2026-02-06"}
"""What ChatGPT's backend wants in OpenAI-Beta, over HTTP and over a socket."""


class Socket:
    def __init__(self, key: str) -> None:
        self.key = key
        """The authorization its handshake had."""
        self.busy = True
        self.gone = False
        self.answered = False
        """It has worked once."""
        self.memory: Memory | None = None
        """What the service remembers of it."""
        self.used_at = self._opened_at = trio.current_time()
        self._scope = trio.CancelScope()
        self._put, self._frames = trio.open_memory_channel[bytes](AHEAD)
        self._connection: WebSocketConnection | None = None

    @property
    def age_s(self) -> float:
        return trio.current_time() - self._opened_at

    async def run(self, parts: HttpRequest, task_status: trio.TaskStatus[bool]) -> None:
        """Until it ends, or `close`; started with False when there is no handshake."""
        with self._scope:
            try:
                async with await _stream(parts.url) as stream, trio.open_nursery() as nursery:
                    connection = self._connection = await _shake_hands(nursery, stream, parts)
                    task_status.started(True)
                    while True:
                        message = await connection.get_message()
                        await self._put.send(message.encode() if isinstance(message, str) else message)
            except* _ends():
                pass  # who asks will see what that means
        self.gone = True
        self._put.close()
        if self._connection is None:
            task_status.started(False)

    @property
    def handshake_headers(self) -> dict[str, str]:
        pairs = self._connection.handshake_headers if self._connection else ()
        return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in pairs}

    async def send(self, text: str) -> bool:
        """False when it is closed."""
        from trio_websocket import ConnectionClosed
        from wsproto.utilities import ProtocolError

        if self._connection is None:
            return False
        try:
            await self._connection.send_message(text)
        except (ConnectionClosed, ProtocolError):
            return False
        return True

    async def take(self) -> list[bytes]:
        """All frames that have come; [] when it is closed."""
        try:
            frames = [await self._frames.receive()]
        except trio.EndOfChannel:
            return []
        while True:
            try:
                frames.append(self._frames.receive_nowait())
            except (trio.WouldBlock, trio.EndOfChannel):
                return frames

    def leave(self, *, usable: bool) -> None:
        """The request that was under way is over."""
        self.busy, self.used_at = False, trio.current_time()
        self.answered = self.answered or usable
        if not usable:
            self.close()

    def close(self) -> None:
        """Without a farewell: an answer that still comes is not waited for."""
        self.gone = True
        self._scope.cancel()


def _ends() -> tuple[type[Exception], ...]:
    """What a socket ends with. h11 and ValueError get through the library when a handshake is no handshake."""
    import h11
    from trio_websocket import ConnectionClosed, HandshakeError
    from wsproto.utilities import ProtocolError

    ours = (OSError, trio.BrokenResourceError, trio.TooSlowError)
    return (*ours, ConnectionClosed, HandshakeError, ProtocolError, h11.ProtocolError, ValueError)


class _Watched(trio.abc.Stream):
    """Gives up a handshake in which the other side hangs up: the library would wait for it for ever."""

    def __init__(self, stream: trio.abc.Stream, patience: trio.CancelScope) -> None:
        self._stream = stream
        self._patience = patience

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        try:
            await self._stream.send_all(data)
        except trio.BrokenResourceError:
            self._patience.cancel()
            raise

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        try:
            data = await self._stream.receive_some(max_bytes)
        except trio.BrokenResourceError:
            self._patience.cancel()
            raise
        if not data:
            self._patience.cancel()
        return data

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        self._patience.cancel()
        await self._stream.aclose()


async def _stream(url: str) -> trio.abc.Stream:
    parts = urlsplit(url)
    host, secure = parts.hostname or "", parts.scheme == "https"
    with trio.fail_after(HANDSHAKE_S):
        stream = await trio.open_tcp_stream(host, parts.port or (443 if secure else 80))
    for option in KEEP_ALIVE:
        stream.setsockopt(*option)
    if not secure:
        return stream
    return trio.SSLStream(stream, transport_rules.ssl_context(), server_hostname=host, https_compatible=True)


async def _shake_hands(nursery: trio.Nursery, stream: trio.abc.Stream, parts: HttpRequest) -> "WebSocketConnection":
    from trio_websocket import wrap_client_stream

    url = urlsplit(parts.url)
    with trio.fail_after(HANDSHAKE_S) as patience:
        return await wrap_client_stream(
            nursery,
            _Watched(stream, patience),  # type: ignore[arg-type]  # any stream will do
            url.netloc.rpartition("@")[2],
            f"{url.path}?{url.query}" if url.query else url.path,
            extra_headers=_headers(parts.headers),
            message_queue_size=AHEAD,
            max_message_size=LONGEST_EVENT,
            receive_buffer_size=AT_ONCE,
        )


def _headers(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    kept = {"user-agent": AGENT}
    kept |= {name.lower(): value for name, value in headers.items() if name.lower() not in ONLY_HTTP}
    if beta := kept.get("openai-beta"):
        kept["openai-beta"] = ",".join(BETA.get(one.strip(), one.strip()) for one in beta.split(","))
    return [(name.encode(), value.encode()) for name, value in kept.items()]
