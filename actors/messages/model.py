"""Asking a model: the request, what streams back, the whole answer."""

from actors.messages.base import Message
from actors.messages.conversation import AssistantMessage, Effect, ModelInput


class ToolSpec(Message, frozen=True, kw_only=True):
    name: str
    description: str
    parameters: str
    """JSON schema of the arguments, as JSON text."""
    effect: Effect


class AskModel(Message, frozen=True, kw_only=True):
    """A stream: TextDelta, ThinkingDelta and Retrying items, then an Answer."""

    model: str
    """PROVIDER/NAME, or "" for the one the providers choose."""
    session_id: str
    system: str
    history: tuple[ModelInput, ...]
    tools: tuple[ToolSpec, ...] = ()
    effort: str = ""


class TextDelta(Message, frozen=True, kw_only=True):
    text: str


class ThinkingDelta(Message, frozen=True, kw_only=True):
    text: str


class Retrying(Message, frozen=True, kw_only=True):
    """The answer so far is void; its deltas begin again after the wait."""

    why: str
    wait_s: float


class Answer(Message, frozen=True, kw_only=True):
    """A whole assistant message. A call the answer was cut in is not in it; `cut_call` names its tool."""

    message: AssistantMessage
    cut_call: str = ""


class ResolveModel(Message, frozen=True, kw_only=True):
    """Which model would answer? Fails with no_credentials or unknown_model."""

    model: str = ""


class ResolvedModel(Message, frozen=True, kw_only=True):
    model: str
    context_tokens: int = 0
    """0: unknown."""
