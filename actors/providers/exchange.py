"""HTTP with a model service, the only I/O of the providers. Importing it loads httpx: 0.1 s."""

import ipaddress
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

import msgspec
import trio

from actors.messages.model import Answer, TextDelta, ThinkingDelta
from actors.providers import BY_API
from actors.providers.endpoint import Endpoint
from actors.providers.faults import TRIES, Fault, ServiceFailed, broken, of_event, of_response
from actors.providers.library import httpx
from actors.providers.sse import Parser
from actors.providers.wire import Delta, HttpRequest, Reader

CONNECT_S = 10.0
LINGER_S = 1.0
"""How long the end of a finished response may take; after it the connection can be used again."""
KEEP_S = 120.0
"""A connection stays open between two requests of a turn, so that tools may take their time."""
AHEAD = 256
"""Reads that may wait for a slow asker before the service is slowed down."""
LONGEST_BODY = 64 * 1024
"""Bytes of a body that is no event stream: an error, or something that should not be there."""
NO_URL = Fault("unreachable", "its base_url is not a URL.", hint="Write http://HOST:PORT/v1 or https://HOST.")


class Client:
    """Connection pools, made when first needed: CA certificates are loaded only for https."""

    def __init__(self) -> None:
        self._pools: dict[tuple[bool, bool], httpx.AsyncClient] = {}

    def pool(self, url: str) -> httpx.AsyncClient:
        """Raises ServiceFailed for no URL, and when the environment's proxy or certificates cannot be used."""
        kind = (url.startswith("https:"), _is_here(url))
        if kind not in self._pools:
            self._pools[kind] = _new_pool(*kind)
        return self._pools[kind]

    async def aclose(self) -> None:
        for pool in self._pools.values():
            await pool.aclose()

    async def ask(
        self,
        endpoint: Endpoint,
        parts: HttpRequest,
        reader: Reader,
        send: Callable[[Delta], Awaitable[None]],
        deliver: Callable[[Answer], None],
    ) -> Fault | None:
        """One try: deltas are sent and the answer delivered, or the fault is returned."""
        timeout = httpx.Timeout(endpoint.idle_timeout_s, connect=CONNECT_S, pool=None)
        try:
            pool = self.pool(parts.url)
            request = pool.build_request("POST", parts.url, headers=parts.headers, content=parts.body, timeout=timeout)
            response = await pool.send(request, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return _fault_of(error)
        except ServiceFailed as error:
            return error.fault
        try:
            return await _receive(response, reader, send, deliver)
        finally:
            await response.aclose()

    async def models(self, endpoint: Endpoint, within_s: float) -> list[str]:
        """What the service offers; [] when it does not say in time."""
        parts = BY_API[endpoint.api].list_models(endpoint)
        with trio.move_on_after(within_s):
            try:
                answer = await self.pool(parts.url).get(parts.url, headers=parts.headers, timeout=within_s)
                listed = msgspec.json.decode(answer.content, type=_Models)
            except (httpx.HTTPError, httpx.InvalidURL, ServiceFailed, msgspec.DecodeError, UnicodeDecodeError):
                return []
            return [model.id for model in listed.data]
        return []


def _new_pool(secure: bool, here: bool) -> httpx.AsyncClient:
    try:
        return httpx.AsyncClient(
            verify=True if secure or not here else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            trust_env=not here,  # a proxy cannot reach this machine's own servers
            limits=httpx.Limits(max_connections=None, keepalive_expiry=KEEP_S),
        )
    except ImportError as error:
        why = "the environment names a SOCKS proxy, for which the package socksio is missing."
        raise ServiceFailed(Fault("bad_configuration", why, hint="Install it, or unset ALL_PROXY.")) from error
    except OSError as error:
        why = "the certificates that SSL_CERT_FILE or SSL_CERT_DIR name cannot be loaded."
        raise ServiceFailed(Fault("bad_configuration", why, hint="Correct or unset them.")) from error
    except ValueError as error:
        why = "the proxy that HTTP_PROXY, HTTPS_PROXY or ALL_PROXY names is not a URL."
        raise ServiceFailed(Fault("bad_configuration", why, hint="Correct or unset it.")) from error


class _Model(msgspec.Struct):
    id: str


class _Models(msgspec.Struct):
    data: list[_Model]


class _Body:
    """The bytes of a response; reading goes on while the asker is busy with the last ones."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._put, self._arrived = trio.open_memory_channel[bytes](AHEAD)
        self._fault: Fault | None = None

    async def pump(self) -> None:
        with self._put:
            try:
                async for piece in self._response.aiter_bytes():
                    try:
                        self._put.send_nowait(piece)  # does not yield: what one read brought stays together
                    except trio.WouldBlock:
                        await self._put.send(piece)
            except httpx.HTTPError as error:
                self._fault = _fault_of(error)

    async def take(self) -> bytes:
        """All that has come, b"" at the end. Raises ServiceFailed."""
        try:
            pieces = [await self._arrived.receive()]
        except trio.EndOfChannel:
            if self._fault is not None:
                raise ServiceFailed(self._fault) from None
            return b""
        while True:
            try:
                pieces.append(self._arrived.receive_nowait())
            except (trio.WouldBlock, trio.EndOfChannel):
                return b"".join(pieces)


async def _receive(
    response: httpx.Response,
    reader: Reader,
    send: Callable[[Delta], Awaitable[None]],
    deliver: Callable[[Answer], None],
) -> Fault | None:
    body = _Body(response)
    fault: Fault | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(body.pump)
        try:
            if response.status_code == 200 and _is_stream(response):
                deliver(await _read_stream(body, reader, send))
                with trio.move_on_after(LINGER_S), suppress(ServiceFailed):
                    await _rest(body, LONGEST_BODY)
            else:
                fault = _refusal(response, await _rest(body, LONGEST_BODY))
        except ServiceFailed as error:
            fault = error.fault
        nursery.cancel_scope.cancel()
    return fault


async def _read_stream(body: _Body, reader: Reader, send: Callable[[Delta], Awaitable[None]]) -> Answer:
    parser = Parser()
    more = True
    while more and not reader.ended:
        data = await body.take()
        more = bool(data)
        events = parser.feed(data) if data else parser.finish()
        for delta in _merged(delta for event in events for delta in reader.read(event)):
            await send(delta)
    return reader.finish()


async def _rest(body: _Body, most: int) -> bytes:
    data = b""
    while len(data) < most and (piece := await body.take()):
        data += piece
    return data[:most]


def _merged(deltas: Iterator[Delta]) -> Iterator[Delta]:
    """One delta for neighbours of one kind: a screen or a log is not interested in tokens."""
    texts: list[str] = []
    kind: type[TextDelta] | type[ThinkingDelta] = TextDelta
    for delta in deltas:
        if not isinstance(delta, kind) and texts:
            yield kind(text="".join(texts))
            texts.clear()
        if isinstance(delta, TextDelta | ThinkingDelta):
            kind = type(delta)
            texts.append(delta.text)
        else:
            yield delta
    if texts:
        yield kind(text="".join(texts))


def _is_stream(response: httpx.Response) -> bool:
    kind: str = response.headers.get("content-type", "text/event-stream")
    return kind.startswith("text/event-stream")


def _refusal(response: httpx.Response, body: bytes) -> Fault:
    if response.status_code != 200:
        return of_response(response.status_code, response.headers, body, time.time())
    if body.lstrip().startswith(b'{"error"'):
        return of_event(body)  # some services answer so to a request they refuse
    kind = response.headers.get("content-type")
    return Fault("bad_stream", f"it answered with {kind} where an event stream was asked for.")


def _fault_of(error: httpx.HTTPError | httpx.InvalidURL) -> Fault:
    match error:
        case httpx.ReadTimeout() | httpx.WriteTimeout():
            return Fault("stalled", "nothing came for so long that the connection counts as dead.", tries=2)
        case httpx.InvalidURL() | httpx.UnsupportedProtocol():
            return NO_URL
        case httpx.ConnectTimeout():
            return Fault("unreachable", "connecting took too long.", tries=TRIES)
        case httpx.ConnectError() | httpx.ProxyError():
            return _unreachable(error)
        case httpx.LocalProtocolError():
            return Fault("bad_request", "the request cannot be written as HTTP.")  # its words may hold a header
        case httpx.RemoteProtocolError() | httpx.NetworkError():
            return broken("the connection broke, or what came is not HTTP.")
        case _:
            return broken(f"{type(error).__name__}.")


def _unreachable(error: BaseException) -> Fault:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLError):
            why = f"no trusted connection: {cause.reason or cause}."
            return Fault("unreachable", why, hint="Is it an authority of your own? Name it in SSL_CERT_FILE.")
        if isinstance(cause, socket.gaierror):
            return Fault("unreachable", "no machine of that name is known.", tries=TRIES)
        if isinstance(cause, ConnectionRefusedError):
            return Fault("unreachable", "the connection was refused.", tries=TRIES)
    return Fault("unreachable", f"no connection: {error}.", tries=TRIES)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for inner in error.exceptions:
                yield from _causes(inner)
        error = error.__cause__ or error.__context__


def _is_here(url: str) -> bool:
    """Does the URL name this machine? Raises ServiceFailed when it is none."""
    try:
        host = httpx.URL(url).host
    except (httpx.InvalidURL, UnicodeError) as error:
        raise ServiceFailed(NO_URL) from error
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
