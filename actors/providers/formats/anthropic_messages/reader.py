"""Collects one Messages answer from its events, or from one body.

Format: https://platform.claude.com/docs/en/build-with-claude/streaming. Events and deltas that are not known are
skipped, as the service asks; blocks that are not known are kept for it.
"""

from functools import partial

import msgspec

from actors.messages.conversation import StopReason
from actors.messages.model import Answer, AskModel, Retrying, TextDelta, ThinkingDelta
from actors.messages.usage import Usage
from actors.providers.endpoint import Target
from actors.providers.faults import error_body
from actors.providers.faults.fault import ENDED, LONGEST_MESSAGE, ServiceFailed, broken, of_event
from actors.providers.formats.answer import CUTTING, OpenBlock, OpenCall, OpenThinking, call_ids, whole
from actors.providers.formats.anthropic_messages.blocks import CitedText, Open, OpenOpaque, closed, opened
from actors.providers.formats.anthropic_messages.usage import Counter
from actors.providers.formats.split_characters import Halves
from actors.providers.formats.sse import Event
from actors.providers.formats.think_tags import Beginning
from actors.providers.formats.wire_format import Delta, Pass

STOP_REASONS: dict[str, StopReason] = {
    "end_turn": "end_turn",
    "stop_sequence": "end_turn",
    "tool_use": "tool_calls",
    "max_tokens": "max_tokens",
    "pause_turn": "pause",
    "compaction": "pause",
    "refusal": "refusal",
    "model_context_window_exceeded": "context_window",
}
EVENTS = {"message_start", "content_block_start", "content_block_delta", "message_delta"}
READ = EVENTS | {"error", "text_delta", "thinking_delta", "signature_delta", "input_json_delta"}
"""Events and deltas whose form has to be right."""
DONE = b"[DONE]"
"""How some gateways end their streams."""


class _Delta(msgspec.Struct):
    type: str = ""
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    partial_json: str | None = None
    citation: msgspec.Raw = msgspec.Raw()
    content: str | None = None
    encrypted_content: str | None = None
    stop_reason: str | None = None
    stop_details: msgspec.Raw = msgspec.Raw()

    @property
    def says_something(self) -> bool:
        return any((self.text, self.thinking, self.signature, self.partial_json)) or self.type not in READ


class _Message(msgspec.Struct):
    type: str | None = None
    content: list[msgspec.Raw] | None = None
    stop_reason: str | None = None
    stop_details: msgspec.Raw = msgspec.Raw()
    usage: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()


class _StopDetails(msgspec.Struct):
    category: str | None = None
    explanation: str | None = None


class _Event(msgspec.Struct):
    type: str | None = None
    index: int = 0
    delta: _Delta | None = None
    message: _Message | None = None
    content_block: msgspec.Raw = msgspec.Raw()
    usage: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()


class _Kind(msgspec.Struct):
    type: object = None


class _DeltaKind(msgspec.Struct):
    delta: _Kind


_event = msgspec.json.Decoder(_Event)
_message = msgspec.json.Decoder(_Message)
_stop_details: msgspec.json.Decoder[_StopDetails | None] = msgspec.json.Decoder(_StopDetails | None)
_kind = msgspec.json.Decoder(_Kind)
_delta_kind = msgspec.json.Decoder(_DeltaKind)


class MessagesReader:
    def __init__(self, target: Target, ask: AskModel) -> None:
        self.ended = False
        self.progress = 0
        self.passes: list[Pass] = []
        self._model = target.model
        self._taken = call_ids(ask)
        self._begin_again()

    def _begin_again(self) -> None:
        self._blocks: list[Open] = []
        self._at: dict[int, Open] = {}
        self._beginning = Beginning()
        self._stop_reason: str | None = None
        self._stop_details = ""
        self._halves = Halves()
        self._counter = Counter()

    def read(self, event: Event) -> list[Delta]:
        if self.ended:
            return []
        data = event.data.strip()
        if data in (DONE, b""):
            self.ended = bool(data) and self._stop_reason is not None
            return []
        try:
            return self._halves.read(partial(self._read, event.name), data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            kind = _kind_of(data)
            readable = isinstance(error, msgspec.ValidationError) or data[:1] != b"{"
            if kind == "error" or (event.name == "error" and readable):
                raise ServiceFailed(of_event(data)) from error
            if kind and kind not in READ:
                return []
            raise ServiceFailed(broken("it sent something that is not a Messages event.")) from error

    def read_whole(self, body: bytes) -> list[Delta]:
        try:
            message = _message.decode(body)
            if message.type == "error" or (message.content is None and error_body.is_one(message.error)):
                raise ServiceFailed(of_event(body))
            if message.content is None:
                raise ServiceFailed(broken("it answered at once, with something that is not a message."))
            deltas = self._begin(message)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ServiceFailed(broken("it answered at once, with something that is not a message.")) from error
        self.ended = True
        return deltas

    def finish(self) -> Answer:
        if not self.ended or (self._stop_reason is None and not self._blocks):
            raise ServiceFailed(ENDED)
        stop = STOP_REASONS.get(self._stop_reason, "end_turn") if self._stop_reason else None
        self.passes = self._counter.passes
        answer = whole(self._closed(stop), stop, self._model, self._counter.total, self._taken)
        message = msgspec.structs.replace(answer.message, stop_details=self._stop_details)
        return msgspec.structs.replace(answer, message=message)

    def counted_so_far(self) -> Usage | None:
        self.passes = self._counter.passes
        used = self._counter.total
        return used if self._blocks or used != Usage() else None

    def _closed(self, stop: StopReason | None) -> list[OpenBlock]:
        blocks: list[OpenBlock] = []
        for block in self._blocks:
            try:
                blocks += closed(block, self._beginning)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                if stop not in CUTTING:
                    raise ServiceFailed(broken("it left a block of its own unfinished.")) from error
        return blocks

    def _read(self, name: str, data: bytes) -> list[Delta]:
        message = _event.decode(data)
        kind = message.type or name
        if kind in EVENTS:
            self.progress = self.progress or 1
        match kind:
            case "content_block_delta":
                return self._go_on(message.index, message.delta) if message.delta else []
            case "content_block_start":
                return self._open(message.index, message.content_block)
            case "message_start":
                return self._begin(message.message or _Message())
            case "content_block_stop":
                return self._end(message.index)
            case "message_delta":
                self._count(message.usage)
                self._stop(message.delta or _Delta())
                return [*self._beginning.finish_answer()]
            case "message_stop":
                self.ended = True
                return [*self._beginning.finish_answer()]
            case "error":
                raise ServiceFailed(of_event(data))
            case "" if error_body.is_one(message.error):
                raise ServiceFailed(of_event(data))
            case _:
                pass  # ping, and what the service will think of
        return []

    def _begin(self, message: _Message) -> list[Delta]:
        void: list[Delta] = [Retrying(why="The service began its answer again.", wait_s=0)] if self._blocks else []
        self._begin_again()
        self._counter.count(message.usage)
        self._stop(message)
        for index, block in enumerate(message.content or ()):
            void += self._open(index, block)
            void += self._end(index)
        return void

    def _end(self, index: int) -> list[Delta]:
        block = self._at.get(index)
        told: list[Delta] = [*self._beginning.finish(block)]
        if isinstance(block, CitedText) and block.cites and any(block.pieces):
            told.append(TextDelta(text="", cites=block.cites))
        return told

    def _count(self, usage: bytes) -> None:
        before = self._counter.total
        self._counter.count(usage)
        self.progress += self._counter.total != before

    def _stop(self, said: _Delta | _Message) -> None:
        self._stop_reason = said.stop_reason or self._stop_reason
        self._stop_details = _in_words(said.stop_details) or self._stop_details

    def _open(self, index: int, raw: msgspec.Raw) -> list[Delta]:
        block = self._put(index, opened(raw))
        match block:
            case CitedText(pieces=[text]) if text:
                return [*self._beginning.read(block, text)]
            case OpenThinking(pieces=[thought]) if thought:
                return [ThinkingDelta(text=thought)]
            case _:
                return []

    def _put(self, index: int, block: Open) -> Open:
        """An index that was used before does not replace what was there: some gateways count from 0 again."""
        self.progress += 1
        self._at[index] = block
        self._blocks.append(block)
        return block

    def _go_on(self, index: int, delta: _Delta) -> list[Delta]:
        block = self._at.get(index)
        self.progress += delta.says_something
        match delta.type:
            case "text_delta" if delta.text:
                return self._say(index, block, delta.text)
            case "thinking_delta" if delta.thinking:
                return self._think(index, block, delta.thinking)
            case "signature_delta" if isinstance(block, OpenThinking):
                block.signature = delta.signature or block.signature
            case "input_json_delta" if isinstance(block, OpenCall):
                block.pieces.append(delta.partial_json or "")
            case "input_json_delta" if isinstance(block, OpenOpaque):
                block.add("input", delta.partial_json)
            case "citations_delta" if isinstance(block, CitedText):
                block.cite(delta.citation)
            case "compaction_delta" if isinstance(block, OpenOpaque):
                block.add("content", delta.content)
                block.add("encrypted_content", delta.encrypted_content)
        return []

    def _say(self, index: int, block: Open | None, text: str) -> list[Delta]:
        if isinstance(block, OpenOpaque):
            block.add("text", text)
            return []
        if not isinstance(block, CitedText):
            block = CitedText()
            self._put(index, block)
        block.pieces.append(text)
        return [*self._beginning.read(block, text)]

    def _think(self, index: int, block: Open | None, thought: str) -> list[Delta]:
        if isinstance(block, OpenOpaque):
            block.add("thinking", thought)
            return []
        if not isinstance(block, OpenThinking):
            block = OpenThinking()
            self._put(index, block)
        block.pieces.append(thought)
        return [ThinkingDelta(text=thought)]


def _in_words(stop_details: msgspec.Raw) -> str:
    try:
        details = _stop_details.decode(stop_details) if stop_details else None
    except msgspec.DecodeError:
        return ""
    words = (details.explanation or details.category or "") if details else ""
    return " ".join(words.split())[:LONGEST_MESSAGE]


def _kind_of(data: bytes) -> str:
    """Of an event that could not be read: its type, or that of the delta in it; "" when even that cannot be read."""
    try:
        kind = _kind.decode(data).type
        if kind == "content_block_delta":
            kind = _delta_kind.decode(data).delta.type
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
    return kind if isinstance(kind, str) else ""
