"""Which models there are and which of them can be asked now: the table, the user's own, and what servers offer."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import trio

from actors.errors import Failed
from actors.messages.model import ListedModel, ModelFacts, Models
from actors.providers import pricing, table, tls
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults import ServiceFailed, problem
from actors.providers.registry import Registry
from actors.providers.targets import UNKNOWN, Signed, filled

if TYPE_CHECKING:
    from actors.providers.exchange import Client

ASK_S = 1.0
"""For a server to say what it offers."""

Offers = Mapping[str, Mapping[str, ModelFacts]]
"""What the servers that were asked offer, by provider and name; nothing when one does not answer."""


async def models(registry: Registry, http: Callable[[], "Client"], signed: Signed, wanted: str) -> Models:
    """Those whose PROVIDER/NAME or aliases have all words of `wanted`; the usable ones first."""
    offers = await _offers(_servers(registry), http, signed)
    every = [row for provider in registry.names for row in _of(provider, registry, offers)]
    words = wanted.casefold().split()
    found = [row for row in every if all(word in _searched(row) for word in words)]
    near = () if found else table.nearest(wanted, [row.model for row in every])
    return Models(models=tuple(sorted(found, key=lambda row: not row.usable)), nearest=tuple(near))


def _servers(registry: Registry) -> list[Endpoint]:
    """Who has to be asked: servers without a key, which may not run, and the user's own, which no table knows."""
    asked = []
    for name in registry.names:
        own = name in registry.configured and not table.names(name)
        with suppress(Failed):  # said for each of its models
            if not registry.needs_credential(name) or (own and registry.has_credential(name)):
                asked.append(registry.endpoint(name))
    return asked


async def _offers(endpoints: list[Endpoint], http: Callable[[], "Client"], signed: Signed) -> Offers:
    offers: dict[str, dict[str, ModelFacts]] = {endpoint.provider: {} for endpoint in endpoints}

    async def ask(endpoint: Endpoint) -> None:
        from actors.providers import local

        with suppress(Failed):  # without its key it offers nothing
            offered = await local.offered(await signed(endpoint), http(), ASK_S)
            offers[endpoint.provider] = {name: facts for name, facts in offered.items() if "embed" not in name}

    async with trio.open_nursery() as nursery:
        for endpoint in endpoints:
            nursery.start_soon(ask, endpoint)
    return offers


def _of(provider: str, registry: Registry, offers: Offers) -> Iterator[ListedModel]:
    offered = offers.get(provider, {})
    own = [model.partition("/")[2] for model in registry.models if model.startswith(f"{provider}/")]
    why_not, endpoint = _access(provider, registry, offers)
    for name in dict.fromkeys([*offered, *own, *table.names(provider)]):
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
        tls.check(endpoint, endpoint.base_url)
    except ServiceFailed as error:
        cause = problem(error.fault, endpoint)
        return f"{cause.text} {cause.hint}".strip(), endpoint
    if provider in offers and not offers[provider]:
        return f"Nothing is offered at {endpoint.shown_url}: start the server.", endpoint
    return "", endpoint


def _searched(row: ListedModel) -> str:
    return " ".join((row.model, *row.facts.aliases)).casefold()
