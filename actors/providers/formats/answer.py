"""From the pieces of a streamed answer to a whole one: shared by the wire formats, knows none of them."""

import secrets
from collections.abc import Iterable

import msgspec

from actors.messages.conversation import (
    AssistantMessage,
    Block,
    Opaque,
    Source,
    StopReason,
    Text,
    Thinking,
    ToolCall,
)
from actors.messages.model import Answer, AskModel
from actors.messages.usage import Usage
from actors.providers.formats.wire_format import is_object

CUTTING: tuple[StopReason, ...] = ("max_tokens", "context_window", "refusal")
"""After these the last call may have lost its end."""


class OpenText(msgspec.Struct):
    pieces: list[str] = msgspec.field(default_factory=list)
    sources: list[Source] = msgspec.field(default_factory=list)
    """As they came: one may be named often."""
    extra: str = ""
    cited: bool = False
    """As of Text."""


class OpenThinking(msgspec.Struct):
    pieces: list[str] = msgspec.field(default_factory=list)
    signature: str = ""


class OpenCall(msgspec.Struct):
    call_id: str
    name: str
    pieces: list[str] = msgspec.field(default_factory=list)
    """Of the arguments."""
    extra: str = ""

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)


OpenBlock = OpenText | OpenThinking | OpenCall | Opaque


def whole(
    blocks: Iterable[OpenBlock], stop_reason: StopReason | None, model: str, usage: Usage, taken: Iterable[str]
) -> Answer:
    """taken: the call ids of the conversation so far; some services number the calls of every answer from 0."""
    used = set(taken)
    cut_call = ""
    closed: list[Block] = []
    for block in blocks:
        if isinstance(block, OpenCall) and stop_reason in CUTTING and not is_object(block.arguments):
            cut_call = block.name
        else:
            closed += _closed(block, used)
    if stop_reason == "refusal":
        closed = [block for block in closed if not isinstance(block, ToolCall)]
    message = AssistantMessage(blocks=tuple(closed), stop_reason=_judged(stop_reason, closed), model=model, usage=usage)
    return Answer(message=message, cut_call=cut_call)


def call_ids(ask: AskModel) -> set[str]:
    return {call.call_id for message in ask.history if isinstance(message, AssistantMessage) for call in message.calls}


def _closed(block: OpenBlock, used: set[str]) -> list[Block]:
    match block:
        case OpenText(pieces, sources, extra, cited):
            text = "".join(pieces)
            return [Text(text=text, sources=once(sources), cited=cited, extra=extra)] if text else []
        case OpenThinking(pieces, signature):
            text = "".join(pieces)
            return [Thinking(text=text, signature=signature)] if text or signature else []
        case OpenCall(call_id, name, extra=extra):
            if not call_id or call_id in used:
                call_id = f"call_{secrets.token_hex(8)}"
            used.add(call_id)
            return [ToolCall(call_id=call_id, name=name, arguments=block.arguments.strip() or "{}", extra=extra)]
        case Opaque():
            return [block]


def once(sources: Iterable[Source]) -> tuple[Source, ...]:
    by_url: dict[str, Source] = {}
    for source in sources:
        by_url.setdefault(source.url, source)
    return tuple(by_url.values())


def _judged(stop_reason: StopReason | None, blocks: list[Block]) -> StopReason:
    """Services say "stop" with calls and "tool_calls" without; the calls decide."""
    if stop_reason in (None, "end_turn", "tool_calls"):
        return "tool_calls" if any(isinstance(block, ToolCall) for block in blocks) else "end_turn"
    return stop_reason
