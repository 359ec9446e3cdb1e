"""Asking a model service over HTTP. Importing it loads httpcore: 0.04 s."""

import math
import time
from contextlib import suppress
from functools import partial

import trio

from actors.providers.endpoint import Endpoint
from actors.providers.faults.fault import NESTED, Fault, ServiceFailed, named, of_response
from actors.providers.formats.sse import SILENCE_S
from actors.providers.formats.wire_format import HttpRequest, Reader
from actors.providers.http import network_faults, response_body, transport_rules
from actors.providers.http.answer_listener import Listener
from actors.providers.http.pools import Call, Pools, Response

AT_HAND_S = 0.005
"""The end of a finished response mostly comes with its last event: for so long the answer waits for it, so that what is
asked next finds the connection free."""
LINGER_S = 1.0
"""How long that end may take at all; after it the connection can be used again."""
ERROR_S = 5.0
"""How long the words of a refusal may take; its status is known already."""
LONGEST_BODY = 64 * 1024
"""Bytes of a body that is no answer."""


class Client:
    def __init__(self) -> None:
        self.pools = Pools()

    async def aclose(self) -> None:
        await self.pools.aclose()

    async def open(self, endpoint: Endpoint) -> None:
        """A connection for the first request, if it can be had; why it cannot is said to whoever asks."""
        with suppress(ServiceFailed):
            transport_rules.check(endpoint, endpoint.base_url)
            await self.pools.open(endpoint.base_url)

    async def ask(self, endpoint: Endpoint, parts: HttpRequest, reader: Reader, listener: Listener) -> Fault | None:
        """One try: deltas are sent and the answer delivered, or the fault is returned."""
        idle_s, silence_s = (None, math.inf) if endpoint.patient else (endpoint.idle_timeout_s, SILENCE_S)
        call = Call(url=parts.url, headers=parts.headers, content=parts.body, idle_s=idle_s)
        try:
            transport_rules.check(endpoint, parts.url)
            response = await self.pools.send(call, partial(_traced, listener.asked))
        except network_faults.ERRORS as error:
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


async def _receive(
    arriving: response_body.Body, response: Response, reader: Reader, listener: Listener
) -> Fault | None:
    fault: Fault | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(arriving.pump)
        try:
            if response.status == 200:
                listener.accepted(response.headers)
                answer = await response_body.answer(arriving, reader, listener.send)
                await _read_on(arriving, AT_HAND_S)
                listener.deliver(answer)
                await _read_on(arriving, LINGER_S)
            else:
                fault = await _refusal(response, arriving)
        except ServiceFailed as error:
            fault = error.fault
        except RecursionError:
            fault = NESTED
        nursery.cancel_scope.cancel()
    return fault


async def _read_on(arriving: response_body.Body, for_s: float) -> None:
    with trio.move_on_after(for_s), suppress(ServiceFailed):
        await arriving.rest(LONGEST_BODY)


async def _refusal(response: Response, arriving: response_body.Body) -> Fault:
    words = b""
    with trio.move_on_after(ERROR_S), suppress(ServiceFailed):
        while len(words) < LONGEST_BODY and (piece := await arriving.take()):
            words += piece
    return of_response(response.status, response.headers, words[:LONGEST_BODY], time.time())
