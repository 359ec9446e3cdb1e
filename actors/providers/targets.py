"""Which model is meant, and what is known of it: from the table, the user's settings and its own server."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from actors.errors import Failed
from actors.messages.model import ModelFacts
from actors.providers import choosing, pricing, tls
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults import ServiceFailed, problem
from actors.providers.registry import Registry

if TYPE_CHECKING:
    from actors.providers.exchange import Client

SCRIPTED = "scripted:"
ASK_S = 1.0
"""For a server to say what it knows of a model."""
SAYING = ("ollama", "llamacpp", "vllm", "lmstudio")
UNKNOWN = ModelFacts()
Signed = Callable[[Endpoint], Awaitable[Endpoint]]
"""With its key, wherever that is kept. Raises Failed."""


def is_script(model: str) -> bool:
    return model.startswith(SCRIPTED)


class Targets:
    def __init__(self, registry: Registry, http: Callable[[], "Client"], signed: Signed) -> None:
        self._registry = registry
        self._http = http
        self._signed = signed
        self._found: Target | None = None
        self._said: dict[str, ModelFacts] = {}
        """By PROVIDER/NAME, what its server says of it."""

    async def target(self, model: str) -> Target:
        """model: "" for the first that can be had. Raises Failed: unknown_model, no_credentials, bad_configuration."""
        if model:
            return self._with_facts(usable(self._registry.target(model)))
        self._found = self._found or self._registry.with_key()
        self._found = self._found or await choosing.running_here(self._registry, self._http(), self._signed)
        return self._with_facts(usable(self._found))

    async def asked(self, target: Target) -> Target:
        """With what its server says, where nothing else is known of its context. It is asked once.

        Only kinds of servers that run models themselves and are known to say: any other would be asked in vain before
        the first prompt.
        """
        if target.facts.context or target.endpoint.dialect not in SAYING or target.model in self._said:
            return target
        from actors.providers import local

        endpoint = await self._signed(target.endpoint)
        self._said[target.model] = await local.facts(endpoint, target.name, self._http(), ASK_S)
        return self._with_facts(target)

    def _with_facts(self, target: Target) -> Target:
        said = self._said.get(target.model, UNKNOWN)
        return pricing.with_prices(replace(target, facts=filled(target.facts, said)))


def usable(target: Target) -> Target:
    """Raises Failed when its address is none, or one that nothing may be sent to."""
    try:
        tls.check(target.endpoint, target.endpoint.base_url)
    except ServiceFailed as error:
        raise Failed(problem(error.fault, target.endpoint)) from error
    return target


def filled(known: ModelFacts, said: ModelFacts) -> ModelFacts:
    """What is known stays."""
    missing = {
        name: getattr(said, name) for name in known.__struct_fields__ if getattr(known, name) == getattr(UNKNOWN, name)
    }
    return msgspec.structs.replace(known, **missing)
