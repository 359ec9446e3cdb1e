"""Which model is asked: the one that is named, else the first that can be had."""

import difflib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import trio

from actors.errors import Failed
from actors.providers import table
from actors.providers.endpoint import Endpoint, Target
from actors.providers.registry import NOTHING_TO_ASK, Registry

if TYPE_CHECKING:
    from actors.providers.exchange import Client

PROBE_S = 1.0


async def running_here(
    registry: Registry, client: "Client", signed: Callable[[Endpoint], Awaitable[Endpoint]]
) -> Target:
    """The first model of the first server that answers. Raises Failed: no_credentials."""
    from actors.providers import local

    endpoints = registry.without_key()
    offers: list[list[str]] = [[] for _ in endpoints]

    async def probe(number: int) -> None:
        with suppress(Failed):  # it cannot be asked without its key
            offers[number] = await local.names(await signed(endpoints[number]), client, PROBE_S)

    async with trio.open_nursery() as nursery:
        for number in range(len(endpoints)):
            nursery.start_soon(probe, number)
    for endpoint, offered in zip(endpoints, offers, strict=True):
        if chat := [name for name in offered if "embed" not in name]:
            return Target(endpoint, chat[0], registry.facts(endpoint.provider, chat[0]))
    raise Failed(NOTHING_TO_ASK)


def nearest(target: Target, offered: list[str]) -> str:
    """The next step when the service does not know the model. offered: what it says it has, [] when it does not say."""
    provider = target.endpoint.provider
    offered = [name for name in offered if "embed" not in name]
    names = [name for name in offered or table.names(provider) if name != target.name]
    if near := difflib.get_close_matches(target.name, names, n=3, cutoff=0.5):
        return f"It offers {', '.join(f'{provider}/{name}' for name in near)}."
    if elsewhere := [model for model in table.nearest(target.model) if model != target.model]:
        return f"Did you mean {' or '.join(elsewhere)}? The others: trouper models {provider}"
    if not names:
        return "Check the name with the service."
    return f"It offers {', '.join(f'{provider}/{name}' for name in names[:3])}; the others: trouper models {provider}"
