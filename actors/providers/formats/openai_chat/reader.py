"""From the chunks of one answer to our deltas and the whole of it. It takes what it gets and judges at the end."""

from collections.abc import Iterator

import msgspec

from actors.messages.conversation import Source, StopReason
from actors.messages.model import Answer, AskModel, TextDelta, ThinkingDelta
from actors.messages.usage import Usage
from actors.providers.endpoint import Target
from actors.providers.faults.fault import ENDED, Fault, ServiceFailed, broken, cut, of_event
from actors.providers.formats.answer import OpenBlock, OpenCall, OpenText, OpenThinking, call_ids, whole
from actors.providers.formats.openai_chat import kept_parts
from actors.providers.formats.openai_chat.calls import Calls
from actors.providers.formats.openai_chat.chunk import (
    NO_CHUNK,
    NULL,
    CallDelta,
    Choice,
    Chunk,
    Counts,
    Delta,
    Part,
    Timings,
    decoded,
    there,
)
from actors.providers.formats.openai_chat.usage import counted
from actors.providers.formats.split_characters import Halves
from actors.providers.formats.sse import Event
from actors.providers.formats.think_tags import Said, Tags
from actors.providers.formats.wire_format import Delta as Told
from actors.providers.formats.wire_format import Pass
from actors.providers.services import dialects

STOP_REASONS: dict[str, StopReason] = {
    "stop": "end_turn",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "max_tokens",
    "max_tokens": "max_tokens",
    "content_filter": "refusal",
    "sensitive": "refusal",  # Z.ai
    "model_context_window_exceeded": "context_window",  # Z.ai
    "model_length": "context_window",  # Mistral
}
"""What is not here is judged by what has come: servers say all kinds of things at a good end."""
GIVEN_UP = cut("it gave up in the middle of the answer.")
FAULTS: dict[str, Fault] = {
    "error": GIVEN_UP,  # OpenRouter
    "network_error": GIVEN_UP,  # Z.ai
    "abort": GIVEN_UP,  # vLLM
    "insufficient_system_resource": Fault(
        "overloaded", "it ran out of resources in the middle of the answer.", "while it lasts"
    ),
}


class Reader:
    def __init__(self, target: Target, ask: AskModel) -> None:
        self.ended = False
        self.progress = 0
        self.passes: list[Pass] = []
        self._model = target.model
        self._dialect = dialects.named(target.endpoint)
        self._used_ids = call_ids(ask)
        self._blocks: list[OpenBlock] = []
        self._calls = Calls()
        self._details: list[kept_parts.Detail] = []
        self._opaque = ""
        self._extra = NULL
        self._halves = Halves()
        self._tags = Tags()
        self._malformed = False
        self._finish_reason: str | None = None
        self._refused = False
        self._sources: list[Source] = []
        self._counts = Counts()
        self._timings = Timings()

    def read(self, event: Event) -> list[Told]:
        data = event.data.strip()
        if data in (b"[DONE]", b""):
            self.ended = self.ended or bool(data)
            return []
        if event.name == "error":
            raise ServiceFailed(of_event(data))
        if self._malformed:
            raise ServiceFailed(NO_CHUNK)
        told: list[Told] = []
        try:
            chunk = self._taken_in(data)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self._malformed = True  # at the end of the stream it is what came of a chunk
            return []
        for choice in chunk.choices or ():
            if not choice.index or self._dialect.parted:
                self._choice(choice, choice.delta or (None if self._blocks else choice.message), told)
        return told

    def read_whole(self, body: bytes) -> list[Told]:
        told: list[Told] = []
        try:
            choices = self._taken_in(body).choices
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ServiceFailed(broken("it answered at once, with something that is no chat completion.")) from error
        if not choices:
            raise ServiceFailed(broken("it answered at once, without an answer."))
        for choice in choices if self._dialect.parted else choices[:1]:
            self._choice(choice, choice.message or choice.delta, told)
        self._finish_reason = self._finish_reason or "stop"
        self.ended = True
        return told

    def finish(self) -> Answer:
        for _ in self._told(self._tags.finish()):
            pass  # where the stream ended without saying so, nobody is told the last letters before the whole
        if self._finish_reason is None and not (self.ended and self._blocks):
            raise ServiceFailed(self._why_no_answer())
        reason = (self._finish_reason or "").lower()
        if reason in FAULTS:
            raise ServiceFailed(FAULTS[reason])
        stop: StopReason | None = "refusal" if self._refused else STOP_REASONS.get(reason)
        self._calls.close(stop)
        self._cite()
        usage = counted(self._counts, self._timings, self._dialect)
        return whole([*self._kept(), *self._blocks_of_use()], stop, self._model, usage, self._used_ids)

    def counted_so_far(self) -> Usage | None:
        used = counted(self._counts, self._timings, self._dialect)
        return used if self._blocks or used != Usage() else None

    def _why_no_answer(self) -> Fault:
        if self._malformed and not self.progress:
            return NO_CHUNK
        return broken("it ended the stream without an answer.") if self.ended else ENDED

    def _taken_in(self, data: bytes) -> Chunk:
        chunk = self._halves.read(decoded, data)
        if chunk.is_error:
            raise ServiceFailed(of_event(data))
        if chunk.choices is not None:
            self.progress = self.progress or 1
        self._count(chunk.usage or (chunk.x_groq.usage if chunk.x_groq else None))
        self._timings = chunk.timings or self._timings
        return chunk

    def _count(self, counts: Counts | None) -> None:
        """The last counts are those of the answer; but zeros behind others are none."""
        if counts is not None and (counts.prompt_tokens or counts.completion_tokens or not self._counts.prompt_tokens):
            self.progress += counts.completion_tokens != self._counts.completion_tokens
            self._counts = counts

    def _choice(self, choice: Choice, delta: Delta | None, told: list[Told]) -> None:
        if there(choice.error):
            raise ServiceFailed(of_event(b'{"error":' + bytes(choice.error) + b"}"))
        if choice.finish_reason:
            self.progress += choice.finish_reason != self._finish_reason
            self._finish_reason = choice.finish_reason
        self._count(choice.usage)
        if delta is not None:
            self._delta(delta, told)
        if self._finish_reason:
            told += self._told(self._tags.finish())

    def _delta(self, delta: Delta, told: list[Told]) -> None:
        if thinking := delta.reasoning_content or delta.reasoning or delta.reasoning_text or _thinking_in(delta):
            told.append(self._think(thinking))
        self._keep(delta)
        if isinstance(delta.content, str):
            self.progress += bool(delta.content)
            told += self._told(self._tags.read(delta.content))
        elif delta.content is not None:
            parts = delta.content if isinstance(delta.content, list) else [delta.content]
            told += (one for part in parts for one in self._part(part))
        if delta.refusal:
            self._refused = True
            told.append(self._say(delta.refusal))
        if delta.tool_calls:
            for call in delta.tool_calls:
                self._call(call)
        elif delta.function_call is not None:
            self._call(CallDelta(index=0, function=delta.function_call))

    def _part(self, part: Part | str) -> Iterator[Told]:
        if isinstance(part, str):
            part = Part(text=part)
        if part.text:
            yield self._say(part.text)
        inner = [Part(text=part.thinking)] if isinstance(part.thinking, str) else part.thinking or ()
        for thought in inner:
            if thought.text:
                yield self._think(thought.text)

    def _told(self, said: list[Said]) -> Iterator[Told]:
        for one in said:
            yield self._think(one.text) if one.thought else self._say(one.text)

    def _say(self, text: str) -> TextDelta:
        block = self._blocks[-1] if self._blocks else None
        if not isinstance(block, OpenText):
            block = OpenText()
            self._blocks.append(block)
        block.pieces.append(text)
        self.progress += 1
        return TextDelta(text=text)

    def _think(self, text: str) -> ThinkingDelta:
        block = self._blocks[-1] if self._blocks else None
        if not isinstance(block, OpenThinking):
            block = OpenThinking()
            self._blocks.append(block)
        block.pieces.append(text)
        self.progress += 1
        return ThinkingDelta(text=text)

    def _call(self, delta: CallDelta) -> None:
        begun = self._calls.take(delta)
        self.progress += bool(begun or (delta.function and delta.function.arguments))
        if begun is not None:
            self._blocks.append(begun)

    def _keep(self, delta: Delta) -> None:
        if delta.reasoning_details:
            self._details += delta.reasoning_details
            self.progress += any(detail.get("data") for detail in delta.reasoning_details)  # encrypted: nobody is told
        if delta.reasoning_opaque:
            self.progress += delta.reasoning_opaque != self._opaque
            self._opaque = delta.reasoning_opaque
        if there(delta.extra_content):
            self.progress += delta.extra_content != self._extra
            self._extra = delta.extra_content.copy()
        for annotation in delta.annotations or ():
            cited = annotation.url_citation or annotation
            if cited.url:
                self._sources.append(Source(url=cited.url, title=cited.title or ""))
                self.progress += 1

    def _kept(self) -> list[OpenBlock]:
        opaque = msgspec.Raw(msgspec.json.encode(self._opaque)) if self._opaque else msgspec.UNSET
        extra = self._extra if there(self._extra) else msgspec.UNSET
        block = kept_parts.block(kept_parts.Members(kept_parts.joined(self._details), opaque, extra))
        return [block] if block else []

    def _cite(self) -> None:
        """Citations come before the text they are of, and say where in it they belong only roughly."""
        text = next((block for block in reversed(self._blocks) if isinstance(block, OpenText)), None)
        if text is not None:
            text.sources += self._sources

    def _blocks_of_use(self) -> list[OpenBlock]:
        return [block for block in self._blocks if not isinstance(block, OpenCall) or block.name]


def _thinking_in(delta: Delta) -> str:
    """Of details that come without the same text beside them."""
    return "".join(kept_parts.text_of(detail) for detail in delta.reasoning_details) if delta.reasoning_details else ""
