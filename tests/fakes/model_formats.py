"""A scripted answer as a model service would send it, streamed or whole, in all formats: the other side of ours."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec

from actors.messages.model import TextDelta
from actors.providers.scripted import ScriptedAnswer, Situation, calls, deltas

Json = dict[str, Any]
SIGNATURE = "c2lnbmVk"


class _Part(msgspec.Struct):
    type: str = "text"
    text: str = ""
    content: "str | list[_Part]" = ""

    @property
    def said(self) -> str:
        if isinstance(self.content, str):
            return self.text or self.content
        return "".join(part.said for part in self.content)


class _Message(msgspec.Struct):
    """Of `messages`, or an item of `input`."""

    role: str = ""
    type: str = "message"
    content: str | list[_Part] | None = None
    output: str | list[_Part] = ""

    @property
    def is_answer(self) -> bool:
        return self.role == "assistant" or self.type in ("reasoning", "function_call", "custom_tool_call")

    @property
    def parts(self) -> list[_Part]:
        if self.type.endswith("_call_output"):
            return [_Part("tool_result", content=self.output)]
        if isinstance(self.content, list):
            return self.content
        return [_Part("tool_result" if self.role == "tool" else "text", self.content or "")]


class _Choice(msgspec.Struct):
    type: str


class Body(msgspec.Struct):
    """What the formats have in common."""

    model: str
    messages: list[_Message] = []
    input: list[_Message] = []
    tools: list[msgspec.Raw] = []
    tool_choice: _Choice | str | None = None
    stream: bool = False


def situation(body: Body) -> Situation:
    told = [*body.messages, *body.input]
    parts = [part for message in told if message.role in ("user", "tool", "") for part in message.parts]
    choice = body.tool_choice.type if isinstance(body.tool_choice, _Choice) else body.tool_choice
    return Situation(
        answered=_answers(body),
        prompt=next((part.said for part in reversed(parts) if part.type in ("text", "input_text")), ""),
        result=next((part.said for part in reversed(parts) if part.type == "tool_result"), ""),
        tools_offered=bool(body.tools) and choice != "none",
    )


def first_prompt(body: Body) -> str:
    """What the conversation begins with, as far as the user said it."""
    users = (message for message in (*body.messages, *body.input) if message.role == "user")
    return next((part.said for message in users for part in message.parts), "")


def _answers(body: Body) -> int:
    """One answer is one message, but several items in a row."""
    in_items = sum(is_answer for is_answer, _ in groupby(body.input, lambda item: item.is_answer))
    return in_items + sum(message.is_answer for message in body.messages)


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
    yield _data({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [], "usage": _chat_usage(scripted)})
    yield b"data: [DONE]\n\n"


def chat_whole(scripted: ScriptedAnswer, at: Situation, model: str) -> bytes:
    thinking, text = _told(scripted, at)
    called = [
        {"id": call_id, "type": "function", "function": {"name": name, "arguments": "".join(pieces)}}
        for call_id, name, pieces in _tool_calls(scripted, at)
    ]
    message: Json = {"role": "assistant", "content": text, "reasoning_content": thinking, "tool_calls": called}
    reason = "length" if scripted.cut else "tool_calls" if called else "stop"
    choice = {"index": 0, "message": message, "finish_reason": reason}
    whole = {"id": "chatcmpl-1", "object": "chat.completion", "model": model, "choices": [choice]}
    return msgspec.json.encode({**whole, "usage": _chat_usage(scripted)})


def _chat_usage(scripted: ScriptedAnswer) -> Json:
    usage = scripted.usage
    counts: Json = {"prompt_tokens": usage.input_tokens, "completion_tokens": usage.output_tokens}
    counts["total_tokens"] = usage.input_tokens + usage.output_tokens
    counts["prompt_tokens_details"] = {"cached_tokens": usage.cache_read_tokens}
    return counts


def messages(scripted: ScriptedAnswer, at: Situation, model: str) -> Iterator[bytes]:
    """Messages events."""
    usage = scripted.usage
    counts = _messages_usage(scripted, output=1)
    start = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [], "usage": counts}
    yield _event("message_start", message=start)
    for index, (block, changes) in enumerate(_blocks(scripted, at)):
        yield _event("content_block_start", index=index, content_block=block)
        for change in changes:
            yield _event("content_block_delta", index=index, delta=change)
        yield _event("content_block_stop", index=index)
    stop = _messages_stop(scripted, at)
    yield _event("message_delta", delta={"stop_reason": stop}, usage={"output_tokens": usage.output_tokens})
    yield _event("message_stop")


def messages_whole(scripted: ScriptedAnswer, at: Situation, model: str) -> bytes:
    thinking, text = _told(scripted, at)
    content: list[Json] = [{"type": "thinking", "thinking": thinking, "signature": SIGNATURE}] if thinking else []
    content += [{"type": "text", "text": text}] if text else []
    for call_id, name, pieces in _tool_calls(scripted, at):
        content.append(
            {"type": "tool_use", "id": call_id, "name": name, "input": msgspec.Raw("".join(pieces).encode())}
        )
    whole = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content}
    counts = _messages_usage(scripted, scripted.usage.output_tokens)
    return msgspec.json.encode({**whole, "stop_reason": _messages_stop(scripted, at), "usage": counts})


def _messages_stop(scripted: ScriptedAnswer, at: Situation) -> str:
    return "max_tokens" if scripted.cut else "tool_use" if any(calls(scripted, at)) else "end_turn"


def _messages_usage(scripted: ScriptedAnswer, output: int) -> Json:
    usage = scripted.usage
    counts = {"input_tokens": usage.input_tokens - usage.cache_read_tokens, "output_tokens": output}
    return counts | {"cache_read_input_tokens": usage.cache_read_tokens}


def _blocks(scripted: ScriptedAnswer, at: Situation) -> Iterator[tuple[Json, list[Json]]]:
    told = list(deltas(scripted, at))
    if thoughts := [delta.text for delta in told if not isinstance(delta, TextDelta)]:
        changes = [{"type": "thinking_delta", "thinking": text} for text in thoughts]
        yield {"type": "thinking", "thinking": ""}, [*changes, {"type": "signature_delta", "signature": SIGNATURE}]
    if texts := [delta.text for delta in told if isinstance(delta, TextDelta)]:
        yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": text} for text in texts]
    for call_id, name, pieces in _tool_calls(scripted, at):
        changes = [{"type": "input_json_delta", "partial_json": piece} for piece in ("", *pieces)]
        yield {"type": "tool_use", "id": call_id, "name": name, "input": {}}, changes


def responses(scripted: ScriptedAnswer, at: Situation, model: str) -> Iterator[bytes]:
    """Responses events."""
    begun = {"id": "resp_1", "object": "response", "status": "in_progress", "model": model, "error": None, "output": []}
    yield _event("response.created", response=begun)
    items = _items(scripted, at)
    for index, (item, changes) in enumerate(items):
        begin = {**item, **{key: type(item[key])() for key in ("summary", "content", "arguments") if key in item}}
        yield _event("response.output_item.added", output_index=index, item=begin)
        for kind, change in changes:
            place = {"item_id": item["id"], "output_index": index, "content_index": 0, "summary_index": 0}
            yield _event(kind, **place, delta=change)
        yield _event("response.output_item.done", output_index=index, item=item)
    whole = _response(scripted, at, model)
    yield _event(f"response.{whole['status']}", response=whole)


def responses_whole(scripted: ScriptedAnswer, at: Situation, model: str) -> bytes:
    return msgspec.json.encode(_response(scripted, at, model))


def _response(scripted: ScriptedAnswer, at: Situation, model: str) -> Json:
    usage = scripted.usage
    counts: Json = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    counts["total_tokens"] = usage.input_tokens + usage.output_tokens
    counts["input_tokens_details"] = {"cached_tokens": usage.cache_read_tokens}
    output = [item for item, _ in _items(scripted, at)]
    whole: Json = {"id": "resp_1", "object": "response", "model": model, "error": None, "output": output}
    details = {"reason": "max_output_tokens"} if scripted.cut else None
    status = "incomplete" if scripted.cut else "completed"
    return whole | {"status": status, "incomplete_details": details, "usage": counts}


def _items(scripted: ScriptedAnswer, at: Situation) -> list[tuple[Json, list[tuple[str, str]]]]:
    """Each as it is at the end, and the deltas before."""
    thinking, text = _told(scripted, at)
    items: list[tuple[Json, list[tuple[str, str]]]] = []
    if thinking:
        summary = [{"type": "summary_text", "text": thinking}]
        item: Json = {"type": "reasoning", "id": "rs_1", "summary": summary, "encrypted_content": SIGNATURE}
        items.append((item, [("response.reasoning_summary_text.delta", thinking)]))
    if text:
        content = [{"type": "output_text", "text": text, "annotations": []}]
        item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}
        pieces = [delta.text for delta in deltas(scripted, at) if isinstance(delta, TextDelta)]
        items.append((item, [("response.output_text.delta", piece) for piece in pieces]))
    for call_id, name, parts in _tool_calls(scripted, at):
        item = {"type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "name": name}
        changes = [("response.function_call_arguments.delta", part) for part in parts]
        items.append(({**item, "arguments": "".join(parts)}, changes))
    return items


def _told(scripted: ScriptedAnswer, at: Situation) -> tuple[str, str]:
    """Thinking and text."""
    told = list(deltas(scripted, at))
    thinking = "".join(delta.text for delta in told if not isinstance(delta, TextDelta))
    return thinking, "".join(delta.text for delta in told if isinstance(delta, TextDelta))


def _tool_calls(scripted: ScriptedAnswer, at: Situation) -> Iterator[tuple[str, str, list[str]]]:
    """Id, name, and the arguments in two pieces; of a cut call only the first."""
    asked = list(calls(scripted, at))
    for number, (name, arguments) in enumerate(asked):
        half = len(arguments) // 2
        is_cut = scripted.cut and number == len(asked) - 1
        pieces = [arguments[:half]] if is_cut else [arguments[:half], arguments[half:]]
        yield f"call_{at.answered}_{number}", name, pieces


def error_event(path: str, kind: str, message: str) -> bytes:
    """How the format of this path says in a stream that something went wrong."""
    error = {"type": kind, "code": kind, "message": message}
    if path == "/v1/chat/completions":
        return _data({"error": error})
    return _event("error", error=error)


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\n".encode() + _data({"type": kind, **fields})


def _data(value: Json) -> bytes:
    return b"data: " + msgspec.json.encode(value) + b"\n\n"
