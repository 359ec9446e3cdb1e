"""Which model is asked: the one that is named, else the first that can be had."""

from collections.abc import Awaitable, Callable, Container, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from actors.common.plurals import how_many
from actors.errors import Failed, failed
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults.fault import Fault, clean, problem
from actors.providers.services import model_table
from actors.providers.services.addresses import is_here
from actors.providers.services.registry import Registry

if TYPE_CHECKING:
    from actors.providers.http.exchange import Client
    from actors.providers.models.local_servers import Offer

Signed = Callable[[Endpoint], Awaitable[Endpoint]]
"""With its key, wherever that is kept. Raises Failed."""
PROBE_S = 1.0
LIST_S = 3.0
"""For a service to list its models."""
LOADING = 503
LISTS_NOTHING = 200
REFUSED = 401
"""Of a key that is not known. With 403 a good one may be shut out of the list alone."""
NO_CHAT = Fault("unknown_model", "it lists no model that one can talk to.")


class NotYet(Failed):
    """A server that has to say which model it runs cannot say it now; it may when it is asked again."""

    def __init__(self, fault: Fault, endpoint: Endpoint) -> None:
        super().__init__(problem(fault, endpoint))
        self.fault = fault
        self.here = is_here(endpoint.base_url)
        self.why = f"{endpoint.provider}: {clean(fault, endpoint).text}"


async def running_here(registry: Registry, client: "Client", signed: Signed) -> Target:
    """The first model of the first server that answers. Raises Failed: no_credentials, NotYet for one that loads."""
    from actors.providers.auth.other_programs import OtherPrograms
    from actors.providers.models import local_servers

    endpoints = registry.without_key()
    offers = [local_servers.Offer() for _ in endpoints]

    async def probe(number: int) -> None:
        try:
            offers[number] = await local_servers.listed(await signed(endpoints[number]), client, PROBE_S)
        except Failed as failure:  # it cannot be asked without its key
            offers[number] = local_servers.Offer(fault=Fault("no_credentials", failure.problem.text))

    async with trio.open_nursery() as nursery:
        for number in range(len(endpoints)):
            nursery.start_soon(probe, number)
    asked = list(zip(endpoints, offers, strict=True))
    for endpoint, offer in asked:
        if offer.names:
            return _meant(registry, endpoint, offer.names[0])
    for endpoint, offer in asked:
        if offer.fault and offer.fault.status == LOADING:
            raise NotYet(offer.fault, endpoint)
    programs = [one.program for one in OtherPrograms(registry.environ, Path()).present()]
    raise _nothing_to_ask([(endpoint, offer.fault or NO_CHAT) for endpoint, offer in asked], programs)


async def its_own(endpoint: Endpoint, registry: Registry, client: "Client", signed: Signed) -> Target:
    """The model of a provider that was named without one. Raises Failed, and NotYet where waiting may help."""
    from actors.providers.models import local_servers

    offer = await local_servers.listed(await signed(endpoint), client, LIST_S)
    if not offer.names:
        fault = offer.fault or NO_CHAT
        raise NotYet(fault, endpoint) if fault.again != "never" else Failed(problem(fault, endpoint))
    if len(offer.names) == 1 or is_here(endpoint.base_url):
        return _meant(registry, endpoint, offer.names[0])
    some = ", ".join(f"{endpoint.provider}/{name}" for name in offer.names[: model_table.SHOWN])
    hint = f"Name one, such as {some}; the others: trouper models {endpoint.provider}"
    raise failed("unknown_model", f"{endpoint.provider} offers {how_many(len(offer.names), 'model')}.", hint)


def _meant(registry: Registry, endpoint: Endpoint, name: str) -> Target:
    return Target(endpoint, name, registry.facts(endpoint.provider, name))


def _nothing_to_ask(said: Iterable[tuple[Endpoint, Fault]], programs: Iterable[str]) -> Failed:
    """programs: others that keep sign-ins here."""
    each = [f"{endpoint.provider} ({endpoint.shown_url}): {clean(fault, endpoint).text}" for endpoint, fault in said]
    keys = [endpoint.provider for endpoint, fault in said if fault.code == "unauthorized"]
    taking = "".join(f"use what {program} keeps: trouper auth import {program}, " for program in programs)
    wants = f"{keys[0]} wants a key: keep it with: trouper auth set {keys[0]}. Or set" if keys else "Set"
    return failed(
        "no_credentials",
        " ".join(("No model is chosen, no API key is set and no local model server answers.", *each)),
        f"{wants} ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENROUTER_API_KEY, keep a key with: trouper auth set PROVIDER, "
        f"{taking}or start a local server such as Ollama, or try it without a model: trouper demo.",
    )


def check_offered(target: Target, offer: "Offer") -> None:
    """Of a model that nobody knows of. Raises Failed: unknown_model, or what its service says to the key."""
    fault = offer.fault
    if fault is None:
        if not is_offered(target.name, offer.models):
            raise _unknown(target, offer.names, "does not offer it")
    elif fault.status == REFUSED and not target.endpoint.sign_in:
        raise Failed(problem(fault, target.endpoint))
    elif fault.code in ("unreachable", "bad_stream") and fault.status:
        raise _unknown(target, [], "does not list its models, and the table does not know this one")


def is_offered(name: str, offered: Container[str]) -> bool:
    """Google's list has "models/" before each; at OpenRouter what follows a colon is a way to serve the model."""
    return any(one in offered for one in (name, f"models/{name}", name.partition(":")[0]))


def _unknown(target: Target, offered: list[str], why: str) -> Failed:
    own = f'Is it new? Then say so in config.toml: [models."{target.model}"]' if not offered else ""
    hint = f"{nearest(target, offered)} {own}".strip()
    return failed("unknown_model", f'No model "{target.model}": {target.endpoint.provider} {why}.', hint)


def nearest(target: Target, offered: list[str]) -> str:
    """The next step when the service does not know the model. offered: what it says it has, [] when it does not say."""
    import difflib  # for mistakes alone

    provider = target.endpoint.provider
    names = [name for name in offered or model_table.names(provider) if name != target.name]
    if near := difflib.get_close_matches(target.name, names, n=3, cutoff=0.5):
        return f"It offers {', '.join(f'{provider}/{name}' for name in near)}."
    if elsewhere := [model for model in model_table.nearest(target.model) if model != target.model]:
        return f"Did you mean {' or '.join(elsewhere)}? The others: trouper models {provider}"
    if not names:
        return "Check the name with the service."
    return f"It offers {', '.join(f'{provider}/{name}' for name in names[:3])}; the others: trouper models {provider}"
