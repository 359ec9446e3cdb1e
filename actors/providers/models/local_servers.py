"""What a server that runs models itself says of one of them. Importing it loads httpcore.

Each kind of server is asked in its own words; a server that does not say leaves the facts unknown. The context is that
of the model as it is loaded: Ollama and LM Studio load it smaller than it could be, and Ollama cuts what is longer.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

import msgspec
import trio

from actors.messages.model import ModelFacts
from actors.providers.endpoint import Endpoint
from actors.providers.faults.fault import Fault, ServiceFailed, clean, of_response
from actors.providers.formats.table import format_of
from actors.providers.http import small_answers, transport_rules
from actors.providers.http.pools import Call
from actors.providers.models import local_replies
from actors.providers.services import dialects

if TYPE_CHECKING:
    from actors.providers.http.exchange import Client

LONGEST = 8 * 1024 * 1024
"""Bytes of an answer."""
AT_ONCE = 8
"""Questions to one server."""
Ask = Callable[[str, object], Awaitable[bytes]]
"""The answer of this URL, to this value if it is not None; b"" for none."""


NO_LIST = Fault("bad_stream", "it answers, and lists no models.", status=200)


class Offer(msgspec.Struct):
    """What a server says when it is asked for its models."""

    models: dict[str, ModelFacts] = msgspec.field(default_factory=dict)
    """By name, with what is known of each."""
    fault: Fault | None = None
    """Why there are none."""

    @property
    def names(self) -> list[str]:
        """Of those that one can talk to."""
        return [name for name in self.models if "embed" not in name]


async def facts(endpoint: Endpoint, name: str, client: "Client", within_s: float) -> ModelFacts:
    """Unknown ones are left at their defaults; nothing is known when it does not answer in time."""
    with trio.move_on_after(within_s):
        return await _ASKED.get(endpoint.dialect, _listed)(_Server(endpoint, client).ask, endpoint.base_url, name)
    return ModelFacts()


async def listed(endpoint: Endpoint, client: "Client", within_s: float) -> Offer:
    """The models it offers, by name alone."""
    with trio.move_on_after(within_s):
        return await _offer(_Server(endpoint, client), endpoint)
    return _silent(within_s)


async def offered(endpoint: Endpoint, client: "Client", within_s: float) -> Offer:
    """The models it offers, with what is known of each when the time is over."""
    offer = _silent(within_s)
    with trio.move_on_after(within_s):
        server = _Server(endpoint, client)
        offer = await _offer(server, endpoint)
        if look := _ASKED.get(endpoint.dialect):
            await _look_at_each(offer.models, lambda name: look(server.ask, endpoint.base_url, name))
    return offer


async def _offer(server: "_Server", endpoint: Endpoint) -> Offer:
    parts = format_of(endpoint.api).list_models(endpoint)
    try:
        models = local_replies.offered(await server.get(parts.url, {**parts.headers, **endpoint.headers}))
    except ServiceFailed as error:
        return Offer(fault=clean(error.fault, endpoint))
    return Offer(models, None if models else NO_LIST)


def _silent(within_s: float) -> Offer:
    return Offer(fault=Fault("stalled", f"it has not answered within {within_s:g} s."))


async def _look_at_each(found: dict[str, ModelFacts], look: Callable[[str], Awaitable[ModelFacts]]) -> None:
    limiter = trio.CapacityLimiter(AT_ONCE)

    async def look_at(name: str) -> None:
        async with limiter:
            found[name] = await look(name)

    first, *others = list(found) or [""]
    if first:
        await look_at(first)  # alone: what it asks of the whole server need not be asked again
    async with trio.open_nursery() as nursery:
        for name in others:
            nursery.start_soon(look_at, name)


class _Server:
    """One that is asked for a moment; what it is asked without a value is asked once."""

    def __init__(self, endpoint: Endpoint, client: "Client") -> None:
        self._endpoint = endpoint
        self._client = client
        key = {"authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        self._headers = {**key, **dialects.named(endpoint).standing, **endpoint.headers}
        self._known: dict[str, bytes] = {}

    async def ask(self, url: str, value: object) -> bytes:
        await trio.lowlevel.checkpoint()
        if value is not None:
            return await self._said(url, msgspec.json.encode(value))
        if url not in self._known:
            self._known[url] = await self._said(url, None)
        return self._known[url]

    async def get(self, url: str, headers: Mapping[str, str]) -> bytes:
        """Raises ServiceFailed when it does not answer, or with anything but 200."""
        return await self._sent(url, headers, None)

    async def _said(self, url: str, content: bytes | None) -> bytes:
        try:
            return await self._sent(url, self._headers, content)
        except ServiceFailed:
            return b""

    async def _sent(self, url: str, headers: Mapping[str, str], content: bytes | None) -> bytes:
        transport_rules.check(self._endpoint, url)
        call = Call(url=url, headers=headers, content=content)
        status, body = await small_answers.body(self._client.pools, call, LONGEST)
        if status != 200:
            raise ServiceFailed(of_response(status, {}, body, time.time()))
        return body


async def _ollama(ask: Ask, base_url: str, name: str) -> ModelFacts:
    shown = await ask(f"{_root(base_url)}/api/show", {"model": name})
    return local_replies.ollama(name, shown, await ask(f"{_root(base_url)}/api/ps", None))


async def _llamacpp(ask: Ask, base_url: str, name: str) -> ModelFacts:
    del name  # it runs one
    return local_replies.llamacpp(await ask(f"{_root(base_url)}/props", None))


async def _lmstudio(ask: Ask, base_url: str, name: str) -> ModelFacts:
    found = local_replies.lmstudio(name, await ask(f"{_root(base_url)}/api/v1/models", None))
    older = f"{_root(base_url)}/api/v0/models"
    return found or local_replies.older_lmstudio(name, await ask(older, None)) or ModelFacts()


async def _listed(ask: Ask, base_url: str, name: str) -> ModelFacts:
    return local_replies.listed(name, await ask(f"{base_url}/models", None))


def _root(base_url: str) -> str:
    return base_url.removesuffix("/v1")


_ASKED: dict[str, Callable[[Ask, str, str], Awaitable[ModelFacts]]] = {
    "ollama": _ollama,
    "llamacpp": _llamacpp,
    "lmstudio": _lmstudio,
}
"""By dialect; others list their models with what they say of them, as vLLM does."""
