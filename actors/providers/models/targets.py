"""Which model is meant, and what is known of it: from the table, the user's settings and its own server."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec
import trio
from msgspec.structs import replace

from actors.errors import Failed
from actors.messages.model import ModelFacts
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults.fault import ServiceFailed, problem
from actors.providers.http import transport_rules
from actors.providers.models import choice, pricing
from actors.providers.models.choice import Signed
from actors.providers.services import dialects
from actors.providers.services.registry import Registry

if TYPE_CHECKING:
    from actors.providers.http.exchange import Client

SCRIPTED = "scripted:"
ASK_S = 1.0
"""For a server to say what it knows of a model."""
Agree = Callable[[Target], Awaitable[None]]
"""To ask a server that nobody has named. Raises Failed."""
UNKNOWN = ModelFacts()


def is_script(model: str) -> bool:
    return model.startswith(SCRIPTED)


class Targets:
    def __init__(self, registry: Registry, http: Callable[[], "Client"], signed: Signed, consent: Agree) -> None:
        self._registry = registry
        self._consent = consent
        self._finding = trio.Lock()
        self._http = http
        self._signed = signed
        self._found: dict[str, Target] = {}
        """By what was asked for, where a server had to say which model it runs; "" for any."""
        self._offered: dict[str, bool] = {}
        """By PROVIDER/NAME that no table knows: its service was heard to have it; False where it could not be asked."""
        self._said: dict[str, ModelFacts] = {}
        """By PROVIDER/NAME, what its server says of it."""

    async def target(self, model: str) -> Target:
        """model: "" for the first that can be had. Raises Failed, and NotYet where a server cannot say what it runs."""
        alone = self._registry.alone(model)
        if model and alone is None:
            return self._with_facts(await self._checked(usable(self._registry.target(model))))
        async with self._finding:  # the user is asked once
            if model not in self._found:
                self._found[model] = await self._first_of(alone)
        return self._with_facts(usable(self._found[model]))

    async def _first_of(self, alone: Endpoint | None) -> Target:
        """What this server offers, else what can be had. Raises Failed."""
        if alone is not None:
            return await choice.its_own(alone, self._registry, self._http(), self._signed)
        if known := self._registry.with_key():
            return known
        found = await choice.running_here(self._registry, self._http(), self._signed)
        if not self._registry.is_placed(found.endpoint.provider):
            await self._consent(usable(found))
        return found

    def is_doubtful(self, target: Target) -> bool:
        """May its name be wrong? So where the table should know it, and its service has not been heard to have it."""
        known = self._registry.is_known(target) or self._registry.is_open(target.endpoint.provider)
        return not known and not self._offered.get(target.model)

    async def _checked(self, target: Target) -> Target:
        """What the table does not know its service has to have. See DECISIONS: names of models. Raises Failed."""
        if target.model in self._offered or not self.is_doubtful(target):
            return target
        from actors.providers.models import local_servers

        offer = await local_servers.listed(await self._signed(target.endpoint), self._http(), choice.LIST_S)
        choice.check_offered(target, offer)
        self._offered[target.model] = offer.fault is None
        return target

    async def asked(self, target: Target) -> Target:
        """With what its server says, where nothing else is known of its context. It is asked once.

        Only kinds of servers that run models themselves and are known to say: any other would be asked in vain before
        the first prompt.
        """
        if target.facts.context or not dialects.of(target).runs_models or target.model in self._said:
            return target
        from actors.providers.models import local_servers

        endpoint = await self._signed(target.endpoint)
        self._said[target.model] = await local_servers.facts(endpoint, target.name, self._http(), ASK_S)
        return self._with_facts(target)

    def _with_facts(self, target: Target) -> Target:
        said = self._said.get(target.model, UNKNOWN)
        return pricing.with_prices(replace(target, facts=filled(target.facts, said)))


def usable(target: Target) -> Target:
    """Raises Failed when its address is none, or one that nothing may be sent to."""
    try:
        transport_rules.check(target.endpoint, target.endpoint.base_url)
    except ServiceFailed as error:
        raise Failed(problem(error.fault, target.endpoint)) from error
    return target


def filled(known: ModelFacts, said: ModelFacts) -> ModelFacts:
    """What is known stays."""
    missing = {
        name: getattr(said, name) for name in known.__struct_fields__ if getattr(known, name) == getattr(UNKNOWN, name)
    }
    return msgspec.structs.replace(known, **missing)
