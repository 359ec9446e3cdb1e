"""What the providers are asked, who have the keys and the network: models above all, and searches of the web."""

from typing import Annotated, Literal

import msgspec

from actors.messages.base import Message
from actors.messages.conversation import AssistantMessage, Effect, ModelInput, Sealed

Api = Literal[
    "openai-chat",
    "openai-responses",
    "anthropic-messages",
]
"""The wire formats: each is the package of that name in actors/providers/formats, with underscores."""
ThinkingKind = Literal["", "always", "adaptive", "optional", "budget"]
"""always: cannot be turned off; adaptive: on unless turned off; optional: adaptive, off unless asked for; budget: in
tokens; "": none, or not known."""

BUDGETED = ("low", "medium", "high")
"""Efforts of models whose thinking is asked for as a number of tokens: the wire format has a number for each."""
SumsUp = Literal["", "text", "sealed"]
"""What a service makes of a history: a text, by instructions; what only it can read, without any; "": nothing."""
Dollars = Annotated[float, msgspec.Meta(ge=0)]


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """US dollars a million tokens, of a whole request whose prompt has more than `above` tokens."""

    above: int = 0
    """It counts for prompts of more tokens than this."""
    input: Dollars
    """What is sent."""
    output: Dollars
    """What is answered, thinking included."""
    cache_read: Dollars | None = None
    """What is sent and was cached."""
    cache_write: Dollars | None = None
    """What is sent and kept in the cache."""
    cache_write_1h: Dollars | None = None
    """The same, kept for an hour."""


class ModelFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known of a model; a default says that nothing is."""

    id: str = ""
    """As its service calls it."""
    aliases: tuple[str, ...] = ()
    """Other names for it."""
    api: Api | None = None
    """Where it differs from its provider's."""
    context: int = 0
    """Tokens of prompt and answer together."""
    max_input: int = 0
    """Tokens, where it is less than the context."""
    max_output: int = 0
    """Tokens of an answer."""
    prices: tuple[Price, ...] = ()
    """By rising `above`, the first with 0."""
    search_usd: Dollars | None = None
    """Of one web search by the service."""
    efforts: tuple[str, ...] = ()
    """What may be asked for as effort, besides "off"."""
    thinking: ThinkingKind = ""
    """How it thinks: always; adaptive, on unless turned off; optional, off unless asked for; budget, in tokens."""
    images: bool | None = None
    """It takes images."""
    pdfs: bool | None = None
    """It takes PDFs."""
    tools: bool | None = None
    """It can call tools."""
    unsure: bool = False
    """Not confirmed by the maker's own page."""

    @property
    def levels(self) -> tuple[str, ...]:
        """Its efforts, besides "off"."""
        return self.efforts or (BUDGETED if self.thinking == "budget" else ())

    @property
    def choices(self) -> tuple[str, ...]:
        """All that may be asked for as effort, where anything is known."""
        return (*self.levels, *(() if self.thinking == "always" else ("off",)))

    def takes(self, media_type: str) -> bool:
        """An attachment of this type; where nothing is known its service will say."""
        if media_type == "application/pdf":
            return self.pdfs is True or (self.pdfs is None and not self.id)
        return self.images is not False


class Touch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What of the world a tool's argument names: by it the gate knows what a call is about."""

    scope: Literal["read", "write", "delete", "bash", "web", "patch", "agent"]
    """read, write, delete: a path; bash: a command; web: a URL; patch: a patch, whose files are written; agent: a kind
    of subagent."""
    argument: str
    """Its name; `edits[].path` for a member of each element of a list."""
    missing: str = ""
    """What it is where it is left out; "" for nothing."""
    fixed: str = ""
    """The argument is a yes or no, and yes means this path."""
    moved_to: bool = False
    """Something older may be put there."""


class ToolSpec(Message, frozen=True, kw_only=True):
    name: str
    description: str
    parameters: str
    """JSON schema of the arguments, as JSON text."""
    effect: Effect
    touches: tuple[Touch, ...] = ()
    runs_in: Literal["worker", "web", "open", "gate", "agent", "mcp"] = "worker"
    """worker: the agent's sandboxed one; web: the process that has a network and no files; open: a worker without a
    sandbox (fixed programs that need credentials); gate: the gate itself, which asks the user; agent: the agent itself,
    once the gate has allowed it; mcp: the actor of an MCP server."""
    server: str = ""
    """Of a tool of an MCP server: whose it is."""
    server_tool: str = ""
    """And the server's own name of it."""
    freeform: bool = False
    """Its one argument is the text `input`; models that know free-form tools write it without JSON around it."""


class AskModel(Message, frozen=True, kw_only=True):
    """A stream: TextDelta, ThinkingDelta, BrokenTry and Retrying items, then an Answer."""

    model: str
    """PROVIDER/NAME, or "" for the one the providers choose."""
    session_id: str
    system: str
    history: tuple[ModelInput, ...]
    tools: tuple[ToolSpec, ...] = ()
    effort: str = ""
    """One of the model's own, "off" for no thinking, "" for the service's default."""
    web_search: bool = False
    """The service may search the web by itself."""
    aside: bool = False
    """Nobody waits for the answer: it is asked for once, for a short time, and not while others have to wait."""
    sealed: Sealed | None = None
    """To its model it is sent in the place of the first message of the history."""
    sum_up: str = ""
    """No answer is wanted, but what the service itself makes of the history, by these instructions: see `sums_up`."""


class TextDelta(Message, frozen=True, kw_only=True):
    text: str
    cites: tuple[str, ...] = ()
    """URLs of the sources of the text that ends with it, each once, as of Text where that is `cited`."""
    at: float = 0.0
    """When its agent heard it, in seconds since the epoch: of the first one after thinking; else 0."""


class ThinkingDelta(Message, frozen=True, kw_only=True):
    text: str
    at: float = 0.0
    """The same, of the first one of an answer."""


class Retrying(Message, frozen=True, kw_only=True):
    """The answer so far is void; its deltas begin again after the wait."""

    why: str
    wait_s: float
    again: bool = True
    """It is sent again; else it stands, and nothing of its answer has come."""
    failed: bool = False
    """A try has failed; else it only waits for others, or nothing was lost."""


class Answer(Message, frozen=True, kw_only=True):
    """A whole assistant message. A call the answer was cut in is not in it; `cut_call` names its tool."""

    message: AssistantMessage
    cut_call: str = ""


class ResolveModel(Message, frozen=True, kw_only=True):
    """Which model would answer? Fails with no_credentials, unknown_model or, for the effort, bad_request."""

    model: str = ""
    effort: str = ""


class ResolvedModel(Message, frozen=True, kw_only=True):
    model: str
    facts: ModelFacts = ModelFacts()
    priced: bool = False
    """What its answers cost will be known."""
    sums_up: SumsUp = ""


class FindCheapest(Message, frozen=True, kw_only=True):
    """Which model of the same service does small things cheaply? Answered by ResolvedModel; fails as ResolveModel.

    Its model is "" where none is known to.
    """

    model: str = ""


class TryService(Message, frozen=True, kw_only=True):
    """Is the service of this model there? It is asked for its list. Answered by ServiceSaid, fails as ResolveModel."""

    model: str = ""
    provider: str = ""
    """Instead: is this one there, whatever models it has?"""


class ServiceSaid(Message, frozen=True, kw_only=True):
    state: Literal["ok", "note", "problem"]
    """note: it is there, and does not say that it has the model."""
    text: str
    hint: str = ""


class ListModels(Message, frozen=True, kw_only=True):
    """Answered by Models."""

    filter: str = ""
    """Words that must be in PROVIDER/NAME."""


class ListedModel(msgspec.Struct, frozen=True, kw_only=True):
    model: str
    """PROVIDER/NAME."""
    facts: ModelFacts
    usable: bool
    why_not: str = ""
    """The next step when it is not usable now."""


class Models(Message, frozen=True, kw_only=True):
    models: tuple[ListedModel, ...]
    nearest: tuple[str, ...] = ()
    """When the filter finds none."""
    silent: tuple[str, ...] = ()
    """What services said that were asked and offer nothing: those the user named, in the settings or in the filter."""


class MergeEdit(Message, frozen=True, kw_only=True):
    """Asked by a tool worker of the edit service: put this sketch into that file. Answered by Merged."""

    original: str
    sketch: str
    instruction: str = ""


class Merged(Message, frozen=True, kw_only=True):
    """The whole new text of the file, as the service wrote it: to be checked before it is written."""

    text: str


LONGEST_OUTGOING = 128 * 1024
"""Characters that are compared with the secrets: about a second's work."""


class SearchWeb(Message, frozen=True, kw_only=True):
    """Answered by Found."""

    query: str
    limit: int = 5


class CheckOutgoing(Message, frozen=True, kw_only=True):
    """Asked of the providers by the gate: does what is to leave carry the value of a secret? Answered by Outgoing."""

    text: str
    """At most LONGEST_OUTGOING characters."""
    workspace: str
    hidden: tuple[str, ...] = ()
    """Patterns of files whose secrets do not leave either, as in Read(...) rules."""


class Outgoing(Message, frozen=True, kw_only=True):
    secret: str = ""
    """Where the secret is from that it carries: a variable's name, a file's path. Never its value; "" for none."""


class FoundPage(msgspec.Struct, frozen=True, kw_only=True):
    url: str
    title: str
    excerpt: str = ""


class Found(Message, frozen=True, kw_only=True):
    service: str
    pages: tuple[FoundPage, ...]
