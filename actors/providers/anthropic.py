"""Anthropic's Messages API. No I/O.

Format: https://docs.claude.com/en/api/messages-streaming. Blocks that only the service itself understands are kept as
they came and go back unchanged; events and deltas that are not known are skipped, as the service asks.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from actors.messages.conversation import (
    AssistantMessage,
    Opaque,
    StopReason,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
    UserMessage,
)
from actors.messages.model import Answer, AskModel, Retrying, TextDelta, ThinkingDelta
from actors.providers.answer import OpenBlock, OpenCall, OpenText, OpenThinking, call_ids, whole
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults import ServiceFailed, broken, of_event
from actors.providers.sse import Event
from actors.providers.wire import Delta, HttpRequest, Pass, WireFormat, arguments, rounds

API = "anthropic-messages"
VERSION = "2023-06-01"
MAX_TOKENS = 32_000
"""The service wants a limit. This is the least output limit of the models it still offers (claude-opus-4-1)."""
STOP_REASONS: dict[str, StopReason] = {
    "end_turn": "end_turn",
    "stop_sequence": "end_turn",
    "tool_use": "tool_calls",
    "max_tokens": "max_tokens",
    "pause_turn": "pause",
    "refusal": "refusal",
    "model_context_window_exceeded": "context_window",
}


class _Text(msgspec.Struct, tag_field="type", tag="text"):
    text: str


class _Thinking(msgspec.Struct, tag_field="type", tag="thinking"):
    thinking: str
    signature: str


class _ToolUse(msgspec.Struct, tag_field="type", tag="tool_use"):
    id: str
    name: str
    input: msgspec.Raw


class _ToolResult(msgspec.Struct, tag_field="type", tag="tool_result", omit_defaults=True):
    tool_use_id: str
    content: str
    is_error: bool = False


_Content = _Text | _Thinking | _ToolUse | _ToolResult | msgspec.Raw


class _Message(msgspec.Struct):
    role: str
    content: list[_Content]


class _Tool(msgspec.Struct, omit_defaults=True):
    name: str
    input_schema: msgspec.Raw
    description: str = ""


class _Choice(msgspec.Struct):
    type: str


class _OutputConfig(msgspec.Struct):
    effort: str


class _Body(msgspec.Struct, omit_defaults=True):
    model: str
    max_tokens: int
    stream: bool
    messages: list[_Message]
    system: str = ""
    tools: list[_Tool] = []
    tool_choice: _Choice | None = None
    output_config: _OutputConfig | None = None


def request(target: Target, ask: AskModel) -> HttpRequest:
    offered = [_Tool(tool.name, msgspec.Raw(tool.parameters.encode()), tool.description) for tool in ask.tools]
    used = [] if offered else _used_tools(ask)
    body = _Body(
        model=target.name,
        max_tokens=MAX_TOKENS,
        stream=True,
        messages=_messages(ask, target.model),
        system=ask.system,
        tools=offered or used,
        tool_choice=_Choice("none") if used else None,
        output_config=_OutputConfig(ask.effort) if ask.effort else None,
    )
    headers = _headers(target.endpoint) | {"content-type": "application/json", "accept": "text/event-stream"}
    return HttpRequest(f"{target.endpoint.base_url}/v1/messages", headers, msgspec.json.encode(body))


def list_models(endpoint: Endpoint) -> HttpRequest:
    return HttpRequest(f"{endpoint.base_url}/v1/models", _headers(endpoint))


def _headers(endpoint: Endpoint) -> dict[str, str]:
    key = {"x-api-key": endpoint.key} if endpoint.key else {}
    return key | {"anthropic-version": VERSION}


def _used_tools(ask: AskModel) -> list[_Tool]:
    """A conversation with tool calls is refused without `tools`, also when none may be called any more."""
    calls = (call for message in ask.history if isinstance(message, AssistantMessage) for call in message.calls)
    return [_Tool(name, msgspec.Raw(b'{"type":"object"}')) for name in sorted({call.name for call in calls})]


def _messages(ask: AskModel, model: str) -> list[_Message]:
    messages: list[_Message] = []
    for step in rounds(ask.history):
        if isinstance(step, AssistantMessage):
            role, content = "assistant", list(_answered(step, model))
        else:
            role, content = "user", list(_came_back(*step))
        if messages and messages[-1].role == role:
            messages[-1].content.extend(content)  # an empty answer between two prompts was left out
        elif content:
            messages.append(_Message(role, content))
    return messages


def _answered(message: AssistantMessage, model: str) -> Iterator[_Content]:
    own = message.model == model  # thinking is bound to the model it came from; others refuse it
    for block in message.blocks:
        match block:
            case Text(text=text):
                if text.strip():
                    yield _Text(text)
            case Thinking(text=text, signature=signature):
                if own and signature:
                    yield _Thinking(text, signature)
            case ToolCall(call_id=call_id, name=name):
                yield _ToolUse(_id(call_id), name, msgspec.Raw(arguments(block).encode()))
            case Opaque(api=api, data=data):
                if own and api == API:
                    yield msgspec.Raw(data.encode())


def _came_back(results: Sequence[ToolResult], said: Sequence[UserMessage]) -> Iterator[_Content]:
    for result in results:
        yield _ToolResult(_id(result.call_id), result.output, result.failed or result.denied)
    for message in said:
        yield _Text(message.text)


def _id(call_id: str) -> str:
    """Ids other services made may have letters this one refuses."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", call_id)


class _Start(msgspec.Struct):
    usage: msgspec.Raw = msgspec.Raw(b"{}")


class _BlockStart(msgspec.Struct):
    type: str
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    id: str = ""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"{}")


class _Delta(msgspec.Struct):
    type: str = ""
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    partial_json: str | None = None
    content: str | None = None
    stop_reason: str | None = None


class _Event(msgspec.Struct):
    type: str
    index: int = 0
    message: _Start | None = None
    content_block: msgspec.Raw = msgspec.Raw(b"")
    delta: _Delta | None = None
    usage: msgspec.Raw = msgspec.Raw(b"")


class _OutputDetails(msgspec.Struct):
    thinking_tokens: int | None = None


class _Usage(msgspec.Struct, omit_defaults=True):
    input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens: int | None = None
    output_tokens_details: _OutputDetails | None = None


class _OpenOpaque:
    """A block kept as it came; its input or content may stream in after it."""

    def __init__(self, start: bytes) -> None:
        self.start = start
        self.input: list[str] = []
        self.content: list[str] = []

    def closed(self) -> Opaque:
        block = msgspec.json.decode(self.start, type=dict[str, msgspec.Raw])
        if given := "".join(self.input):
            block["input"] = msgspec.Raw(given.encode())
        if self.content:
            block["content"] = msgspec.Raw(msgspec.json.encode("".join(self.content)))
        return Opaque(api=API, data=msgspec.json.encode(block).decode())


_event = msgspec.json.Decoder(_Event)


class _Reader:
    def __init__(self, target: Target, ask: AskModel) -> None:
        self.ended = False
        self.passes: list[Pass] = []
        self._model = target.model
        self._taken = call_ids(ask)
        self._blocks: dict[int, OpenBlock | _OpenOpaque] = {}
        self._stop_reason: str | None = None
        self._usage = _Usage()

    def read(self, event: Event) -> list[Delta]:
        try:
            message = _event.decode(event.data)
            match message.type:
                case "content_block_delta":
                    return self._go_on(message)
                case "content_block_start":
                    return self._open(message.index, message.content_block)
                case "message_start":
                    return self._begin(message)
                case "message_delta":
                    self._count(message.usage)
                    if message.delta:
                        self._stop_reason = message.delta.stop_reason or self._stop_reason
                case "message_stop":
                    self.ended = True
                case "error":
                    raise ServiceFailed(of_event(event.data))
                case _:
                    pass  # ping, content_block_stop, and what the service will think of
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ServiceFailed(broken("it sent something that is not a Messages event.")) from error
        return []

    def read_whole(self, body: bytes) -> list[Delta]:
        raise ServiceFailed(broken(f"it answered at once, with {len(body)} bytes."))

    def finish(self) -> Answer:
        if not self.ended and self._stop_reason is None:
            raise ServiceFailed(broken("the stream ended in the middle."))
        stop = STOP_REASONS.get(self._stop_reason, "end_turn") if self._stop_reason else None
        try:
            blocks = [block.closed() if isinstance(block, _OpenOpaque) else block for block in self._blocks.values()]
        except msgspec.DecodeError as error:
            raise ServiceFailed(broken("it left a block of its own unfinished.")) from error
        return whole(blocks, stop, self._model, self._counted(), self._taken)

    def _begin(self, message: _Event) -> list[Delta]:
        void: list[Delta] = [Retrying(why="The service began its answer again.", wait_s=0)] if self._blocks else []
        self._blocks.clear()
        self._usage = _Usage()
        if message.message:
            self._count(message.message.usage)
        return void

    def _open(self, index: int, raw: msgspec.Raw) -> list[Delta]:
        start = msgspec.json.decode(raw, type=_BlockStart)
        match start.type:
            case "text":
                self._blocks[index] = OpenText()
                return self._say(self._blocks[index], start.text)
            case "thinking":
                self._blocks[index] = OpenThinking(signature=start.signature or "")
                return self._think(self._blocks[index], start.thinking)
            case "tool_use":
                whole_input = bytes(start.input).decode()
                self._blocks[index] = OpenCall(start.id, start.name, [whole_input] if whole_input != "{}" else [])
            case _:
                self._blocks[index] = _OpenOpaque(bytes(raw))
        return []

    def _go_on(self, message: _Event) -> list[Delta]:
        block, delta = self._blocks.get(message.index), message.delta
        if block is None or delta is None:
            return []
        match delta.type:
            case "text_delta":
                return self._say(block, delta.text)
            case "thinking_delta":
                return self._think(block, delta.thinking)
            case "signature_delta" if isinstance(block, OpenThinking):
                block.signature += delta.signature or ""
            case "input_json_delta" if isinstance(block, OpenCall):
                block.pieces.append(delta.partial_json or "")
            case "input_json_delta" if isinstance(block, _OpenOpaque):
                block.input.append(delta.partial_json or "")
            case "compaction_delta" if isinstance(block, _OpenOpaque):
                block.content.append(delta.content or "")
        return []

    def _say(self, block: OpenBlock | _OpenOpaque, text: str | None) -> list[Delta]:
        if not text or not isinstance(block, OpenText):
            return []
        block.pieces.append(text)
        return [TextDelta(text=text)]

    def _think(self, block: OpenBlock | _OpenOpaque, text: str | None) -> list[Delta]:
        if not text or not isinstance(block, OpenThinking):
            return []
        block.pieces.append(text)
        return [ThinkingDelta(text=text)]

    def _count(self, usage: msgspec.Raw) -> None:
        """Later counts are totals; a field they leave out or give as null keeps its earlier count."""
        if not usage:
            return
        counts = msgspec.json.decode(usage, type=_Usage | None) or _Usage()
        for field in _Usage.__struct_fields__:
            if (count := getattr(counts, field)) is not None:
                setattr(self._usage, field, count)

    def _counted(self) -> Usage:
        usage = self._usage
        read, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
        details = usage.output_tokens_details or _OutputDetails()
        return Usage(
            input_tokens=(usage.input_tokens or 0) + read + written,
            cache_read_tokens=read,
            cache_write_tokens=written,
            output_tokens=usage.output_tokens or 0,
            reasoning_tokens=details.thinking_tokens or 0,
        )


def as_text(data: str) -> str:
    del data
    return ""


FORMAT = WireFormat(api="anthropic-messages", request=request, reader=_Reader, list_models=list_models, as_text=as_text)
