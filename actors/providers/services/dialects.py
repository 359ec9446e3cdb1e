"""What single services want beside their wire format: one table, an entry each. No I/O.

Facts that no service documents, and what several programs found out by themselves, are in DECISIONS: Dialects.
"""

import re
from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from actors.messages.model import Api, AskModel
from actors.providers.endpoint import Endpoint, Target
from actors.providers.services import copilot

ANY_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""Of a tool call, as every service takes it: OpenAI has the length, Anthropic the letters."""
MISTRAL_ID = re.compile(r"[A-Za-z0-9]{9}")
UNSIGNED = '{"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}}'
MOST_OUTPUT = 32_000
"""Tokens. Where a limit has to be sent: several services want prompt and limit together to fit the context."""

Thinking = Literal[
    "effort", "effort or none", "effort and none", "reasoning", "toggle", "toggle and effort", "template"
]
"""How it is switched: reasoning_effort; the same, and "none" where no efforts are known, or beside those that are;
OpenRouter's `reasoning`; `thinking` with a type, also beside reasoning_effort; chat_template_kwargs."""


class Responses(msgspec.Struct, frozen=True, kw_only=True):
    """How one service speaks Responses. Others refuse members they do not know."""

    cache_key: bool = False
    """Takes prompt_cache_key."""
    custom_tools: bool = False
    """Takes tools whose input is a text, from models that write it."""
    unpadded: bool = False
    """Can be told not to pad what it streams."""
    instructions: str = ""
    """In the place of a system prompt that is empty: without any, it refuses the request."""


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """How one service speaks, Chat Completions before all. The defaults are what most servers take."""

    standing: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Headers of every request, also for the list of models."""
    headers: Callable[[AskModel], Mapping[str, str]] = lambda _ask: {}
    """Those of one request."""
    api: Callable[[str], Api] | None = None
    """The wire format of a model, by its name. None: the provider's."""
    searches: bool = False
    """May be asked to search the web, in at least one format; others refuse a tool they do not know."""
    sums_up: bool = False
    """Sums a conversation up by itself, in the formats that have words for it."""
    runs_models: bool = False
    """Runs them itself, and says what it knows of them; so nobody bills them."""
    says_cost: bool = False
    """Each answer says what it cost."""
    responses: Responses = Responses()
    limit: bool = False
    """max_tokens is sent: left to itself the service cuts answers short."""
    limitless: tuple[str, ...] = ()
    """How models' names begin that do without it."""
    developer: bool = False
    """The system prompt of a model that reasons has the role developer."""
    usage: bool = True
    """Token counts of a stream have to be asked for by stream_options, which some do not know."""
    parallel: bool = False
    """Several calls at once have to be allowed."""
    cache_key: bool = False
    """Takes prompt_cache_key."""
    thinking: Thinking = "effort"
    returned: Literal["", "reasoning_content", "reasoning_text", "content"] = ""
    """The member of an assistant message in which reasoning text goes back. What the service wants back unread
    (reasoning_details, reasoning_opaque, extra_content) does so everywhere."""
    stand_in: str | None = None
    """For the reasoning of calls that have none (another model's, or edited): without it, the service refuses."""
    unsigned: str = ""
    """JSON of what the first call of an answer has that no signature of this model came with."""
    unsigned_but: str = ""
    """What is in the names of models that do without it."""
    call_id: re.Pattern[str] = ANY_ID
    bridged: bool = False
    """No user message may follow a tool message."""
    alternating: bool = False
    """No two messages of the user in a row, and no two answers: models' own chat templates refuse them."""
    pdfs: bool | None = False
    """Takes them as `file` parts. None: where the user says so of the model; the table's facts are of the makers' own
    formats."""
    caching: bool = False
    """Hands cache_control on to Anthropic and Google."""
    search_tool: bool = False
    """Has a tool that searches the web."""
    routing: bool = False
    """Takes the user's `provider`: which of the services behind it may answer."""
    parted: bool = False
    """Parts of one answer come as several choices."""
    reasoning_beside: bool = False
    """Counts reasoning beside completion_tokens; the total tells."""


UNKNOWN = Dialect(thinking="effort and none", alternating=True, pdfs=None, searches=True)
"""Of a server that is not in the table; what it can its user knows."""
DIALECTS: Mapping[str, Dialect] = {
    "openai": Dialect(
        developer=True,
        cache_key=True,
        pdfs=True,
        searches=True,
        sums_up=True,
        responses=Responses(cache_key=True, custom_tools=True, unpadded=True),
    ),
    "anthropic": msgspec.structs.replace(UNKNOWN, sums_up=True),
    "openrouter": Dialect(
        standing={"x-title": "Trouper"},
        thinking="reasoning",
        pdfs=True,
        caching=True,
        searches=True,
        search_tool=True,
        routing=True,
        says_cost=True,
    ),
    "codex": msgspec.structs.replace(
        UNKNOWN,
        standing={"originator": "trouper", "openai-beta": "responses=experimental"},
        headers=lambda ask: {"session_id": ask.session_id},
        sums_up=True,
        responses=Responses(cache_key=True, custom_tools=True, instructions="You are a helpful assistant."),
    ),
    "copilot": Dialect(
        standing={**copilot.EDITOR, "openai-intent": "conversation-edits"},
        headers=copilot.headers,
        api=copilot.api,
        limit=True,
        limitless=("gpt",),
        returned="reasoning_text",
        parted=True,
        responses=Responses(custom_tools=True),
    ),
    "google": Dialect(thinking="effort or none", unsigned=UNSIGNED, unsigned_but="gemini-2", reasoning_beside=True),
    "xai": Dialect(searches=True, reasoning_beside=True, responses=Responses(cache_key=True)),
    "deepseek": Dialect(limit=True, thinking="toggle and effort", returned="reasoning_content", stand_in=""),
    "moonshotai": Dialect(limit=True, thinking="toggle", returned="reasoning_content", stand_in="."),
    "zai": Dialect(limit=True, usage=False, thinking="toggle and effort", returned="reasoning_content"),
    "mistral": Dialect(usage=False, returned="content", call_id=MISTRAL_ID, bridged=True),
    "groq": Dialect(),
    "cerebras": Dialect(),
    "ollama": Dialect(thinking="effort and none", alternating=True, runs_models=True),
    "lmstudio": Dialect(alternating=True, runs_models=True),
    "llamacpp": Dialect(parallel=True, thinking="template", alternating=True, runs_models=True),
    "vllm": Dialect(thinking="template", alternating=True, runs_models=True),
}


def of(target: Target) -> Dialect:
    dialect = named(target.endpoint)
    if target.endpoint.bridged:
        return msgspec.structs.replace(dialect, bridged=True, alternating=True, call_id=MISTRAL_ID)
    return dialect


def named(endpoint: Endpoint) -> Dialect:
    return DIALECTS.get(endpoint.dialect, UNKNOWN)


def headers(target: Target, ask: AskModel) -> dict[str, str]:
    """For this one request, in whatever wire format."""
    dialect = named(target.endpoint)
    return {**dialect.standing, **dialect.headers(ask)}


def limit(target: Target) -> int:
    """The most tokens of an answer that is asked for; 0: none is, the service knows best."""
    dialect = of(target)
    wanted = dialect.limit and not target.name.startswith(dialect.limitless)
    return min(target.facts.max_output, MOST_OUTPUT) if wanted else 0


def least_effort(target: Target) -> str:
    """The reasoning_effort that says "off"; "": there is none to say it with, or no need to."""
    efforts, unknown = target.facts.efforts, not target.facts.id
    match of(target).thinking:
        case "effort or none":
            none = not efforts
        case "effort and none":
            none = bool(efforts) or unknown
        case _:
            none = unknown
    return next((one for one in ("none", "minimal") if one in efforts), "none" if none else "")


def always_thinks(target: Target) -> bool:
    """In Chat Completions: it reasons, and nothing that its service knows turns that off."""
    by_effort = of(target).thinking.startswith("effort")
    return by_effort and bool(target.facts.efforts) and not least_effort(target)


def takes_pdfs(target: Target) -> bool:
    pdfs = of(target).pdfs
    return target.facts.pdfs is True if pdfs is None else pdfs


def unsigned(target: Target) -> str:
    """JSON of what the first call of an answer has that no signature of this model came with; "" for nothing.

    Google's models demand one since their third generation, and say what to put there instead.
    """
    dialect = of(target)
    return "" if dialect.unsigned_but and dialect.unsigned_but in target.name else dialect.unsigned


def takes_marks(target: Target) -> Literal["", "ends", "ends and results"]:
    """Where cache_control may be. Google keeps a copy for each mark, so they do not move with every result there."""
    if not of(target).caching:
        return ""
    maker = target.name.lstrip("~").partition("/")[0]
    return "ends and results" if maker == "anthropic" else "ends" if maker == "google" else ""
