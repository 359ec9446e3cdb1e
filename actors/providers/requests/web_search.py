"""Searching the web by Brave, Tavily, or a SearXNG server of the user's own. Importing it loads httpcore.

Formats: https://api-dashboard.search.brave.com/app/documentation/web-search, https://docs.tavily.com/documentation/
api-reference/endpoint/search, https://docs.searxng.org/dev/search_api.html.
"""

import html
import random
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec
import trio

from actors.errors import Failed, failed
from actors.messages.model import Found, FoundPage, SearchWeb
from actors.providers.endpoint import Endpoint
from actors.providers.faults.backoff import Patience
from actors.providers.faults.fault import Fault, ServiceFailed, broken, of_response, problem
from actors.providers.faults.foreign_json import Unreadable, decoded
from actors.providers.http import small_answers, transport_rules
from actors.providers.http.pools import Call
from actors.providers.services.registry import Registry
from actors.settings.config import Settings
from actors.settings.services import BRAVE, TAVILY

if TYPE_CHECKING:
    from actors.providers.http.exchange import Client

SEARXNG = "searxng"
DENYING = ("websearch", "web")
"""Rules, in lower case, that forbid searching."""
WITHIN_S = 25.0
"""All tries together."""
LONGEST = 2 * 1024 * 1024
"""Bytes of an answer."""
MOST_PAGES = 10
LONGEST_QUERY = 400
LONGEST_TITLE, LONGEST_EXCERPT, LONGEST_URL = 200, 600, 2048
MARKS = re.compile(r"</?(?:strong|b|em|i|mark|span|br)\b[^<>]{0,100}>", re.IGNORECASE)
"""With which services mark the words that were found."""
USED_UP = (432, 433)
"""Tavily's own, for a plan and for a budget."""
NO_KEY = b"SUBSCRIPTION_TOKEN_INVALID"
"""Brave says it with status 422."""
HINTS = {
    "rate_limited": "Wait a little, then search again.",
    "overloaded": "Search again later.",
    "server_error": "Search again later.",
    "stalled": "Search again.",
    "bad_stream": "Is that the address of the search service itself?",
}


class _Page(msgspec.Struct):
    url: str | None = None
    title: str | None = None
    description: str | None = None
    """Brave's."""
    content: str | None = None
    """Tavily's and SearXNG's."""


class _Pages(msgspec.Struct):
    results: tuple[_Page, ...] = ()


class _BraveAnswer(msgspec.Struct):
    web: _Pages | None = None


class Parts(msgspec.Struct, frozen=True):
    url: str
    headers: Mapping[str, str]
    content: bytes | None = None
    """None: a GET."""


def _ask_brave(endpoint: Endpoint, wanted: SearchWeb) -> Parts:
    query = urlencode({"q": wanted.query, "count": wanted.limit, "text_decorations": "false"})
    return Parts(f"{endpoint.base_url}/web/search?{query}", {"X-Subscription-Token": endpoint.key})


def _read_brave(body: bytes) -> Iterable[_Page]:
    answer = decoded(body, _BraveAnswer)
    return answer.web.results if answer.web else ()


def _ask_tavily(endpoint: Endpoint, wanted: SearchWeb) -> Parts:
    body = msgspec.json.encode({"query": wanted.query, "max_results": wanted.limit})
    headers = {"Authorization": f"Bearer {endpoint.key}", "Content-Type": "application/json"}
    return Parts(f"{endpoint.base_url}/search", headers, body)


def _ask_searxng(endpoint: Endpoint, wanted: SearchWeb) -> Parts:
    return Parts(f"{endpoint.base_url}/search?{urlencode({'q': wanted.query, 'format': 'json'})}", {})


def _read_pages(body: bytes) -> Iterable[_Page]:
    return decoded(body, _Pages).results


class _Service(msgspec.Struct, frozen=True):
    ask: Callable[[Endpoint, SearchWeb], Parts]
    read: Callable[[bytes], Iterable[_Page]]
    """Raises Unreadable."""


SERVICES = {
    BRAVE.name: _Service(_ask_brave, _read_brave),
    TAVILY.name: _Service(_ask_tavily, _read_pages),
    SEARXNG: _Service(_ask_searxng, _read_pages),
}


def check(settings: Settings, wanted: SearchWeb) -> None:
    """Who asks may be a worker that was taken over: what its tool would refuse is refused here again. Raises Failed."""
    if not settings.searching:
        raise failed("not_allowed", "The web is not searched in this session.")
    denying = (rule.text for rule in settings.rules if rule.verdict == "deny" and rule.text.casefold() in DENYING)
    if denied := next(denying, ""):
        raise failed("not_allowed", f'Searching the web is denied by the rule "{denied}".')
    if not 0 < len(wanted.query) <= LONGEST_QUERY or not 0 < wanted.limit <= MOST_PAGES:
        what = f"A query has 1 to {LONGEST_QUERY} characters and 1 to {MOST_PAGES} results."
        raise failed("bad_request", what)


def endpoint(settings: Settings, registry: Registry) -> Endpoint:
    """Of the service that the user chose, else of the first that there is a key for. Raises Failed."""
    with_key = filter(registry.has_credential, (BRAVE.name, TAVILY.name))
    name: str = settings.search.service or next(with_key, SEARXNG)
    if name != SEARXNG:
        return registry.endpoint(name)
    url = settings.search.url.rstrip("/").removesuffix("/search")
    if not url:
        what = "No service is set up that searches the web."
        hint = "Set BRAVE_API_KEY or TAVILY_API_KEY, or the url of a SearXNG server under [search] in config.toml."
        raise failed("no_credentials", what, hint)
    # http is the user's own choice: there is no key that could be read on the way
    return Endpoint(provider=SEARXNG, api="openai-chat", base_url=url, allow_http=True)


async def found(wanted: SearchWeb, asked: Endpoint, client: "Client") -> Found:
    """Raises Failed."""
    patience, service = Patience(WITHIN_S), SERVICES[asked.provider]
    fault = Fault("stalled", f"it has not answered for {WITHIN_S:g} s.")
    with trio.move_on_after(WITHIN_S):
        while True:
            try:
                pages = service.read(await _answer(service.ask(asked, wanted), asked, client))
                return Found(service=asked.provider, pages=tuple(_usable(pages))[: wanted.limit])
            except Unreadable:
                fault = broken("it answered with something unexpected.")
                break
            except ServiceFailed as error:
                fault = error.fault
            dice = random.random()  # noqa: S311  # spreads those who wait, no secret
            wait_s = patience.wait_s(fault, trio.current_time(), dice)
            if wait_s is None:
                break
            await trio.sleep(wait_s)
    hint = fault.hint or _hint(fault, asked)
    raise Failed(problem(msgspec.structs.replace(fault, hint=hint), asked))


async def _answer(parts: Parts, asked: Endpoint, client: "Client") -> bytes:
    """Raises ServiceFailed."""
    transport_rules.check(asked, parts.url)
    headers = {"Accept": "application/json", **parts.headers, **asked.headers}
    call = Call(url=parts.url, headers=headers, content=parts.content, idle_s=WITHIN_S)
    status, body = await small_answers.body(client.pools, call, LONGEST)
    if status != 200:
        raise ServiceFailed(of_response(_classic(status, body), {}, body, time.time()))
    return body


def _classic(status: int, body: bytes) -> int:
    """What others say with this status."""
    if status in USED_UP:
        return 402
    return 401 if NO_KEY in body else status


def _hint(fault: Fault, asked: Endpoint) -> str:
    if asked.provider == SEARXNG and fault.status in (401, 403):
        return "Does it allow JSON? Its settings.yml needs it: search: formats: [html, json]."
    if asked.provider == SEARXNG and fault.code == "unreachable":
        return "Is the server running, and is the url under [search] in config.toml right?"
    return HINTS.get(fault.code, "")


def _usable(pages: Iterable[_Page]) -> Iterable[FoundPage]:
    for page in pages:
        url = (page.url or "").strip()
        if url.lower().startswith(("http://", "https://")) and len(url) <= LONGEST_URL and _is_plain(url):
            excerpt = _shown(page.description or page.content or "", LONGEST_EXCERPT)
            yield FoundPage(url=url, title=_shown(page.title or "", LONGEST_TITLE), excerpt=excerpt)


def _is_plain(url: str) -> bool:
    return url.isprintable() and " " not in url


def _shown(text: str, most: int) -> str:
    """Without marks, and without what steers a terminal or hides from people."""
    plain = html.unescape(MARKS.sub("", text[: 4 * most]))
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in plain).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
