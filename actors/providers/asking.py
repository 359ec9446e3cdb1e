"""One question to a model service: in its turn, try after try, until there is an answer or no point in going on."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import msgspec
import trio

from actors.mailbox import Request
from actors.messages.model import Answer, AskModel, Retrying
from actors.providers import dialects, format_of, waits
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults import Fault, clean
from actors.providers.limiter import Limiter, Line, Turn
from actors.providers.listener import Listener
from actors.providers.retry import PATIENCE_S, Tries
from actors.providers.services import OPENAI
from actors.providers.wire import HttpRequest, Reader, WireFormat

if TYPE_CHECKING:
    from actors.providers.exchange import Client
    from actors.providers.websocket import Sockets

USED_UP = "its rate limit is used up for the moment."
ABSENT = (404, 405, 501)
"""What servers answer that have no Responses API."""
LISTS = ("anthropic-beta", "openai-beta")
"""Headers whose values add up."""


class SignedIn(Protocol):
    """Where an endpoint gets what it needs to be asked."""

    async def signed(self, endpoint: Endpoint) -> Endpoint:
        """Raises Failed."""

    async def renewed(self, endpoint: Endpoint) -> Endpoint | None:
        """After a 401; None when there is nothing new to try. Raises Failed."""


@dataclass(frozen=True)
class Question:
    ask: AskModel
    request: Request
    deliver: Callable[[Answer, Reader], None]
    wire_format: WireFormat | None = None
    """None: the target's."""


class Asking:
    def __init__(self, client: Callable[[], "Client"], sign_ins: SignedIn, nursery: trio.Nursery) -> None:
        """nursery: sockets stay open in it."""
        self._client = client
        self._sign_ins = sign_ins
        self._nursery = nursery
        self._sockets: Sockets | None = None
        self._limiter = Limiter()
        self._chat_only: set[str] = set()
        """Addresses that OPENAI_BASE_URL names and that know Chat Completions only."""

    async def put(self, target: Target, question: Question) -> Fault | None:
        """None when the answer was delivered. Raises Failed when it cannot be signed in."""
        line, tries = self._limiter.line(target.endpoint), Tries()
        renewed, known_s = False, 0.0

        async def show(why: str, wait_s: float) -> None:
            await question.request.send(Retrying(why=f"{target.endpoint.provider}: {why}", wait_s=wait_s))

        while True:
            async with line.turn(question.request.sender, show, known_s) as turn:
                signed = self._as_it_speaks(replace(target, endpoint=await self._sign_ins.signed(target.endpoint)))
                fault = await self._try(signed, question, line, turn)
                if fault is None:
                    return None
                if self._learns(signed, fault):
                    continue
                if fault.status == 401 and not renewed and await self._sign_ins.renewed(signed.endpoint):
                    renewed = True
                    continue
                dice = random.random()  # noqa: S311  # spreads, hides nothing
                wait_s = tries.wait_s(fault, dice, in_a_crowd=turn.in_a_crowd)
                fault = clean(fault, signed.endpoint)
                if wait_s is None:
                    return fault
                known_s = turn.refused(fault.text, wait_s) if fault.slow_down else 0.0
            await show(fault.text, known_s or wait_s)
            if not fault.slow_down:
                await trio.sleep(wait_s)

    async def _try(self, target: Target, question: Question, line: Line, turn: Turn) -> Fault | None:
        wire_format = question.wire_format or format_of(target.api)
        reader = wire_format.reader(target, question.ask)

        def accepted(headers: Mapping[str, str]) -> None:
            turn.accepted()
            wait_s = waits.used_up(headers, time.time())
            if wait_s and wait_s <= PATIENCE_S:
                line.hold(USED_UP, wait_s)

        def deliver(answer: Answer) -> None:
            question.deliver(answer, reader)

        listener = Listener(accepted, question.request.send, deliver)
        parts = with_headers(wire_format.request(target, question.ask), target, question.ask)
        if target.endpoint.websocket:
            conversation = f"{question.ask.session_id} {question.request.sender}"
            outcome = await self.sockets().ask(target.endpoint, parts, reader, listener, conversation)
            if outcome != "refused":
                return outcome
        return await self._client().ask(target.endpoint, parts, reader, listener)

    def sockets(self) -> "Sockets":
        if self._sockets is None:
            from actors.providers.websocket import Sockets

            self._sockets = Sockets(self._nursery)
        return self._sockets

    def _learns(self, target: Target, fault: Fault) -> bool:
        """Does the server behind OPENAI_BASE_URL know Chat Completions only? Most that are compatible do."""
        endpoint = target.endpoint
        moved = endpoint.provider == OPENAI.name and endpoint.base_url != OPENAI.base_url
        if target.api != "openai-responses" or not moved or fault.code != "unreachable" or fault.status not in ABSENT:
            return False
        self._chat_only.add(endpoint.base_url)
        return True

    def _as_it_speaks(self, target: Target) -> Target:
        if target.endpoint.base_url not in self._chat_only:
            return target
        endpoint = replace(target.endpoint, api="openai-chat", dialect="", websocket=False)
        return replace(target, endpoint=endpoint, facts=msgspec.structs.replace(target.facts, api=None))


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
