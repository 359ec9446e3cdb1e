"""From a request to an answer: which model, what may be sent to it, what it costs, what the user is told."""

import importlib
import math
import random
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import trio

from actors.errors import Failed
from actors.mailbox import Request
from actors.messages.base import Problem
from actors.messages.conversation import Opaque, Sealed
from actors.messages.model import (
    Answer,
    AskModel,
    FindCheapest,
    ListModels,
    MergeEdit,
    ModelFacts,
    ResolvedModel,
    ResolveModel,
    Retrying,
    SearchWeb,
    ServiceSaid,
    TryService,
)
from actors.messages.system import RequestFailed
from actors.messages.usage import Usage
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults.backoff import Patience, too_long
from actors.providers.faults.fault import Fault, ServiceFailed, problem
from actors.providers.formats.table import ALL, format_of
from actors.providers.formats.wire_format import Reader
from actors.providers.models import abilities, base_urls, choice, pricing
from actors.providers.models.targets import Agree, Targets, is_script, usable
from actors.providers.requests import compaction
from actors.providers.requests.translation import translated
from actors.providers.requests.tries import ServiceRequest, SignIns, Tries
from actors.providers.services import dialects
from actors.providers.services.registry import Registry
from actors.settings.config import Settings

if TYPE_CHECKING:
    from actors.providers.http.exchange import Client

LOOPBACK = "http://127.0.0.1"
SEARCH = "web_search"
"""The tool that does what the service does by itself, under the same name."""


class Seams(msgspec.Struct, frozen=True):
    """What answering needs of others."""

    sign_ins: SignIns
    consent: Agree
    nursery: trio.Nursery
    """Sockets stay open in it."""
    noted: Callable[[RequestFailed], None]
    """Of each try that failed."""


class ModelRequests:
    def __init__(self, settings: Settings, registry: Registry, seams: Seams) -> None:
        self._settings = settings
        self._sign_ins = seams.sign_ins
        self._tries = Tries(self.http, seams.sign_ins, seams.nursery, partial(_note, seams.noted))
        self._registry = registry
        self._client: Client | None = None
        self._targets = Targets(registry, self.http, seams.sign_ins.signed, seams.consent)
        self._merges: dict[str, trio.Lock] = {}
        """By asker: one edit at a time."""
        self._searching = trio.Lock()
        """The plans that cost nothing take one search a second."""
        self._chosen: Endpoint | None = None
        self._unreadable: set[Sealed] = set()
        """Their services have refused them: they were made with another account, or too long ago."""

    def warm_up(self) -> None:
        """Pay for httpcore, the format, and the certificates if they are needed, before the first request."""
        if is_script(self._settings.model):
            return
        model = self._settings.model
        with suppress(Failed, ServiceFailed):  # said to whoever asks
            target = self._registry.target(model) if model else self._registry.with_key()
            self._chosen = target.endpoint if target else None
            if target:
                format_of(target.api)
            self.http().pools.prepare(target.endpoint.base_url if target else LOOPBACK)

    async def open_connection(self) -> None:
        """To the chosen service, so that the first request need not wait for it."""
        if self._chosen is not None and self._chosen.websocket:
            self._tries.sockets()
            importlib.import_module("trio_websocket")  # else the first request would pay for it
        elif self._chosen is not None:
            await self.http().open(self._chosen)

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def resolve(self, wanted: ResolveModel, request: Request) -> None:
        model = wanted.model or self._settings.model
        if is_script(model):
            from actors.providers import scripted

            script = scripted.load(model, self._settings.cwd)
            request.reply(ResolvedModel(model=model, priced=scripted.is_priced(script)))
        else:
            target = await self._targets.asked(await self._targets.target(model))
            abilities.check_effort(target, wanted.effort)
            priced = pricing.is_known(target)
            facts, sums_up = abilities.as_asked(target), compaction.sums_up(target)
            request.reply(ResolvedModel(model=target.model, facts=facts, priced=priced, sums_up=sums_up))

    async def find_cheapest(self, wanted: FindCheapest, request: Request) -> None:
        model = wanted.model or self._settings.model
        if is_script(model):
            request.reply(ResolvedModel(model=""))
            return
        from actors.providers.models import cheapest

        found = cheapest.of_its_service(await self._targets.target(model), self._registry)
        facts = abilities.as_asked(found) if found else ModelFacts()
        request.reply(ResolvedModel(model=found.model if found else "", facts=facts, priced=found is not None))

    async def list_models(self, wanted: ListModels, request: Request) -> None:
        from actors.providers.models import listing

        request.reply(await listing.models(self._registry, self.http, self._sign_ins.signed, wanted.filter))

    async def try_service(self, wanted: TryService, request: Request) -> None:
        from actors.providers.models import trial

        if wanted.provider:
            endpoint = self._registry.endpoint(wanted.provider)
            request.reply(await trial.reached(endpoint, self.http(), self._sign_ins.signed))
            return
        model = wanted.model or self._settings.model
        if is_script(model):
            request.reply(ServiceSaid(state="ok", text="nobody has to be asked"))
            return
        target = await self._targets.target(model)
        request.reply(await trial.said(target, self.http(), self._sign_ins.signed))

    async def answer(self, ask: AskModel, request: Request) -> None:
        model = ask.model or self._settings.model
        if is_script(model):
            from actors.providers import scripted

            await scripted.answer(scripted.load(model, self._settings.cwd), model, ask, request)
            return
        target = await (self._targets.target(model) if ask.aside else self._target(model, request))
        abilities.check_effort(target, ask.effort)
        history, answers = translated(ask.history, target.model, _as_text)
        search = ask.web_search and dialects.named(target.endpoint).searches
        tools = tuple(tool for tool in ask.tools if not (search and tool.name == SEARCH))
        history = abilities.without_unusable(target, history)
        ask = msgspec.structs.replace(ask, history=history, tools=tools, web_search=search)
        lookup = partial(self._registry.facts, target.endpoint.provider)
        sealed = ask.sealed if ask.sealed not in self._unreadable else None
        if sealed is not None and sealed.model == target.model:
            ask = msgspec.structs.replace(ask, history=compaction.with_sealed(history, sealed))

        def deliver(answer: Answer, reader: Reader) -> None:
            answer = compaction.kept(answer, reader.passes, target) if ask.sum_up else answer
            message = msgspec.structs.replace(
                answer.message, usage=priced(answer.message.usage, reader), answers=answers
            )
            request.reply(msgspec.structs.replace(answer, message=message))

        def priced(used: Usage, reader: Reader) -> Usage:
            return pricing.priced(used, reader.passes, target.facts, lookup)

        patience_s = min(self._settings.patience_s, compaction.PATIENCE_S if ask.sum_up else math.inf)
        asked = compaction.asking(target) if ask.sum_up else None
        to_service = ServiceRequest(ask, request, deliver, patience_s, asked, priced=priced)
        fault = await self._tries.put(target, to_service)
        if fault and fault.code == "bad_request" and ask.history is not history:
            in_words = msgspec.structs.replace(ask, history=history)
            again = msgspec.structs.replace(
                to_service, ask=in_words, deliver=partial(self._deliver_in_words, sealed, deliver)
            )
            fault = await self._tries.put(target, again)
        if fault:
            quick = ask.sum_up or ask.aside
            raise Failed(problem(fault, target.endpoint) if quick else await self._problem(fault, target))

    def _deliver_in_words(
        self, sealed: Sealed | None, deliver: Callable[[Answer, Reader], None], answer: Answer, reader: Reader
    ) -> None:
        """Who has the answer may ask again at once."""
        if sealed is not None:
            self._unreadable.add(sealed)
        deliver(answer, reader)

    async def _target(self, model: str, request: Request) -> Target:
        """Waits for a server that has to say which model it runs. Raises Failed."""
        patience = Patience(self._settings.patience_s)
        while True:
            try:
                return await self._targets.target(model)
            except choice.NotYet as not_yet:
                dice = random.random()  # noqa: S311  # spreads, hides nothing
                patience.here = not_yet.here
                wait_s = patience.wait_s(not_yet.fault, trio.current_time(), dice)
                if wait_s is None:
                    raise
                await request.send(Retrying(why=not_yet.why, wait_s=wait_s))
                await trio.sleep(wait_s)

    async def merge(self, wanted: MergeEdit, request: Request) -> None:
        from actors.providers.requests import edit_merge

        edit_merge.check(self._settings, wanted)
        target = usable(edit_merge.target(self._registry))

        def deliver(answer: Answer, _reader: Reader) -> None:
            merged = edit_merge.merged(answer)
            if isinstance(merged, Problem):
                request.fail(merged)
            else:
                request.reply(merged)

        to_service = ServiceRequest(edit_merge.ask(wanted), request, deliver, edit_merge.PATIENCE_S, edit_merge.FORMAT)
        async with self._merges.setdefault(request.sender, trio.Lock()):
            if fault := await self._tries.put(target, to_service):
                raise Failed(problem(fault, target.endpoint))

    async def search(self, wanted: SearchWeb, request: Request) -> None:
        from actors.providers.requests import web_search

        web_search.check(self._settings, wanted)
        asked = await self._sign_ins.signed(web_search.endpoint(self._settings, self._registry))
        async with self._searching:
            request.reply(await web_search.found(wanted, asked, self.http()))

    async def _problem(self, fault: Fault, target: Target) -> Problem:
        if fault.code == "unknown_model":
            from actors.providers.models import local_servers

            offer = await local_servers.listed(await self._sign_ins.signed(target.endpoint), self.http(), choice.LIST_S)
            fault = msgspec.structs.replace(fault, hint=choice.nearest(target, offer.names))
        elif fault.code == "unreachable" and fault.status in base_urls.ABSENT:
            right = await base_urls.right_one(await self._sign_ins.signed(target.endpoint), self.http())
            fault = msgspec.structs.replace(fault, hint=right or fault.hint)
        elif hint := too_long(fault, self._settings.patience_s, time.time()):
            fault = msgspec.structs.replace(fault, hint=hint)
        said = problem(fault, target.endpoint)
        if fault.code == "unreachable" and self._targets.is_doubtful(target):
            hint = f'{said.hint} Nor is "{target.model}" a model of the table. {choice.nearest(target, [])}'
            said = msgspec.structs.replace(said, hint=hint)
        return said

    def http(self) -> "Client":
        if self._client is None:
            from actors.providers.http.exchange import Client

            self._client = Client()
        return self._client


def _note(noted: Callable[[RequestFailed], None], target: Target, fault: Fault) -> None:
    """Not in its own words: they may be those of the conversation."""
    noted(RequestFailed(model=target.model, code=fault.code, status=fault.status, request_id=fault.request_id))


def _as_text(block: Opaque) -> str:
    return next((format_of(api).as_text(block.data) for api in ALL if api == block.api), "")
