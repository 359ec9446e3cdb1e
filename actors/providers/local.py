"""What a server that runs models itself says of one of them. Importing it loads httpx.

Each kind of server is asked in its own words; a server that does not say leaves the facts unknown. The context is that
of the model as it is loaded: Ollama and LM Studio load it smaller than it could be, and Ollama cuts what is longer.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec
import trio

from actors.messages.model import ModelFacts
from actors.providers import local_answers, tls
from actors.providers.dialects import standing_headers
from actors.providers.endpoint import Endpoint
from actors.providers.faults import ServiceFailed
from actors.providers.library import httpx

if TYPE_CHECKING:
    from actors.providers.exchange import Client

Ask = Callable[[str, object], Awaitable[bytes]]
"""The answer of this URL, to this value if it is not None; b"" for none."""


async def facts(endpoint: Endpoint, name: str, client: "Client", within_s: float) -> ModelFacts:
    """Unknown ones are left at their defaults; nothing is known when it does not answer in time."""
    key = {"authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    headers = {**key, **standing_headers(endpoint), **endpoint.headers}

    async def ask(url: str, value: object) -> bytes:
        try:
            tls.check(endpoint, url)
            method, content = ("GET", None) if value is None else ("POST", msgspec.json.encode(value))
            answer = await client.pool(url).request(method, url, headers=headers, content=content, timeout=within_s)
        except (httpx.HTTPError, httpx.InvalidURL, ServiceFailed):
            return b""
        return answer.content if answer.status_code == httpx.codes.OK else b""

    with trio.move_on_after(within_s):
        return await _ASKED.get(endpoint.dialect, _listed)(ask, endpoint.base_url, name)
    return ModelFacts()


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
