"""The providers actor: asks model services for answers. Which model, one try after the other, what the user is told."""

import difflib
import os
import random
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import trio

from actors.config import Settings
from actors.errors import Failed, UnexpectedMessage
from actors.mailbox import Mailbox, Request
from actors.messages.base import Problem
from actors.messages.model import AskModel, ResolvedModel, ResolveModel, Retrying
from actors.providers import BY_API, retry, scripted
from actors.providers.endpoint import Target
from actors.providers.faults import Fault, ServiceFailed, problem, redacted
from actors.providers.registry import NOTHING_TO_ASK, Registry

if TYPE_CHECKING:
    from actors.providers.exchange import Client

LOOPBACK = "http://127.0.0.1"
PROBE_S = 1.0
LIST_S = 3.0


async def run(mailbox: Mailbox, settings: Settings) -> None:
    await serve(mailbox, settings, Registry(settings.providers, os.environ))


async def serve(mailbox: Mailbox, settings: Settings, registry: Registry) -> None:
    providers = Providers(settings, registry)
    providers.warm_up()
    try:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                match request.message:
                    case AskModel() as ask:
                        nursery.start_soon(request.serve, partial(providers.answer, ask))
                    case ResolveModel(model=model):
                        nursery.start_soon(request.serve, partial(providers.resolve, model))
                    case _:
                        raise UnexpectedMessage(request.message)
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await providers.aclose()


class Providers:
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
            self._http().pool(target.endpoint.base_url if target else LOOPBACK)

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def resolve(self, model: str, request: Request) -> None:
        model = model or self._settings.model
        if scripted.is_script(model):
            scripted.load(model, self._settings.cwd)
            request.reply(ResolvedModel(model=model))
        else:
            request.reply(ResolvedModel(model=(await self._target(model)).model))

    async def answer(self, ask: AskModel, request: Request) -> None:
        model = ask.model or self._settings.model
        if scripted.is_script(model):
            await scripted.answer(scripted.load(model, self._settings.cwd), model, ask, request)
            return
        target = await self._target(model)
        tried = 0
        while fault := await self._try(target, ask, request):
            tried += 1
            wait_s = retry.wait_before_next(fault, tried, random.random())  # noqa: S311  # spreads, hides nothing
            if wait_s is None:
                raise Failed(await self._problem(fault, target))
            why = redacted(f"{target.endpoint.provider}: {fault.text}", target.endpoint.key)
            await request.send(Retrying(why=why, wait_s=wait_s))
            await trio.sleep(wait_s)

    async def _try(self, target: Target, ask: AskModel, request: Request) -> Fault | None:
        wire_format = BY_API[target.endpoint.api]
        parts, reader = wire_format.request(target, ask), wire_format.reader(target, ask)
        return await self._http().ask(target.endpoint, parts, reader, request.send, request.reply)

    async def _target(self, model: str) -> Target:
        """Raises Failed: unknown_model or no_credentials."""
        if model:
            return self._registry.target(model)
        self._found = self._found or self._registry.with_key() or await self._running_here()
        if self._found is None:
            raise Failed(NOTHING_TO_ASK)
        return self._found

    async def _running_here(self) -> Target | None:
        """The first model of the first server that answers."""
        endpoints = self._registry.without_key()
        offers: list[list[str]] = [[] for _ in endpoints]

        async def probe(number: int) -> None:
            offers[number] = await self._http().models(endpoints[number], PROBE_S)

        async with trio.open_nursery() as nursery:
            for number in range(len(endpoints)):
                nursery.start_soon(probe, number)
        for endpoint, offered in zip(endpoints, offers, strict=True):
            if chat := [name for name in offered if "embed" not in name]:
                return Target(endpoint, chat[0])
        return None

    async def _problem(self, fault: Fault, target: Target) -> Problem:
        if fault.code == "unknown_model":
            offered = await self._http().models(target.endpoint, LIST_S)
            fault = msgspec.structs.replace(fault, hint=_nearest(target, offered))
        elif too_long := retry.too_long(fault):
            fault = msgspec.structs.replace(fault, hint=too_long)
        return problem(fault, target.endpoint)

    def _http(self) -> "Client":
        if self._client is None:
            from actors.providers.exchange import Client

            self._client = Client()
        return self._client


def _nearest(target: Target, offered: list[str]) -> str:
    near = difflib.get_close_matches(target.name, offered, n=3, cutoff=0.5) or offered[:3]
    if not near:
        return "Check the name with the service."
    return f"It offers {', '.join(f'{target.endpoint.provider}/{name}' for name in near)}."
