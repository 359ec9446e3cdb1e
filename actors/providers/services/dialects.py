"""What single services want beside their wire format: one table, and the headers of their own. No I/O.

Facts that no service documents, and what several programs found out by themselves, are in DECISIONS: Dialects.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from actors.messages.conversation import ModelInput, ToolResult, UserMessage
from actors.messages.model import Api, AskModel
from actors.providers.endpoint import Endpoint, Target

ANY_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""Of a tool call, as every service takes it: OpenAI has the length, Anthropic the letters."""
MISTRAL_ID = re.compile(r"[A-Za-z0-9]{9}")
UNSIGNED = '{"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}}'
MOST_OUTPUT = 32_000
"""Tokens. Where a limit has to be sent: several services want prompt and limit together to fit the context."""

SEARCHING = {"", "anthropic", "openai", "codex", "openrouter", "xai"}
"""Dialects whose services search the web, in at least one format; of a server that is not known its user knows."""
Thinking = Literal[
    "effort", "effort or none", "effort and none", "reasoning", "toggle", "toggle and effort", "template"
]
"""How it is switched: reasoning_effort; the same, and "none" where no efforts are known, or beside those that are;
OpenRouter's `reasoning`; `thinking` with a type, also beside reasoning_effort; chat_template_kwargs."""


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """How one service speaks Chat Completions. The defaults are what most servers take."""

    limit: bool = False
    """max_tokens is sent: left to itself the service cuts answers short."""
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
    call_id: re.Pattern[str] = ANY_ID
    bridged: bool = False
    """No user message may follow a tool message."""
    alternating: bool = False
    """No two messages of the user in a row, and no two answers: models' own chat templates refuse them."""
    pdfs: bool = False
    """Takes them as `file` parts."""
    caching: bool = False
    """Hands cache_control on to Anthropic and Google."""


UNKNOWN = Dialect(thinking="effort and none", alternating=True)
DIALECTS = {
    "openai": Dialect(developer=True, cache_key=True, pdfs=True),
    "openrouter": Dialect(thinking="reasoning", pdfs=True, caching=True),
    "copilot": Dialect(limit=True, returned="reasoning_text"),
    "google": Dialect(thinking="effort or none"),
    "xai": Dialect(),
    "deepseek": Dialect(limit=True, thinking="toggle and effort", returned="reasoning_content", stand_in=""),
    "moonshotai": Dialect(limit=True, thinking="toggle", returned="reasoning_content", stand_in="."),
    "zai": Dialect(limit=True, usage=False, thinking="toggle and effort", returned="reasoning_content"),
    "mistral": Dialect(usage=False, returned="content", call_id=MISTRAL_ID, bridged=True),
    "groq": Dialect(),
    "cerebras": Dialect(),
    "ollama": Dialect(thinking="effort and none", alternating=True),
    "lmstudio": Dialect(alternating=True),
    "llamacpp": Dialect(parallel=True, thinking="template", alternating=True),
    "vllm": Dialect(thinking="template", alternating=True),
}


def of(target: Target) -> Dialect:
    dialect = DIALECTS.get(target.endpoint.dialect, UNKNOWN)
    if target.endpoint.bridged:
        return replace(dialect, bridged=True, alternating=True, call_id=MISTRAL_ID)
    return dialect


def limit(target: Target) -> int:
    """The most tokens of an answer that is asked for; 0: none is, the service knows best."""
    copilots_own = target.endpoint.dialect == "copilot" and target.name.startswith("gpt")
    return min(target.facts.max_output, MOST_OUTPUT) if of(target).limit and not copilots_own else 0


def searches(endpoint: Endpoint) -> bool:
    """May it be asked to search the web? Others refuse a tool they do not know."""
    return endpoint.dialect in SEARCHING


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
    """Of a server that is not in the table its user knows. The table's facts are of the makers' own formats."""
    return of(target).pdfs or (target.endpoint.dialect not in DIALECTS and target.facts.pdfs is True)


def unsigned(target: Target) -> str:
    """JSON of what the first call of an answer has that no signature of this model came with; "" for nothing.

    Google's models demand one since their third generation, and say what to put there instead.
    """
    demanded = target.endpoint.dialect == "google" and "gemini-2" not in target.name
    return UNSIGNED if demanded else ""


def takes_marks(target: Target) -> Literal["", "ends", "ends and results"]:
    """Where cache_control may be. Google keeps a copy for each mark, so they do not move with every result there."""
    if not of(target).caching:
        return ""
    maker = target.name.lstrip("~").partition("/")[0]
    return "ends and results" if maker == "anthropic" else "ends" if maker == "google" else ""


COPILOT = {
    "copilot-integration-id": "vscode-chat",
    "editor-version": "vscode/1.107.0",
    "editor-plugin-version": "copilot-chat/0.35.0",
    "user-agent": "GitHubCopilotChat/0.35.0",
    "x-github-api-version": "2025-04-01",
}
"""A token is bound to the integration it was made for, so the sign-in and every request say the same."""
STANDING = {
    "openrouter": {"x-title": "Trouper"},
    "copilot": {**COPILOT, "openai-intent": "conversation-edits"},
    "codex": {"originator": "trouper", "openai-beta": "responses=experimental"},
}


def standing_headers(endpoint: Endpoint) -> dict[str, str]:
    """For every request, also for the list of models."""
    return dict(STANDING.get(endpoint.dialect, {}))


def headers(target: Target, ask: AskModel) -> dict[str, str]:
    """For this one request, in whatever wire format."""
    standing = standing_headers(target.endpoint)
    match target.endpoint.dialect:
        case "copilot":
            seen = {"copilot-vision-request": "true"} if any(map(_has_image, ask.history)) else {}
            return standing | {"x-initiator": _initiator(ask)} | seen
        case "codex":
            return standing | {"session_id": ask.session_id}
        case _:
            return standing


def _initiator(ask: AskModel) -> str:
    """What a user began is billed as a request; what the program goes on with by itself is not."""
    last = ask.history[-1] if ask.history else None
    return "user" if isinstance(last, UserMessage) and last.prompt_id else "agent"


def _has_image(message: ModelInput) -> bool:
    if not isinstance(message, UserMessage | ToolResult):
        return False
    return any(attachment.media_type.startswith("image/") for attachment in message.attachments)


def copilot_api(name: str) -> Api:
    """The wire format in which Copilot offers a model: by its name, for one that the table does not know."""
    if name.startswith("claude"):
        return "anthropic-messages"
    generation = re.match(r"gpt-(\d+)", name)
    if "codex" in name or (generation and int(generation[1]) >= 5):
        return "openai-responses"
    return "openai-chat"
