"""From a question to an answer: which model, one try after the other, what it costs, what the user is told."""

import random
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
import trio

from actors.config import Settings
from actors.errors import Failed
from actors.mailbox import Request
from actors.messages.base import Problem
from actors.messages.conversation import Opaque
from actors.messages.model import Answer, AskModel, ResolvedModel, ResolveModel, Retrying
from actors.providers import BY_API, checks, choosing, pricing, retry, scripted
from actors.providers.endpoint import Target
from actors.providers.faults import Fault, ServiceFailed, problem, redacted
from actors.providers.registry import Registry
from actors.providers.translate import translated
from actors.providers.wire import Pass, Reader

if TYPE_CHECKING:
    from actors.providers.exchange import Client

LOOPBACK = "http://127.0.0.1"
LIST_S = 3.0


class Answering:
    def __init__(self, settings: Settings, registry: Registry) -> None:
        self._settings = settings
        self._registry = registry
        self._client: Client | None = None
        self._found: Target | None = None

    def warm_up(self) -> None:
        """Pay for httpx, and for the certificates if they are needed, before the first request."""
        if scripted.is_script(self._settings.model):
            return
        model = self._settings.model
        with suppress(Failed, ServiceFailed):  # said to whoever asks
            target = self._registry.target(model) if model else self._registry.with_key()
            self.http().pool(target.endpoint.base_url if target else LOOPBACK)

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def resolve(self, wanted: ResolveModel, request: Request) -> None:
        model = wanted.model or self._settings.model
        if scripted.is_script(model):
            scripted.load(model, self._settings.cwd)
            request.reply(ResolvedModel(model=model))
        else:
            target = await self._target(model)
            checks.check_effort(target, wanted.effort)
            request.reply(ResolvedModel(model=target.model, facts=target.facts))

    async def answer(self, ask: AskModel, request: Request) -> None:
        model = ask.model or self._settings.model
        if scripted.is_script(model):
            await scripted.answer(scripted.load(model, self._settings.cwd), model, ask, request)
            return
        target = await self._target(model)
        checks.check_effort(target, ask.effort)
        checks.check_attachments(target, ask)
        history, answers = translated(ask.history, target.model, _as_text)
        ask = msgspec.structs.replace(ask, history=history)
        tried = 0
        while fault := await self._try(target, ask, answers, request):
            tried += 1
            wait_s = retry.wait_before_next(fault, tried, random.random())  # noqa: S311  # spreads, hides nothing
            if wait_s is None:
                raise Failed(await self._problem(fault, target))
            why = redacted(f"{target.endpoint.provider}: {fault.text}", target.endpoint.key)
            await request.send(Retrying(why=why, wait_s=wait_s))
            await trio.sleep(wait_s)

    async def _try(self, target: Target, ask: AskModel, answers: str, request: Request) -> Fault | None:
        wire_format = BY_API[target.api]
        parts, reader = wire_format.request(target, ask), wire_format.reader(target, ask)

        def deliver(answer: Answer) -> None:
            request.reply(_priced(answer, reader, target, answers))

        return await self.http().ask(target.endpoint, parts, reader, request.send, deliver)

    async def _target(self, model: str) -> Target:
        """Raises Failed: unknown_model or no_credentials."""
        if model:
            return self._registry.target(model)
        self._found = self._found or self._registry.with_key()
        self._found = self._found or await choosing.running_here(self._registry, self.http())
        return self._found

    async def _problem(self, fault: Fault, target: Target) -> Problem:
        if fault.code == "unknown_model":
            offered = await self.http().models(target.endpoint, LIST_S)
            fault = msgspec.structs.replace(fault, hint=choosing.nearest(target, offered))
        elif too_long := retry.too_long(fault):
            fault = msgspec.structs.replace(fault, hint=too_long)
        return problem(fault, target.endpoint)

    def http(self) -> "Client":
        if self._client is None:
            from actors.providers.exchange import Client

            self._client = Client()
        return self._client


def _as_text(block: Opaque) -> str:
    wire_format = BY_API.get(block.api)
    return wire_format.as_text(block.data) if wire_format else ""


def _priced(answer: Answer, reader: Reader, target: Target, answers: str) -> Answer:
    usage = answer.message.usage
    if usage.cost_usd is None:  # else the service has said it
        passes = reader.passes or [Pass(usage)]
        usage = msgspec.structs.replace(usage, cost_usd=pricing.cost_usd(target.facts, passes))
    message = msgspec.structs.replace(answer.message, usage=usage, answers=answers)
    return msgspec.structs.replace(answer, message=message)
