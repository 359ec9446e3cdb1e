"""One request to a model service: in its turn, try after try, until there is an answer or no point in going on."""

import random
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec
import trio
from msgspec.structs import replace

from actors.mailbox import Request
from actors.messages.conversation import BrokenTry
from actors.messages.model import Answer, AskModel, Retrying
from actors.messages.usage import Usage
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults import retry_after
from actors.providers.faults.backoff import Patience
from actors.providers.faults.fault import Fault, Passing, ServiceFailed, clean
from actors.providers.formats.table import format_of
from actors.providers.formats.wire_format import Delta, HttpRequest, Reader, WireFormat
from actors.providers.http.answer_listener import Listener
from actors.providers.requests.limiter import Limiter, Line, Turn
from actors.providers.requests.server_quirks import Learned
from actors.providers.services import dialects
from actors.providers.services.addresses import is_here

if TYPE_CHECKING:
    from actors.providers.http.exchange import Client
    from actors.providers.http.responses_socket import Sockets

ASIDE_S = 30.0
"""For what nobody waits for."""
BUSY = "others wait for it."
TOO_LONG = f"it took longer than {ASIDE_S:g} s."
USED_UP = "its rate limit is used up for the moment."
MOST_HELD_S = 1.0
"""What headers say of a limit holds nobody longer: the service refuses itself where it means it."""
QUEUED_S = 5.0
QUEUED = "queued, or still reading the prompt: nothing has come yet."
"""Of a server of this machine: while the connection stands it is not dead."""
Accepted = Callable[[Mapping[str, str]], None]
"""With the headers, once the service has begun to answer."""
LISTS = ("anthropic-beta", "openai-beta")
"""Headers whose values add up."""


class SignIns(Protocol):
    """Where an endpoint gets what it needs to be asked."""

    async def signed(self, endpoint: Endpoint) -> Endpoint:
        """Raises Failed; Passing when it is worth waiting."""

    async def renewed(self, endpoint: Endpoint) -> Endpoint | None:
        """After a 401; None when there is nothing new to try. Raises as `signed` does."""


class ServiceRequest(msgspec.Struct, frozen=True):
    ask: AskModel
    request: Request
    deliver: Callable[[Answer, Reader], None]
    retry_for_s: float
    """Patience with an outage."""
    wire_format: WireFormat | None = None
    """None: the target's."""
    priced: Callable[[Usage, Reader], Usage] | None = None
    """With its cost: what a try used that broke off. None: nobody asks."""


class Tries:
    def __init__(
        self,
        client: Callable[[], "Client"],
        sign_ins: SignIns,
        nursery: trio.Nursery,
        note: Callable[[Target, Fault], None],
    ) -> None:
        """nursery: sockets stay open in it. note: of each try that failed."""
        self._client = client
        self._sign_ins = sign_ins
        self._nursery = nursery
        self._note = note
        self._sockets: Sockets | None = None
        self._limiter = Limiter()
        self._learned = Learned()

    async def put(self, target: Target, wanted: ServiceRequest) -> Fault | None:
        """None when the answer was delivered. Raises Failed when it cannot be signed in."""
        line = self._limiter.line(target.endpoint)
        try:
            return await (self._aside if wanted.ask.aside else self._put)(target, wanted, line)
        except ServiceFailed as given_up:
            return given_up.fault

    async def _aside(self, target: Target, wanted: ServiceRequest, line: Line) -> Fault | None:
        """Once, and beside the line: so nobody is held up by it. Raises as `_put`."""
        if line.is_busy:
            return Fault("overloaded", BUSY, again="never")
        signed = self._learned.as_it_speaks(
            msgspec.structs.replace(target, endpoint=await self._sign_ins.signed(target.endpoint))
        )
        fault = await self._try(signed, wanted, lambda _headers: None)
        if fault is not None:
            fault = clean(fault, signed.endpoint)
            self._note(signed, fault)
        return fault

    async def _put(self, target: Target, wanted: ServiceRequest, line: Line) -> Fault | None:
        """Raises Failed, and ServiceFailed when patience ends in the line."""
        patience, renewed = Patience(wanted.retry_for_s, is_here(target.endpoint.base_url)), False
        known_s: float | None = None
        signed = target

        async def show(why: str, wait_s: float, failed: bool = False) -> None:
            why = f"{target.endpoint.provider}: {why}"
            await wanted.request.send(Retrying(why=why, wait_s=wait_s, failed=failed))

        while True:
            async with line.turn(wanted.request.sender, show, patience, known_s or 0.0) as turn:
                try:
                    signed = msgspec.structs.replace(target, endpoint=await self._sign_ins.signed(target.endpoint))
                    signed = self._learned.as_it_speaks(signed)
                    fault = await self._try(signed, wanted, partial(_accepted, line, turn))
                    if fault is None:
                        return None
                    self._note(signed, clean(fault, signed.endpoint))
                    if not wanted.ask.sum_up and self._learned.of(signed, fault):
                        continue
                    if fault.status == 401 and not renewed and await self._sign_ins.renewed(signed.endpoint):
                        renewed = True
                        continue
                except Passing as failure:
                    fault = failure.fault  # who gives the tokens is down
                dice = random.random()  # noqa: S311  # spreads, hides nothing
                wait_s = patience.wait_s(fault, trio.current_time(), dice, line.in_a_row)
                fault = clean(fault, signed.endpoint)
                if wait_s is None:
                    return fault
                known_s = turn.failed(fault, wait_s)
            await show(fault.text, wait_s if known_s is None else known_s, failed=True)
            if known_s is None:
                await trio.sleep(wait_s)

    async def _try(self, target: Target, wanted: ServiceRequest, accepted: Accepted) -> Fault | None:
        wire_format = wanted.wire_format or format_of(target.api)
        reader = wire_format.reader(target, wanted.ask)

        def deliver(answer: Answer) -> None:
            wanted.deliver(answer, reader)

        listener = Listener(accepted, wanted.request.send, deliver)
        parts = with_headers(wire_format.request(target, wanted.ask), target, wanted.ask)
        outcome: Fault | Literal["refused"] | None = "refused"
        if wanted.ask.aside:
            outcome = await _asked_aside(target.endpoint, parts, reader, listener)
        elif target.endpoint.websocket and not wanted.ask.sum_up:
            conversation = f"{wanted.ask.session_id} {wanted.request.sender}"
            outcome = await self.sockets().ask(target.endpoint, parts, reader, listener, conversation)
        if outcome == "refused":
            ask = self._patiently if target.endpoint.patient else self._client().ask
            outcome = await ask(target.endpoint, parts, reader, listener)
        if outcome is not None and wanted.priced and (used := reader.counted_so_far()) is not None:
            await wanted.request.send(BrokenTry(usage=wanted.priced(used, reader)))
        return outcome

    async def _patiently(
        self, endpoint: Endpoint, parts: HttpRequest, reader: Reader, listener: Listener
    ) -> Fault | None:
        """As the client asks; whoever waits is told when nothing has come for a while on a connection that stands."""
        begun, fault = trio.Event(), None

        async def send(delta: Delta) -> None:
            begun.set()
            await listener.send(delta)

        async def watch() -> None:
            await listener.asked.wait()
            with trio.move_on_after(QUEUED_S):
                await begun.wait()
                return
            await listener.send(Retrying(why=f"{endpoint.provider}: {QUEUED}", wait_s=0.0, again=False))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            fault = await self._client().ask(endpoint, parts, reader, msgspec.structs.replace(listener, send=send))
            nursery.cancel_scope.cancel()
        return fault

    def sockets(self) -> "Sockets":
        if self._sockets is None:
            from actors.providers.http.responses_socket import Sockets

            self._sockets = Sockets(self._nursery)
        return self._sockets


async def _asked_aside(endpoint: Endpoint, parts: HttpRequest, reader: Reader, listener: Listener) -> Fault | None:
    """On a connection of its own: else the next request of a turn could find none that is open."""
    from actors.providers.http.exchange import Client

    client = Client()
    try:
        with trio.move_on_after(ASIDE_S):
            return await client.ask(endpoint, parts, reader, listener)
    finally:
        with trio.CancelScope(shield=True):
            await client.aclose()
    return Fault("stalled", TOO_LONG, again="never")


def _accepted(line: Line, turn: Turn, headers: Mapping[str, str]) -> None:
    turn.accepted()
    if wait_s := retry_after.used_up(headers, time.time()):
        line.hold(USED_UP, min(wait_s, MOST_HELD_S))


def with_headers(parts: HttpRequest, target: Target, ask: AskModel) -> HttpRequest:
    """With what the service's dialect wants, and what the user does: the last one counts."""
    headers = {name.lower(): value for name, value in parts.headers.items()}
    for added in (dialects.headers(target, ask), target.endpoint.headers):
        for name, value in added.items():
            name = name.lower()
            before = headers.get(name)
            headers[name] = _joined(before, value) if before and name in LISTS else value
    return replace(parts, headers=headers)


def _joined(*lists: str) -> str:
    return ",".join(dict.fromkeys(value.strip() for values in lists for value in values.split(",")))
