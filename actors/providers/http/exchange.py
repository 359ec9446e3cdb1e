"""HTTP with a model service, the only I/O of the providers. Importing it loads httpx: 0.1 s."""

import math
import ssl
import time
from contextlib import suppress
from functools import partial
from urllib.parse import urlsplit

import trio

from actors.providers.endpoint import Endpoint
from actors.providers.faults.fault import NESTED, Fault, ServiceFailed, named, of_response
from actors.providers.formats.sse import SILENCE_S
from actors.providers.formats.wire_format import HttpRequest, Reader
from actors.providers.http import network_faults, response_body, transport_rules
from actors.providers.http.answer_listener import Listener
from actors.providers.http.connections import CONNECT_S, Network
from actors.providers.http.httpx_library import httpx
from actors.providers.services.addresses import is_here
from actors.version import AGENT

LINGER_S = 1.0
"""How long the end of a finished response may take; after it the connection can be used again."""
ERROR_S = 5.0
"""How long the words of a refusal may take; its status is known already."""
KEEP_S = 120.0
"""A connection stays open between two requests of a turn, so that tools may take their time."""
LONGEST_BODY = 64 * 1024
"""Bytes of a body that is no answer."""


class Client:
    """Connection pools, made when first needed: CA certificates are loaded only for https."""

    def __init__(self) -> None:
        self._pools: dict[tuple[bool, bool], httpx.AsyncClient] = {}
        self._network = Network()

    def pool(self, url: str) -> httpx.AsyncClient:
        """Raises ServiceFailed for no URL, and when the environment's proxy or certificates cannot be used."""
        here, secure = is_here(url), url.startswith("https:")
        if (secure, here) not in self._pools:
            self._pools[secure, here] = _new_pool(secure, here, self._network)
        return self._pools[secure, here]

    async def aclose(self) -> None:
        for pool in self._pools.values():
            await pool.aclose()
        await self._network.aclose()

    async def open(self, endpoint: Endpoint) -> None:
        """A connection for the first request, if it can be had directly; nothing is sent on it."""
        try:
            transport_rules.check(endpoint, endpoint.base_url)
            pool = self.pool(endpoint.base_url)
            if pool._transport_for_url(httpx.URL(endpoint.base_url)) is not pool._transport:
                return  # a proxy of the environment stands between
            context = transport_rules.ssl_context() if endpoint.base_url.startswith("https:") else None
        except (httpx.InvalidURL, ServiceFailed):
            return  # said to whoever asks
        parts = urlsplit(endpoint.base_url)
        await self._network.open(parts.hostname or "", parts.port or (443 if context else 80), context)

    async def ask(self, endpoint: Endpoint, parts: HttpRequest, reader: Reader, listener: Listener) -> Fault | None:
        """One try: deltas are sent and the answer delivered, or the fault is returned."""
        idle_s, silence_s = (None, math.inf) if endpoint.patient else (endpoint.idle_timeout_s, SILENCE_S)
        timeout = httpx.Timeout(idle_s, connect=CONNECT_S, pool=None)
        try:
            transport_rules.check(endpoint, parts.url)
            pool = self.pool(parts.url)
            request = pool.build_request("POST", parts.url, headers=parts.headers, content=parts.body, timeout=timeout)
            request.extensions["trace"] = partial(_traced, listener.asked)
            response = await pool.send(request, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return network_faults.of(error)
        except ServiceFailed as error:
            return error.fault
        try:
            fault = await _receive(response_body.Body(response, silence_s), response, reader, listener)
            return named(fault, response.headers)
        finally:
            await response.aclose()


async def _traced(asked: trio.Event, what: str, _: object) -> None:
    """By httpcore: https://www.encode.io/httpcore/extensions/#trace."""
    if what == "http11.send_request_headers.started":
        asked.set()


def _new_pool(secure: bool, here: bool, network: Network) -> httpx.AsyncClient:
    try:
        pool = httpx.AsyncClient(
            verify=transport_rules.ssl_context() if secure or not here else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            headers={"user-agent": AGENT},
            trust_env=not here,  # a proxy cannot reach this machine's own servers
            limits=httpx.Limits(max_connections=None, keepalive_expiry=KEEP_S),
        )
    except ImportError as error:
        why = "the environment names a SOCKS proxy, for which the package socksio is missing."
        raise ServiceFailed(Fault("bad_configuration", why, hint="Install it, or unset ALL_PROXY.")) from error
    except ValueError as error:
        why = "the proxy that HTTP_PROXY, HTTPS_PROXY or ALL_PROXY names is not a URL."
        raise ServiceFailed(Fault("bad_configuration", why, hint="Correct or unset it.")) from error
    # httpx hands no network on to its transports, and takes none of ours beside the environment's proxies
    for transport in filter(None, (pool._transport, *pool._mounts.values())):
        transport._pool._network_backend = network  # type: ignore[attr-defined]
    return pool


async def _receive(
    arriving: response_body.Body, response: httpx.Response, reader: Reader, listener: Listener
) -> Fault | None:
    fault: Fault | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(arriving.pump)
        try:
            if response.status_code == 200:
                listener.accepted(response.headers)
                listener.deliver(await response_body.answer(arriving, reader, listener.send))
                with trio.move_on_after(LINGER_S), suppress(ServiceFailed):
                    await arriving.rest(LONGEST_BODY)
            else:
                fault = await _refusal(response, arriving)
        except ServiceFailed as error:
            fault = error.fault
        except RecursionError:
            fault = NESTED
        nursery.cancel_scope.cancel()
    return fault


async def _refusal(response: httpx.Response, arriving: response_body.Body) -> Fault:
    words = b""
    with trio.move_on_after(ERROR_S), suppress(ServiceFailed):
        while len(words) < LONGEST_BODY and (piece := await arriving.take()):
            words += piece
    return of_response(response.status_code, response.headers, words[:LONGEST_BODY], time.time())
