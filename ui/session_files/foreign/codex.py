"""Codex: a rollout, one line behind the other, in ~/.codex/sessions. A turn that was undone is a branch that was left.

What the model was sent are the `response_item`s; `event_msg`s are mostly the same again for the screen.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

import msgspec

from actors.messages.conversation import (
    Attachment,
    Block,
    Text,
    Thinking,
    ToolCall,
)
from actors.messages.usage import Usage
from ui.session_files.foreign import records, values
from ui.session_files.foreign.codex_records import BY_PROGRAM, Item, Payload, Record, Structured
from ui.session_files.foreign.parts import (
    Answer,
    Facts,
    Mark,
    Note,
    Part,
    Prompt,
    Result,
    Return,
    Stopped,
    Summary,
    Tally,
)

FAILED = re.compile(r"(?:.*\n){0,4}Process exited with code [1-9]")
"""How the output of a command begins that did not go well: nothing else says it."""
CALLS = ("function_call", "custom_tool_call", "local_shell_call")
TYPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
KNOWN = (*TYPES, "world_state", "token_usage_record", "ghost_snapshot", "inter_agent_communication")


@dataclass
class Survey:
    facts: Facts = field(default_factory=lambda: Facts(agent="codex"))
    counts_itself: bool = False
    """Each answer has a record of what it used."""


def survey(file: IO[bytes]) -> Survey:
    """It counts nothing: `parts` sees the same lines again."""
    found = Survey()
    facts, provider = found.facts, ""
    for line in records.lines(file):
        if (record := records.known(line, Record, Tally(), [])) is None:
            continue
        payload = record.payload
        if record.type == "session_meta" and not facts.source_id:
            facts.source_id, facts.cwd = payload.id or "", values.folder(payload.cwd or "")
            facts.branch = (payload.git.branch or "")[:200] if payload.git else ""
            provider = (payload.model_provider or "openai")[:100]
        elif record.type == "turn_context" and payload.model:
            facts.model = f"{provider or 'openai'}/{payload.model[:200]}"
        elif record.type == "response_item" and (payload.type in CALLS or _is_said(payload)):
            facts.speaks = True
        elif record.type == "token_usage_record":
            found.counts_itself = True
        elif payload.type == "thread_name_updated" and payload.thread_name:
            facts.title = payload.thread_name[:200]
    return found


def parts(file: IO[bytes], found: Survey, tally: Tally) -> Iterator[Part]:
    speech = _Speech(found, tally)
    unknown: list[tuple[str, int]] = []
    for line in records.lines(file):
        record = records.known(line, Record, tally, unknown)
        if record is not None:
            yield from speech.of(record, line)
        for kind, _ in unknown:
            yield Note(kind=kind, record=(line.data or b"").decode("utf-8", "replace"))
        unknown.clear()
    yield from speech.flush()


class _Speech:
    """An answer is put together from its items; it is said when what it used is known, or something else comes."""

    def __init__(self, found: Survey, tally: Tally) -> None:
        self._found = found
        self._tally = tally
        self._model = found.facts.model or "openai/unknown"
        self._blocks: list[Block] = []
        self._at = 0.0
        self._usage = Usage()
        self._is_whole = False
        """It is known what it used, or it had results: the next item is of another answer."""
        self._behind: list[Part] = []
        """Results that came before its usage."""
        self._prompts = 0
        self._images = 0

    def of(self, record: Record, line: records.Line) -> Iterator[Part]:
        payload, at = record.payload, values.seconds(record.timestamp)
        match record.type:
            case "response_item":
                yield from self._item(payload, at, line)
            case "event_msg":
                yield from self._event(payload)
            case "turn_context":
                provider = self._model.partition("/")[0]
                self._model = f"{provider}/{payload.model[:200]}" if payload.model else self._model
                self._left_out(record.type)
            case "compacted":
                yield from self.flush()
                yield Summary(text=payload.message or "", at=at)
            case "token_usage_record":
                self._count(payload.usage.usage if payload.usage else Usage())
                self._left_out(record.type)
            case known if known in KNOWN:
                self._left_out(known)
            case unknown:
                yield self._note(unknown, line, at)

    def flush(self) -> Iterator[Part]:
        if self._blocks:
            calls = any(isinstance(block, ToolCall) for block in self._blocks)
            yield Answer(
                blocks=tuple(self._blocks),
                model=self._model,
                stop="tool_calls" if calls else "end_turn",
                usage=self._usage,
                at=self._at,
            )
        yield from self._behind
        self._blocks, self._behind, self._usage, self._is_whole = [], [], Usage(), False

    def _left_out(self, kind: str) -> None:
        self._tally.left_out[kind[:80]] += 1

    def _note(self, kind: str, line: records.Line, at: float) -> Note:
        self._tally.unknown[kind[:80]] += 1
        return Note(kind=kind[:80], record=(line.data or b"").decode("utf-8", "replace"), at=at)

    def _count(self, usage: Usage) -> None:
        if self._blocks and not self._usage.is_reported:
            self._usage, self._is_whole = usage, True

    def _item(self, payload: Payload, at: float, line: records.Line) -> Iterator[Part]:
        kind = payload.type or ""
        if kind == "message" and payload.role == "assistant":
            text = "".join(item.text or "" for item in _items(payload.content))
            yield from self._block(Text(text=values.cut(text)) if text else None, at)
        elif kind == "message":
            yield from self._message(payload, at)
        elif kind == "reasoning":
            text = "\n\n".join(item.text for item in _items(payload.summary) or _items(payload.content) if item.text)
            yield from self._block(Thinking(text=values.cut(text)) if text else None, at)
            if not text:
                self._left_out("response_item/reasoning")
        elif kind in CALLS:
            yield from self._block(_call(kind, payload), at)
        elif kind.endswith("_output"):
            self._is_whole = True
            self._behind.append(self._result(payload, at))
        else:
            note = self._note(f"response_item/{kind}", line, at)
            if self._blocks:
                self._behind.append(note)
            else:
                yield note

    def _block(self, block: Block | None, at: float) -> Iterator[Part]:
        if self._is_whole:
            yield from self.flush()
        if block is not None:
            self._at = self._at if self._blocks else at
            self._blocks.append(block)

    def _message(self, payload: Payload, at: float) -> Iterator[Part]:
        if not _is_said(payload):
            self._left_out("response_item/message of the program")
            return
        yield from self.flush()
        yield Mark(name=f"turn {self._prompts}", ends=True)
        self._prompts += 1
        said, attachments = self._said(_items(payload.content))
        yield Prompt(text=said, attachments=attachments, at=at)

    def _result(self, payload: Payload, at: float) -> Result:
        output = payload.output
        content = output.content if isinstance(output, Structured) else output
        text, attachments = self._said(_items(content))
        failed = output.success is False if isinstance(output, Structured) else bool(FAILED.match(text))
        return Result(call_id=payload.call_id or "", output=text, failed=failed, attachments=attachments, at=at)

    def _said(self, items: list[Item]) -> tuple[str, tuple[Attachment, ...]]:
        texts: list[str] = []
        attachments: list[Attachment] = []
        for item in items:
            if item.image_url:
                self._images += 1
                found = values.attachment_of_url(item.image_url, self._images)
                attachments += [found] if found else []
                texts += [] if found else ["[image that could not be imported]"]
            elif not (item.text or "").startswith(("<image", "</image>")):
                texts.append(item.text or "")
        return "\n".join(texts), tuple(attachments)

    def _event(self, payload: Payload) -> Iterator[Part]:
        kind = payload.type or ""
        match kind:
            case "turn_aborted":
                yield from self.flush()
                yield Stopped(reason="interrupted")
            case "error":
                yield from self.flush()
                yield Stopped(reason="failed", text=payload.message or "")
            case "thread_rolled_back":
                yield from self.flush()
                self._prompts = max(self._prompts - (payload.num_turns or 0), 0)
                yield Return(name=f"turn {self._prompts}")
                self._tally.branches += 1
            case "token_count" if not self._found.counts_itself and payload.info and payload.info.last_token_usage:
                self._count(payload.info.last_token_usage.usage)
            case _:
                pass
        self._left_out(f"event_msg/{kind}")


def _is_said(payload: Payload) -> bool:
    """By the user or the model, not by the program in their place."""
    text = "".join(item.text or "" for item in _items(payload.content))
    return payload.role == "assistant" or (payload.role == "user" and not text.startswith(BY_PROGRAM))


def _items(content: str | list[Item] | None) -> list[Item]:
    return [Item("text", text=content)] if isinstance(content, str) else content or []


def _call(kind: str, payload: Payload) -> ToolCall:
    """What is no JSON object becomes one: services take nothing else."""
    if kind == "custom_tool_call":
        arguments = msgspec.json.encode({"input": payload.input or ""}).decode()
    elif kind == "local_shell_call":
        arguments = bytes(payload.action).decode()
    else:
        arguments = payload.arguments or "{}"
    name = values.name_of_tool(payload.name or ("local_shell" if kind == "local_shell_call" else ""))
    return ToolCall(call_id=payload.call_id or payload.id or "", name=name, arguments=values.cut(arguments))
