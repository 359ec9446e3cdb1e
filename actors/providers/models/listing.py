"""Which models there are and which of them can be asked now: the table, the user's own, and what servers offer."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import trio

from actors.errors import Failed
from actors.messages.model import ListedModel, Models
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults.fault import Fault, ServiceFailed, problem
from actors.providers.http import transport_rules
from actors.providers.models import pricing
from actors.providers.models.choice import NO_CHAT, Signed
from actors.providers.models.targets import UNKNOWN, filled
from actors.providers.services import model_table
from actors.providers.services.registry import Registry

if TYPE_CHECKING:
    from actors.providers.http.exchange import Client
    from actors.providers.models.local_servers import Offer

ASK_S = 1.0
"""For a server to say what it offers."""

Offers = Mapping[str, "Offer"]
"""What the servers that were asked say, by provider."""


async def models(registry: Registry, http: Callable[[], "Client"], signed: Signed, wanted: str) -> Models:
    """Those whose PROVIDER/NAME or aliases have all words of `wanted`; the usable ones first."""
    endpoints = _servers(registry)
    offers = await _offers(endpoints, http, signed)
    every = [row for provider in registry.names for row in _of(provider, registry, offers)]
    words = wanted.casefold().split()
    found = [row for row in every if all(word in _searched(row) for word in words)]
    named = [one for one in endpoints if registry.is_placed(one.provider) or one.provider in wanted.casefold()]
    silent = [_why_nothing(one, offers) for one in named if not offers[one.provider].names]
    near = () if found or silent else model_table.nearest(wanted, [row.model for row in every])
    ordered = sorted(found, key=lambda row: not row.usable)
    return Models(models=tuple(ordered), nearest=tuple(near), silent=tuple(silent))


def _servers(registry: Registry) -> list[Endpoint]:
    """Who has to be asked: those of whose models the table does not know, and that may be asked."""
    asked = []
    for name in registry.names:
        with suppress(Failed):  # said for each of its models
            if registry.is_open(name) and (not registry.needs_credential(name) or registry.has_credential(name)):
                asked.append(registry.endpoint(name))
    return asked


async def _offers(endpoints: list[Endpoint], http: Callable[[], "Client"], signed: Signed) -> Offers:
    offers: dict[str, Offer] = {}

    async def ask(endpoint: Endpoint) -> None:
        from actors.providers.models import local_servers

        try:
            offers[endpoint.provider] = await local_servers.offered(await signed(endpoint), http(), ASK_S)
        except Failed as failure:  # without its key it offers nothing
            fault = Fault(failure.problem.code, failure.problem.text, hint=failure.problem.hint)
            offers[endpoint.provider] = local_servers.Offer(fault=fault)

    async with trio.open_nursery() as nursery:
        for endpoint in endpoints:
            nursery.start_soon(ask, endpoint)
    return offers


def _why_nothing(endpoint: Endpoint, offers: Offers) -> str:
    cause = problem(offers[endpoint.provider].fault or NO_CHAT, endpoint)
    return f"{cause.text} {cause.hint}".strip()


def _of(provider: str, registry: Registry, offers: Offers) -> Iterator[ListedModel]:
    offer = offers.get(provider)
    offered = {name: offer.models[name] for name in offer.names} if offer else {}
    own = [model.partition("/")[2] for model in registry.models if model.startswith(f"{provider}/")]
    why_not, endpoint = _access(provider, registry, offers)
    for name in dict.fromkeys([*offered, *own, *model_table.names(provider)]):
        facts = filled(registry.facts(provider, name), offered.get(name, UNKNOWN))
        if endpoint is not None:
            facts = pricing.with_prices(Target(endpoint, name, facts)).facts
        missing = f"{provider} does not offer it now." if offered and name not in offered else ""
        reason = why_not or missing
        yield ListedModel(model=f"{provider}/{name}", facts=facts, usable=not reason, why_not=reason)


def _access(provider: str, registry: Registry, offers: Offers) -> tuple[str, Endpoint | None]:
    """The next step where it cannot be asked ("" where it can), and where it is."""
    try:
        endpoint = registry.endpoint(provider)
    except Failed as failure:
        cause = failure.problem
        return cause.hint if cause.code == "no_credentials" else f"{cause.text} {cause.hint}", None
    try:
        transport_rules.check(endpoint, endpoint.base_url)
    except ServiceFailed as error:
        cause = problem(error.fault, endpoint)
        return f"{cause.text} {cause.hint}".strip(), endpoint
    if provider in offers and not offers[provider].names:
        return _why_nothing(endpoint, offers), endpoint
    return "", endpoint


def _searched(row: ListedModel) -> str:
    return " ".join((row.model, *row.facts.aliases)).casefold()
