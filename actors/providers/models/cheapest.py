"""The model of a service that does small things cheaply, by the prices of the table. Pure."""

from collections.abc import Iterator

from actors.messages.model import ModelFacts
from actors.providers.endpoint import Target
from actors.providers.services import model_table
from actors.providers.services.registry import Registry

INPUT, OUTPUT = 1000, 300
"""Tokens of a small thing, thinking included."""
CHEAP = 1000.0
"""What it may cost in millionths of a dollar, where the session's own model costs no more."""


def of_its_service(own: Target, registry: Registry) -> Target | None:
    """The cheapest that is cheap, or cheaper than this one; None where there is none, or nobody knows.

    Only of a service that is where the table says: what another host offers under that name is not known. And only
    of the same maker, where a name says who that is: a service that passes on to others would else tell new ones what
    the user said. What costs nothing has other terms.
    """
    found = min(_known(own, registry), key=lambda target: _cost(target.facts), default=None)
    if found is None:
        return None
    cost = _cost(found.facts)
    return found if cost <= CHEAP or cost < _cost(own.facts) else None


def _known(own: Target, registry: Registry) -> Iterator[Target]:
    provider, maker = own.endpoint.provider, own.name.rpartition("/")[0]
    if registry.is_open(provider):
        return
    for name in model_table.names(provider):
        if name.rpartition("/")[0] == maker:
            target = registry.target(f"{provider}/{name}")
            if target.facts.tools and not target.facts.unsure and _cost(target.facts) > 0:
                yield target


def _cost(facts: ModelFacts) -> float:
    """Millionths of a dollar; 0: not known, or nothing."""
    price = facts.prices[0] if facts.prices else None
    return INPUT * price.input + OUTPUT * price.output if price else 0.0
