"""Sending one HTTP request, on a connection that is kept, directly or through a proxy of the environment."""

import base64
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, quote, unquote, urlsplit

import msgspec
import trio

from actors.providers.faults.fault import ServiceFailed
from actors.providers.http import proxies, transport_rules
from actors.providers.http.connections import CONNECT_S, Network
from actors.providers.http.httpcore_library import httpcore
from actors.providers.services.addresses import NO_URL
from actors.version import AGENT

KEEP_S = 120.0
"""A connection stays open between two requests of a turn, so that tools may take their time."""
SAFE = "!$%&'()*+,/:;=?@~"
"""Beside letters, digits and `-._`: what may stand in a path or query as it is (RFC 3986)."""
OWN_HEADERS = {"accept": "*/*", "accept-encoding": "gzip", "user-agent": AGENT}
Trace = Callable[[str, object], Awaitable[None]]
"""Called by httpcore: https://www.encode.io/httpcore/extensions/#trace."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    url: str
    headers: Mapping[str, str] = {}
    content: bytes | None = None
    """With some it is a POST."""
    idle_s: float | None = 5.0
    """How long nothing may come or go; None: for ever."""


class Response(msgspec.Struct, frozen=True):
    """`aclose` it, whatever has been read."""

    status: int
    headers: Mapping[str, str]
    """Lower case; the values of one name in one, with commas between."""
    inner: httpcore.Response

    @property
    def encoding(self) -> str:
        return self.headers.get("content-encoding", "identity").strip().lower()

    async def read(self, take: Callable[[bytes], Awaitable[None]]) -> None:
        """Hand over what comes, packed where it is, until the end, or until take raises ServiceFailed.

        Raises that, and httpcore's errors.
        """
        refused: ServiceFailed | None = None
        with trio.CancelScope() as reading:
            async for piece in self.inner.aiter_stream():
                if refused is not None:
                    continue
                try:
                    await take(piece)
                except ServiceFailed as error:
                    refused = error
                    reading.cancel()  # to leave the loop would leave httpcore's generators open
        if refused is not None:
            raise refused

    async def aclose(self) -> None:
        await self.inner.aclose()


class Address(NamedTuple):
    parts: SplitResult
    host: str
    """As it is sent: ASCII."""

    @property
    def secure(self) -> bool:
        return self.parts.scheme == "https"

    @property
    def port(self) -> int:
        return self.parts.port or (443 if self.secure else 80)


def address(url: str) -> Address:
    """Raises ServiceFailed."""
    try:
        parts = urlsplit(url)
        found = Address(parts, _ascii(parts.hostname or ""))
        usable = parts.scheme in ("http", "https") and found.host and found.port
    except ValueError as error:
        raise ServiceFailed(NO_URL) from error
    if not usable:
        raise ServiceFailed(NO_URL)
    return found


class Pools:
    """Made when first needed: CA certificates are loaded only for https."""

    def __init__(self) -> None:
        self._network = Network()
        self._pools: dict[tuple[bool, str], httpcore.AsyncConnectionPool] = {}

    def prepare(self, url: str) -> None:
        """What the first request there needs and costs time. Raises ServiceFailed."""
        self._pool(address(url))

    async def open(self, url: str) -> None:
        """A connection for the first request where no proxy is; nothing is sent on it. Raises ServiceFailed."""
        to = address(url)
        if not proxies.url_of(url):
            await self._network.open(to.host, to.port, transport_rules.ssl_context() if to.secure else None)

    async def send(self, call: Call, trace: Trace | None = None) -> Response:
        """Raises ServiceFailed and httpcore's errors (`network_faults.ERRORS`)."""
        to = address(call.url)
        connecting_s = CONNECT_S if call.idle_s is None else min(call.idle_s, CONNECT_S)
        timeout = {"connect": connecting_s, "read": call.idle_s, "write": call.idle_s, "pool": None}
        request = httpcore.Request(
            b"GET" if call.content is None else b"POST",
            _target(to),
            headers=_headers(to, call),
            content=call.content,
            extensions={"timeout": timeout} | ({"trace": trace} if trace else {}),
        )
        inner = await self._pool(to).handle_async_request(request)
        return Response(inner.status, _read(inner.headers), inner)

    def _pool(self, to: Address) -> httpcore.AsyncConnectionPool:
        through = proxies.url_of(to.parts.geturl())
        if (to.secure, through) not in self._pools:
            self._pools[to.secure, through] = _new_pool(through, self._network, secure=to.secure)
        return self._pools[to.secure, through]

    async def aclose(self) -> None:
        for pool in self._pools.values():
            await pool.aclose()
        await self._network.aclose()


def _new_pool(through: str, network: Network, *, secure: bool) -> httpcore.AsyncConnectionPool:
    return httpcore.AsyncConnectionPool(
        ssl_context=transport_rules.ssl_context() if secure else None,
        proxy=proxies.proxy(through) if through else None,
        max_connections=None,
        keepalive_expiry=KEEP_S,
        network_backend=network,
    )


def _ascii(host: str) -> str:
    """Raises UnicodeError."""
    if host.isascii():
        return host
    import idna

    return idna.encode(host).decode()


def _target(to: Address) -> httpcore.URL:
    path, query = quote(to.parts.path or "/", SAFE), quote(to.parts.query, SAFE)
    target = f"{path}?{query}" if query else path
    return httpcore.URL(scheme=to.parts.scheme, host=to.host, port=to.parts.port, target=target)


def _headers(to: Address, call: Call) -> list[tuple[bytes, bytes]]:
    host = f"[{to.host}]" if ":" in to.host else to.host
    usual = to.port == (443 if to.secure else 80)
    headers = {"host": host if usual else f"{host}:{to.port}", **OWN_HEADERS}
    headers |= {name.lower(): value for name, value in call.headers.items()}
    if call.content is not None:
        headers["content-length"] = str(len(call.content))
    if to.parts.username or to.parts.password:  # in the address, as for browsers and curl
        names = f"{unquote(to.parts.username or '')}:{unquote(to.parts.password or '')}"
        headers["authorization"] = f"Basic {base64.b64encode(names.encode()).decode()}"
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def _read(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    read: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        read[name] = f"{read[name]}, {value}" if name in read else value
    return read
