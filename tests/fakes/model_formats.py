"""A scripted answer as a model service would stream it, in both formats: the other side of the wire formats."""

from collections.abc import Iterator
from typing import Any

import msgspec

from actors.messages.model import TextDelta
from actors.providers.scripted import ScriptedAnswer, Situation, calls, deltas

Json = dict[str, Any]


class _Part(msgspec.Struct):
    type: str
    text: str = ""
    content: str = ""


class _Message(msgspec.Struct):
    role: str
    content: str | list[_Part] | None = None

    @property
    def parts(self) -> list[_Part]:
        if isinstance(self.content, list):
            return self.content
        return [_Part("tool_result" if self.role == "tool" else "text", self.content or "", self.content or "")]


class _Choice(msgspec.Struct):
    type: str


class Body(msgspec.Struct):
    """What both formats have in common."""

    model: str
    messages: list[_Message]
    tools: list[msgspec.Raw] = []
    tool_choice: _Choice | None = None


def situation(body: Body) -> Situation:
    parts = [part for message in body.messages if message.role in ("user", "tool") for part in message.parts]
    return Situation(
        answered=sum(message.role == "assistant" for message in body.messages),
        prompt=next((part.text for part in reversed(parts) if part.type == "text"), ""),
        result=next((part.content for part in reversed(parts) if part.type == "tool_result"), ""),
        tools_offered=bool(body.tools) and not (body.tool_choice and body.tool_choice.type == "none"),
    )


def chat(scripted: ScriptedAnswer, at: Situation, model: str) -> Iterator[bytes]:
    """Chat Completions chunks, each one server-sent event."""

    def chunk(delta: Json, finish_reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        return _data({"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": model, "choices": [choice]})

    yield chunk({"role": "assistant", "content": ""})
    for delta in deltas(scripted, at):
        yield chunk({"content" if isinstance(delta, TextDelta) else "reasoning_content": delta.text})
    for index, (call_id, name, pieces) in enumerate(_tool_calls(scripted, at)):
        function: Json = {"name": name, "arguments": ""}
        yield chunk({"tool_calls": [{"index": index, "id": call_id, "type": "function", "function": function}]})
        for piece in pieces:
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, "length" if scripted.cut else "tool_calls" if any(calls(scripted, at)) else "stop")
    usage = scripted.usage
    counts: Json = {"prompt_tokens": usage.input_tokens, "completion_tokens": usage.output_tokens}
    counts["total_tokens"] = usage.input_tokens + usage.output_tokens
    counts["prompt_tokens_details"] = {"cached_tokens": usage.cache_read_tokens}
    yield _data({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [], "usage": counts})
    yield b"data: [DONE]\n\n"


def messages(scripted: ScriptedAnswer, at: Situation, model: str) -> Iterator[bytes]:
    """Messages events."""
    usage = scripted.usage
    counts = {"input_tokens": usage.input_tokens - usage.cache_read_tokens, "output_tokens": 1}
    counts["cache_read_input_tokens"] = usage.cache_read_tokens
    start = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [], "usage": counts}
    yield _event("message_start", message=start)
    for index, (block, changes) in enumerate(_blocks(scripted, at)):
        yield _event("content_block_start", index=index, content_block=block)
        for change in changes:
            yield _event("content_block_delta", index=index, delta=change)
        yield _event("content_block_stop", index=index)
    stop = "max_tokens" if scripted.cut else "tool_use" if any(calls(scripted, at)) else "end_turn"
    yield _event("message_delta", delta={"stop_reason": stop}, usage={"output_tokens": usage.output_tokens})
    yield _event("message_stop")


def _blocks(scripted: ScriptedAnswer, at: Situation) -> Iterator[tuple[Json, list[Json]]]:
    told = list(deltas(scripted, at))
    if thoughts := [delta.text for delta in told if not isinstance(delta, TextDelta)]:
        changes = [{"type": "thinking_delta", "thinking": text} for text in thoughts]
        yield {"type": "thinking", "thinking": ""}, [*changes, {"type": "signature_delta", "signature": "c2lnbmVk"}]
    if texts := [delta.text for delta in told if isinstance(delta, TextDelta)]:
        yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": text} for text in texts]
    for call_id, name, pieces in _tool_calls(scripted, at):
        changes = [{"type": "input_json_delta", "partial_json": piece} for piece in ("", *pieces)]
        yield {"type": "tool_use", "id": call_id, "name": name, "input": {}}, changes


def _tool_calls(scripted: ScriptedAnswer, at: Situation) -> Iterator[tuple[str, str, list[str]]]:
    """Id, name, and the arguments in two pieces; of a cut call only the first."""
    asked = list(calls(scripted, at))
    for number, (name, arguments) in enumerate(asked):
        half = len(arguments) // 2
        is_cut = scripted.cut and number == len(asked) - 1
        pieces = [arguments[:half]] if is_cut else [arguments[:half], arguments[half:]]
        yield f"call_{at.answered}_{number}", name, pieces


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\n".encode() + _data({"type": kind, **fields})


def _data(value: Json) -> bytes:
    return b"data: " + msgspec.json.encode(value) + b"\n\n"
