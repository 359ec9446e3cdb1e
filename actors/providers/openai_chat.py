"""OpenAI's Chat Completions, as many servers speak it. No I/O.

Format: https://platform.openai.com/docs/api-reference/chat. The servers differ in how they number and repeat tool
calls, where reasoning is and when they say how it ended, so the reader takes what it gets and judges by the whole.
"""

from collections.abc import Iterator

import msgspec

from actors.messages.conversation import AssistantMessage, StopReason, Text, ToolCall, Usage
from actors.messages.model import Answer, AskModel, TextDelta, ThinkingDelta
from actors.providers.answer import OpenBlock, OpenCall, OpenText, OpenThinking, call_ids, whole
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults import ServiceFailed, broken, of_event
from actors.providers.sse import Event
from actors.providers.wire import Delta, HttpRequest, Pass, WireFormat, arguments, is_object, rounds

NULL = msgspec.Raw(b"null")
STOP_REASONS: dict[str, StopReason] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "refusal",
    "model_context_window_exceeded": "context_window",
}


class _Function(msgspec.Struct, omit_defaults=True):
    name: str
    arguments: str = ""
    description: str = ""
    parameters: msgspec.Raw = NULL


class _Call(msgspec.Struct):
    id: str
    function: _Function
    type: str = "function"


class _Tool(msgspec.Struct):
    function: _Function
    type: str = "function"


class _Message(msgspec.Struct, omit_defaults=True):
    role: str
    content: str | msgspec.UnsetType = msgspec.UNSET
    tool_calls: list[_Call] = []
    tool_call_id: str = ""


class _StreamOptions(msgspec.Struct):
    include_usage: bool = True


class _Body(msgspec.Struct, omit_defaults=True):
    model: str
    messages: list[_Message]
    stream: bool
    stream_options: _StreamOptions
    tools: list[_Tool] = []
    reasoning_effort: str = ""


def request(target: Target, ask: AskModel) -> HttpRequest:
    system = [_Message("system", ask.system)] if ask.system else []
    body = _Body(
        model=target.name,
        messages=[*system, *_messages(ask)],
        stream=True,
        stream_options=_StreamOptions(),
        tools=[
            _Tool(_Function(tool.name, description=tool.description, parameters=msgspec.Raw(tool.parameters.encode())))
            for tool in ask.tools
        ],
        reasoning_effort=ask.effort,
    )
    headers = _headers(target.endpoint) | {"content-type": "application/json", "accept": "text/event-stream"}
    return HttpRequest(f"{target.endpoint.base_url}/chat/completions", headers, msgspec.json.encode(body))


def list_models(endpoint: Endpoint) -> HttpRequest:
    return HttpRequest(f"{endpoint.base_url}/models", _headers(endpoint))


def _headers(endpoint: Endpoint) -> dict[str, str]:
    return {"authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}


def _messages(ask: AskModel) -> Iterator[_Message]:
    for step in rounds(ask.history):
        if isinstance(step, AssistantMessage):
            yield from _assistant(step)
            continue
        results, said = step
        for result in results:
            yield _Message("tool", result.output, tool_call_id=result.call_id)
        for message in said:
            yield _Message("user", message.text)


def _assistant(message: AssistantMessage) -> Iterator[_Message]:
    text = "".join(block.text for block in message.blocks if isinstance(block, Text))
    calls = [
        _Call(block.call_id, _Function(block.name, arguments(block)))
        for block in message.blocks
        if isinstance(block, ToolCall)
    ]
    if text or calls:
        yield _Message("assistant", text or msgspec.UNSET, calls)


class _FunctionDelta(msgspec.Struct):
    name: str | None = None
    arguments: str | dict[str, msgspec.Raw] | None = None


class _CallDelta(msgspec.Struct):
    index: int | None = None
    id: str | int | None = None
    function: _FunctionDelta | None = None


class _Part(msgspec.Struct):
    """One of Mistral's content array."""

    type: str = ""
    text: str = ""
    thinking: list["_Part"] = []


class _Delta(msgspec.Struct):
    content: str | list[_Part] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    reasoning_text: str | None = None
    refusal: str | None = None
    tool_calls: list[_CallDelta] | None = None


class _Choice(msgspec.Struct):
    index: int = 0
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Chunk(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: msgspec.Raw = NULL
    timings: msgspec.Raw = NULL
    error: msgspec.Raw = NULL


class _Details(msgspec.Struct):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0
    prompt_tokens_details: _Details | None = None
    completion_tokens_details: _Details | None = None
    prompt_cache_hit_tokens: int | None = None
    cost: float | None = None


class _Timings(msgspec.Struct):
    cache_n: int = 0


_chunk = msgspec.json.Decoder(_Chunk)


class _Reader:
    def __init__(self, target: Target, ask: AskModel) -> None:
        self.ended = False
        self.passes: list[Pass] = []
        self._model = target.model
        self._taken = call_ids(ask)
        self._blocks: list[OpenBlock] = []
        self._calls: list[OpenCall] = []
        self._by_index: dict[int, OpenCall] = {}
        self._finish_reason: str | None = None
        self._refused = False
        self._usage = NULL
        self._timings = NULL

    def read(self, event: Event) -> list[Delta]:
        if event.data.strip() == b"[DONE]":
            self.ended = True
            return []
        try:
            chunk = _chunk.decode(event.data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ServiceFailed(broken("it sent something that is not a chat completion chunk.")) from error
        if _there(chunk.error):
            raise ServiceFailed(of_event(event.data))
        if _there(chunk.usage):
            self._usage = chunk.usage.copy()
        if _there(chunk.timings):
            self._timings = chunk.timings.copy()
        return [delta for choice in chunk.choices or () if choice.index == 0 for delta in self._choice(choice)]

    def read_whole(self, body: bytes) -> list[Delta]:
        raise ServiceFailed(broken(f"it answered at once, with {len(body)} bytes."))

    def finish(self) -> Answer:
        if self._finish_reason is None and not (self.ended and self._blocks):
            what = "it ended the stream without an answer" if self.ended else "the stream ended in the middle"
            raise ServiceFailed(broken(f"{what}."))
        if self._finish_reason == "error":
            raise ServiceFailed(broken("it gave up in the middle of the answer."))
        stop = STOP_REASONS.get(self._finish_reason, "end_turn") if self._finish_reason else None
        return whole(self._blocks, "refusal" if self._refused else stop, self._model, self._counted(), self._taken)

    def _choice(self, choice: _Choice) -> Iterator[Delta]:
        self._finish_reason = choice.finish_reason or self._finish_reason
        delta = choice.delta
        if delta is None:
            return
        if thinking := delta.reasoning_content or delta.reasoning or delta.reasoning_text:
            yield self._think(thinking)
        if isinstance(delta.content, str):
            if delta.content:
                yield self._say(delta.content)
        else:
            for part in delta.content or ():
                yield from self._part(part)
        if delta.refusal:
            self._refused = True
            yield self._say(delta.refusal)
        for call in delta.tool_calls or ():
            self._call(call)

    def _part(self, part: _Part) -> Iterator[Delta]:
        if part.text:
            yield self._say(part.text)
        for inner in part.thinking:
            if inner.text:
                yield self._think(inner.text)

    def _say(self, text: str) -> TextDelta:
        block = self._blocks[-1] if self._blocks else None
        if not isinstance(block, OpenText):
            block = OpenText()
            self._blocks.append(block)
        block.pieces.append(text)
        return TextDelta(text=text)

    def _think(self, text: str) -> ThinkingDelta:
        block = self._blocks[-1] if self._blocks else None
        if not isinstance(block, OpenThinking):
            block = OpenThinking()
            self._blocks.append(block)
        block.pieces.append(text)
        return ThinkingDelta(text=text)

    def _call(self, delta: _CallDelta) -> None:
        function = delta.function or _FunctionDelta()
        call_id = str(delta.id) if delta.id is not None else ""
        call = self._open_call(delta.index, call_id, function.name or "")
        if call is None:
            call = OpenCall(call_id, function.name or "")
            self._calls.append(call)
            self._blocks.append(call)
        call.call_id = call.call_id or call_id
        call.name = call.name or function.name or ""
        if delta.index is not None:
            self._by_index[delta.index] = call
        if isinstance(function.arguments, str):
            call.pieces.append(function.arguments)
        elif function.arguments is not None:
            call.pieces.append(msgspec.json.encode(function.arguments).decode())

    def _open_call(self, index: int | None, call_id: str, name: str) -> OpenCall | None:
        """The call a fragment goes on with. Servers leave out the index, or the id, or give all calls index 0."""
        if index is not None:
            call = self._by_index.get(index)
        elif call_id:
            call = next((call for call in self._calls if call.call_id == call_id), None)
        else:
            call = self._calls[-1] if self._calls else None
        if call is None or (call_id and call.call_id and call_id != call.call_id):
            return None
        if name and not call_id and is_object(call.arguments):
            return None  # the one before is whole
        return call

    def _counted(self) -> Usage:
        """Counts are for information: odd ones are no reason to lose the answer."""
        try:
            usage = msgspec.json.decode(self._usage, type=_Usage | None, strict=False) or _Usage()
            timings = msgspec.json.decode(self._timings, type=_Timings | None) or _Timings()
        except msgspec.ValidationError:
            return Usage()
        prompt = usage.prompt_tokens_details or _Details()
        # xAI and Gemini count reasoning beside completion_tokens; the total tells
        output = max(usage.completion_tokens, usage.total_tokens - usage.prompt_tokens)
        details = usage.completion_tokens_details or _Details()
        return Usage(
            input_tokens=usage.prompt_tokens,
            cache_read_tokens=prompt.cached_tokens or usage.prompt_cache_hit_tokens or timings.cache_n,
            cache_write_tokens=prompt.cache_write_tokens or 0,
            output_tokens=output,
            reasoning_tokens=details.reasoning_tokens or output - usage.completion_tokens,
            cost_usd=usage.cost,
        )


def _there(raw: msgspec.Raw) -> bool:
    return bytes(raw) != b"null"


def as_text(data: str) -> str:
    del data
    return ""


FORMAT = WireFormat(api="openai-chat", request=request, reader=_Reader, list_models=list_models, as_text=as_text)
