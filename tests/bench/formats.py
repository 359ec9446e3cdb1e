"""The benchmark's model in three wire formats: the plan in a request, and its answer as server-sent events. Pure.

The events have the members and so the sizes that the services' own have.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from tests.bench.plan import Call, Plan, texts

Json = dict[str, Any]
ID = "0a1b2c3d4e5f60718293a4b5c6d7e8f90123456789abcdef"


class Speech(NamedTuple):
    opening: list[bytes]
    deltas: list[bytes]
    closing: list[bytes]


class _Part(msgspec.Struct):
    text: str = ""


class _Message(msgspec.Struct):
    role: str = ""
    content: str | list[_Part] | None = None

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.content) if isinstance(self.content, list) else self.content or ""


class _Body(msgspec.Struct):
    messages: list[_Message] = []
    input: list[_Message] = []


def read(body: bytes) -> tuple[Plan, int]:
    """The plan of the latest prompt, and how many answers it has had."""
    asked = msgspec.json.decode(body, type=_Body)
    answered = 0
    for message in reversed(asked.messages or asked.input):
        if message.role == "user" and message.text.startswith("{"):  # else a note of the program's own: calls repeat
            return msgspec.json.decode(message.text, type=Plan), answered
        answered += message.role == "assistant"
    raise ValueError("a request without a prompt")


def chat(plan: Plan, answered: int) -> Speech:
    """Chat Completions: the only one that also calls tools."""
    end = [b"data: [DONE]\n\n"]
    if answered < plan.rounds:
        call = plan.calls[answered % len(plan.calls)]
        called = [_called(call, answered, number) for number in range(plan.at_once)]
        calls = [_chunk({"role": "assistant", "tool_calls": called})]
        return Speech([], calls, [_chunk({}, "tool_calls"), *end])
    return Speech([], [_chunk({"content": text}) for text in texts(plan)], [_chunk({}, "stop"), *end])


def _called(call: Call, answered: int, number: int) -> Json:
    name = f"{answered}.{number}" if number else str(answered)
    arguments = msgspec.json.encode(call.arguments).decode().replace("#", name)
    return {
        "index": number,
        "id": f"call_{name}",
        "type": "function",
        "function": {"name": call.tool, "arguments": arguments},
    }


def _chunk(delta: Json, finish_reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
    facts = {"id": f"chatcmpl-{ID}", "object": "chat.completion.chunk", "created": 1790000000, "model": "instant"}
    return b"data: %s\n\n" % msgspec.json.encode({**facts, "choices": [choice]})


def responses(plan: Plan, _answered: int) -> Speech:
    """The Responses API."""
    place: Json = {"item_id": f"msg_{ID}", "output_index": 0, "content_index": 0}
    at = {"output_index": 0}
    whole = "".join(texts(plan))
    part: Json = {"type": "output_text", "annotations": [], "logprobs": [], "text": ""}
    item: Json = {"id": f"msg_{ID}", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    said = {**item, "status": "completed", "content": [{**part, "text": whole}]}
    response: Json = {"id": f"resp_{ID}", "object": "response", "status": "in_progress", "model": "instant"}
    usage = {"input_tokens": 10, "output_tokens": plan.deltas, "total_tokens": 10 + plan.deltas}
    events: list[tuple[str, Json]] = [
        ("created", {"response": {**response, "output": []}}),
        ("in_progress", {"response": {**response, "output": []}}),
        ("output_item.added", {**at, "item": item}),
        ("content_part.added", {**place, "part": part}),
        *(("output_text.delta", {**place, "delta": text, "logprobs": [], "obfuscation": "x"}) for text in texts(plan)),
        ("output_text.done", {**place, "text": whole, "logprobs": []}),
        ("content_part.done", {**place, "part": {**part, "text": whole}}),
        ("output_item.done", {**at, "item": said}),
        ("completed", {"response": {**response, "status": "completed", "output": [said], "usage": usage}}),
    ]
    return _parted(
        _event(f"response.{kind}", {**fields, "sequence_number": number})
        for number, (kind, fields) in enumerate(events)
    )


def messages(plan: Plan, _answered: int) -> Speech:
    """Anthropic's Messages."""
    start = {"id": f"msg_{ID}", "type": "message", "role": "assistant", "model": "instant", "content": []}
    usage = {"input_tokens": 10, "output_tokens": 1}
    at = {"index": 0}
    return _parted(
        [
            _event("message_start", {"message": {**start, "stop_reason": None, "usage": usage}}),
            _event("content_block_start", {**at, "content_block": {"type": "text", "text": ""}}),
            *(_event("content_block_delta", {**at, "delta": {"type": "text_delta", "text": it}}) for it in texts(plan)),
            _event("content_block_stop", at),
            _event("message_delta", {"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": plan.deltas}}),
            _event("message_stop", {}),
        ]
    )


def _event(kind: str, fields: Json) -> bytes:
    return f"event: {kind}\n".encode() + b"data: %s\n\n" % msgspec.json.encode({"type": kind, **fields})


def _parted(events: Iterable[bytes]) -> Speech:
    """The deltas stand together."""
    speech = Speech([], [], [])
    for event in events:
        if event.partition(b"\n")[0].endswith((b"text.delta", b"block_delta")):
            speech.deltas.append(event)
        else:
            (speech.closing if speech.deltas else speech.opening).append(event)
    return speech


BY_PATH = {"/v1/chat/completions": chat, "/v1/responses": responses, "/v1/messages": messages}
PROVIDERS = {"openai-chat": "bench", "openai-responses": "bench-responses", "anthropic-messages": "bench-messages"}
"""By wire format, as the place configures them."""
