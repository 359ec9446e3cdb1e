"""What a server that runs models itself says of one of them. Importing it loads httpx.

Each kind of server is asked in its own words; a server that does not say leaves the facts unknown. The context is that
of the model as it is loaded: Ollama and LM Studio load it smaller than it could be, and Ollama cuts what is longer.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

import msgspec
import trio

from actors.messages.model import ModelFacts
from actors.providers import format_of, local_answers, small, tls
from actors.providers.dialects import standing_headers
from actors.providers.endpoint import Endpoint
from actors.providers.faults import ServiceFailed
from actors.providers.library import httpx

if TYPE_CHECKING:
    from actors.providers.exchange import Client

LONGEST = 8 * 1024 * 1024
"""Bytes of an answer."""
AT_ONCE = 8
"""Questions to one server."""
Ask = Callable[[str, object], Awaitable[bytes]]
"""The answer of this URL, to this value if it is not None; b"" for none."""


async def facts(endpoint: Endpoint, name: str, client: "Client", within_s: float) -> ModelFacts:
    """Unknown ones are left at their defaults; nothing is known when it does not answer in time."""
    with trio.move_on_after(within_s):
        return await _ASKED.get(endpoint.dialect, _listed)(_Server(endpoint, client).ask, endpoint.base_url, name)
    return ModelFacts()


async def names(endpoint: Endpoint, client: "Client", within_s: float) -> list[str]:
    """Of the models it offers; [] when it does not say in time."""
    with trio.move_on_after(within_s):
        return list(await _offer(_Server(endpoint, client), endpoint))
    return []


async def offered(endpoint: Endpoint, client: "Client", within_s: float) -> dict[str, ModelFacts]:
    """What it lists, with what is known of each when the time is over; {} when it does not answer."""
    found: dict[str, ModelFacts] = {}
    with trio.move_on_after(within_s):
        server = _Server(endpoint, client)
        found = await _offer(server, endpoint)
        if look := _ASKED.get(endpoint.dialect):
            await _look_at_each(found, lambda name: look(server.ask, endpoint.base_url, name))
    return found


async def _offer(server: "_Server", endpoint: Endpoint) -> dict[str, ModelFacts]:
    parts = format_of(endpoint.api).list_models(endpoint)
    return local_answers.offered(await server.get(parts.url, {**parts.headers, **endpoint.headers}))


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
        self._headers = {**key, **standing_headers(endpoint), **endpoint.headers}
        self._known: dict[str, bytes] = {}

    async def ask(self, url: str, value: object) -> bytes:
        await trio.lowlevel.checkpoint()
        if value is not None:
            return await self._sent("POST", url, self._headers, msgspec.json.encode(value))
        if url not in self._known:
            self._known[url] = await self.get(url, self._headers)
        return self._known[url]

    async def get(self, url: str, headers: Mapping[str, str]) -> bytes:
        return await self._sent("GET", url, headers, None)

    async def _sent(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> bytes:
        try:
            tls.check(self._endpoint, url)
            pool = self._client.pool(url)
            request = pool.build_request(method, url, headers={**headers, **small.ACCEPTED}, content=content)
            status, body = await small.body(pool, request, LONGEST)
        except (httpx.HTTPError, httpx.InvalidURL, ServiceFailed):
            return b""
        return body if status == httpx.codes.OK else b""


async def _ollama(ask: Ask, base_url: str, name: str) -> ModelFacts:
    shown = await ask(f"{_root(base_url)}/api/show", {"model": name})
    return local_answers.ollama(name, shown, await ask(f"{_root(base_url)}/api/ps", None))


async def _llamacpp(ask: Ask, base_url: str, name: str) -> ModelFacts:
    del name  # it runs one
    return local_answers.llamacpp(await ask(f"{_root(base_url)}/props", None))


async def _lmstudio(ask: Ask, base_url: str, name: str) -> ModelFacts:
    found = local_answers.lmstudio(name, await ask(f"{_root(base_url)}/api/v1/models", None))
    older = f"{_root(base_url)}/api/v0/models"
    return found or local_answers.older_lmstudio(name, await ask(older, None)) or ModelFacts()


async def _listed(ask: Ask, base_url: str, name: str) -> ModelFacts:
    return local_answers.listed(name, await ask(f"{base_url}/models", None))


def _root(base_url: str) -> str:
    return base_url.removesuffix("/v1")


_ASKED: dict[str, Callable[[Ask, str, str], Awaitable[ModelFacts]]] = {
    "ollama": _ollama,
    "llamacpp": _llamacpp,
    "lmstudio": _lmstudio,
}
"""By dialect; others list their models with what they say of them, as vLLM does."""
