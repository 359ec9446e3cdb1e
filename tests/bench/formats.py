"""The benchmark's model in three wire formats: the plan in a request, and its answer as server-sent events.

Pure but for ids: none comes twice, as clients join by them. The events have the members and so the sizes that the
services' own have.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from uuid import uuid4

import msgspec

from tests.bench.plan import Plan, texts

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
    type: str = ""
    content: str | list[_Part] | None = None

    @property
    def texts(self) -> list[str]:
        return [part.text for part in self.content] if isinstance(self.content, list) else [self.content or ""]

    @property
    def is_answer(self) -> bool:
        """In the Responses API a call is no part of a message, but stands beside them; only one is made at once."""
        return self.role == "assistant" or self.type == "function_call"


class _Body(msgspec.Struct):
    messages: list[_Message] = []
    input: list[_Message] = []


def read(body: bytes) -> tuple[Plan, int] | None:
    """The plan of the latest prompt, and how many answers it has had; None: it asks for something else, as a title."""
    asked = msgspec.json.decode(body, type=_Body)
    answered = 0
    for message in reversed(asked.messages or asked.input):
        if message.role == "user":  # a program's own notes are user messages or parts of them too
            for text in message.texts:
                if text.startswith("{"):
                    return msgspec.json.decode(text, type=Plan), answered
        answered += message.is_answer
    return None


class _Called(NamedTuple):
    id: str
    tool: str
    arguments: str


def _calls(plan: Plan, answered: int) -> Iterator[_Called]:
    """Those of this answer; none: it is the last one."""
    if answered < plan.rounds:
        call = plan.calls[answered % len(plan.calls)]
        for number in range(plan.at_once):
            name = f"{answered}.{number}" if number else str(answered)
            arguments = msgspec.json.encode(call.arguments).decode().replace("#", name)
            yield _Called(f"call_{uuid4().hex}", call.tool, arguments)


def chat(plan: Plan, answered: int) -> Speech:
    """Chat Completions."""
    end = [b"data: [DONE]\n\n"]
    if calls := [_chat_call(index, called) for index, called in enumerate(_calls(plan, answered))]:
        return Speech([], [_chunk({"role": "assistant", "tool_calls": calls})], [_chunk({}, "tool_calls"), *end])
    return Speech([], [_chunk({"content": text}) for text in texts(plan)], [_chunk({}, "stop"), *end])


def _chat_call(index: int, called: _Called) -> Json:
    function = {"name": called.tool, "arguments": called.arguments}
    return {"index": index, "id": called.id, "type": "function", "function": function}


def _chunk(delta: Json, finish_reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
    facts = {"id": f"chatcmpl-{ID}", "object": "chat.completion.chunk", "created": 1790000000, "model": "instant"}
    return b"data: %s\n\n" % msgspec.json.encode({**facts, "choices": [choice]})


def responses(plan: Plan, answered: int) -> Speech:
    """The Responses API."""
    calls = [*_calls(plan, answered)]
    said = [_call_item(called) for called in calls] or [_message("".join(texts(plan)))]
    events = [event for at, called in enumerate(calls) for event in _calling(at, called)] or _saying(plan)
    response: Json = {"id": f"resp_{ID}", "object": "response", "status": "in_progress", "model": "instant"}
    usage = {"input_tokens": 10, "output_tokens": plan.deltas, "total_tokens": 10 + plan.deltas}
    whole: list[tuple[str, Json]] = [
        ("created", {"response": {**response, "output": []}}),
        ("in_progress", {"response": {**response, "output": []}}),
        *events,
        ("completed", {"response": {**response, "status": "completed", "output": said, "usage": usage}}),
    ]
    return _parted(
        _event(f"response.{kind}", {**fields, "sequence_number": number}) for number, (kind, fields) in enumerate(whole)
    )


PART: Json = {"type": "output_text", "annotations": [], "logprobs": [], "text": ""}


def _message(text: str) -> Json:
    content = [{**PART, "text": text}] if text else []
    status = "completed" if text else "in_progress"
    return {"id": f"msg_{ID}", "type": "message", "role": "assistant", "status": status, "content": content}


def _saying(plan: Plan) -> list[tuple[str, Json]]:
    at = {"output_index": 0}
    place: Json = {"item_id": f"msg_{ID}", **at, "content_index": 0}
    whole = "".join(texts(plan))
    return [
        ("output_item.added", {**at, "item": _message("")}),
        ("content_part.added", {**place, "part": PART}),
        *(("output_text.delta", {**place, "delta": text, "logprobs": [], "obfuscation": "x"}) for text in texts(plan)),
        ("output_text.done", {**place, "text": whole, "logprobs": []}),
        ("content_part.done", {**place, "part": {**PART, "text": whole}}),
        ("output_item.done", {**at, "item": _message(whole)}),
    ]


def _call_item(called: _Called) -> Json:
    item = {"id": f"fc_{called.id}", "type": "function_call", "status": "completed"}
    return {**item, "call_id": called.id, "name": called.tool, "arguments": called.arguments}


def _calling(index: int, called: _Called) -> list[tuple[str, Json]]:
    at = {"output_index": index}
    place = {**at, "item_id": f"fc_{called.id}"}
    item = _call_item(called)
    return [
        ("output_item.added", {**at, "item": {**item, "status": "in_progress", "arguments": ""}}),
        ("function_call_arguments.delta", {**place, "delta": called.arguments}),
        ("function_call_arguments.done", {**place, "name": called.tool, "arguments": called.arguments}),
        ("output_item.done", {**at, "item": item}),
    ]


def messages(plan: Plan, answered: int) -> Speech:
    """Anthropic's Messages."""
    calls = [*_calls(plan, answered)]
    start = {"id": f"msg_{uuid4().hex}", "type": "message", "role": "assistant", "model": "instant", "content": []}
    usage = {"input_tokens": 10, "output_tokens": 1}
    blocks = [
        _block(index, {"type": "tool_use", "id": called.id, "name": called.tool, "input": {}}, [_json(called)])
        for index, called in enumerate(calls)
    ]
    said = [{"type": "text_delta", "text": text} for text in texts(plan)]
    stopped = {"stop_reason": "tool_use" if calls else "end_turn"}
    return _parted(
        [
            _event("message_start", {"message": {**start, "stop_reason": None, "usage": usage}}),
            *(event for block in blocks or [_block(0, {"type": "text", "text": ""}, said)] for event in block),
            _event("message_delta", {"delta": stopped, "usage": {"output_tokens": plan.deltas}}),
            _event("message_stop", {}),
        ]
    )


def _json(called: _Called) -> Json:
    return {"type": "input_json_delta", "partial_json": called.arguments}


def _block(index: int, opened: Json, deltas: Iterable[Json]) -> Iterator[bytes]:
    at = {"index": index}
    yield _event("content_block_start", {**at, "content_block": opened})
    for delta in deltas:
        yield _event("content_block_delta", {**at, "delta": delta})
    yield _event("content_block_stop", at)


def _event(kind: str, fields: Json) -> bytes:
    return f"event: {kind}\n".encode() + b"data: %s\n\n" % msgspec.json.encode({"type": kind, **fields})


def _parted(events: Iterable[bytes]) -> Speech:
    """From the first delta to the last one is what is dripped."""
    whole = [*events]
    deltas = [at for at, event in enumerate(whole) if _is_delta(event)] or [len(whole)]
    return Speech(whole[: deltas[0]], whole[deltas[0] : deltas[-1] + 1], whole[deltas[-1] + 1 :])


def _is_delta(event: bytes) -> bool:
    return event.partition(b"\n")[0].endswith((b"text.delta", b"block_delta"))


BY_PATH = {"/v1/chat/completions": chat, "/v1/responses": responses, "/v1/messages": messages}
PROVIDERS = {"openai-chat": "bench", "openai-responses": "bench-responses", "anthropic-messages": "bench-messages"}
"""By wire format, as the place configures them."""
