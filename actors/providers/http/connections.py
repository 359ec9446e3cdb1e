"""Connections that are opened before they are needed: the first request finds its TCP and TLS done."""

import select
import socket
import ssl
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

import trio

from actors.providers.http.httpcore_library import httpcore
from actors.providers.http.tls_handshake import secured
from actors.providers.services.addresses import is_own

CONNECT_S = 10.0
IDLE_S, EACH_S, PROBES = 30, 10, 6
"""A connection on which nothing comes is asked for a sign of life after so long, so often: whatever stands in between
does not forget it while a model thinks, and one whose other side is gone is broken after 90 s.
"""
FRESH_S = 50.0
"""Services close a connection on which nothing is asked, many after a minute."""
Option = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
KEEP_ALIVE = (
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    (socket.IPPROTO_TCP, getattr(socket, "TCP_KEEPIDLE", 0x10), IDLE_S),  # 0x10: what macOS calls TCP_KEEPALIVE
    (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, EACH_S),
    (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, PROBES),
)


class _Opened(NamedTuple):
    stream: "_Stream"
    at: float


class Network(httpcore.AsyncNetworkBackend):
    """httpcore's own network, with a shelf for one opened connection a place."""

    def __init__(self) -> None:
        self._network = httpcore.TrioBackend()
        self._opened: dict[tuple[str, int], _Opened] = {}
        self._opening: dict[tuple[str, int], trio.Event] = {}

    async def open(self, host: str, port: int, context: ssl.SSLContext | None) -> None:
        """A connection nobody has asked for yet; when it cannot be had, whoever needs it will hear why."""
        done = self._opening[host, port] = trio.Event()
        try:
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout, ssl.SSLError):
                plain = await self._network.connect_tcp(host, port, timeout=CONNECT_S, socket_options=KEEP_ALIVE)
                secure = await _secured(plain, context, host) if context else None
                self._opened[host, port] = _Opened(_Stream(plain, host, secure), trio.current_time())
        finally:
            del self._opening[host, port]
            done.set()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Option] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        if (opening := self._opening.get((host, port))) is not None:
            await opening.wait()
        if opened := self._opened.pop((host, port), None):
            if trio.current_time() - opened.at < FRESH_S and not opened.stream.hung_up():
                return opened.stream
            await opened.stream.aclose()
        options = (*KEEP_ALIVE, *(socket_options or ()))
        plain = await self._network.connect_tcp(host, port, timeout, local_address, options)
        return _Stream(plain, host, None)

    async def sleep(self, seconds: float) -> None:
        await trio.sleep(seconds)

    async def aclose(self) -> None:
        for opened in self._opened.values():
            await opened.stream.aclose()
        self._opened.clear()


async def _secured(
    plain: httpcore.AsyncNetworkStream, context: ssl.SSLContext, host: str
) -> httpcore.AsyncNetworkStream:
    context.set_alpn_protocols(["http/1.1"])
    return await secured(plain, context, host, CONNECT_S, here=is_own(host))


class _Stream(httpcore.AsyncNetworkStream):
    """Plain; or already secured, which shows when httpcore wants it to be."""

    def __init__(
        self, plain: httpcore.AsyncNetworkStream, host: str, secure: httpcore.AsyncNetworkStream | None
    ) -> None:
        """host: the connection's, which is that of a proxy where there is one."""
        self._plain, self._host, self._secure = plain, host, secure

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109  # httpcore's signature
    ) -> httpcore.AsyncNetworkStream:
        if self._secure is not None:
            return self._secure
        if server_hostname != self._host:
            return await self._plain.start_tls(ssl_context, server_hostname, timeout)
        return await secured(self._plain, ssl_context, self._host, timeout, here=is_own(self._host))

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        return await self._plain.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        await self._plain.write(buffer, timeout)

    async def aclose(self) -> None:
        await (self._secure or self._plain).aclose()

    def get_extra_info(self, info: str) -> object:
        return self._plain.get_extra_info(info)

    def hung_up(self) -> bool:
        """Readable says nothing: TLS sends tickets unasked."""
        wanted = getattr(select, "POLLRDHUP", select.POLLHUP)
        poll = select.poll()
        connection: socket.socket = self._plain.get_extra_info("socket")
        poll.register(connection.fileno(), wanted)
        return bool(poll.poll(0))
