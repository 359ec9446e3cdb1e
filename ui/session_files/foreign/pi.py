"""pi: a tree of entries by id and parentId, in ~/.pi/agent/sessions; documented in its docs/session-format.md.

The oldest files have no ids: there each entry follows on the one before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

from actors.messages.conversation import (
    Attachment,
    Block,
    Text,
    Thinking,
    ToolCall,
)
from actors.messages.usage import Usage
from ui.session_files.foreign import records, tree, values
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
from ui.session_files.foreign.pi_records import STOPS, Content, Record, Spoken

KNOWN = ("model_change", "thinking_level_change", "label", "session_info")
CONVERSATION = ("message", "compaction", "branch_summary", "custom_message", "custom")


@dataclass
class Survey:
    """Where each entry is. Texts stay in the file."""

    facts: Facts = field(default_factory=lambda: Facts(agent="pi"))
    nodes: dict[str, tree.Node] = field(default_factory=dict)
    offsets: dict[str, int] = field(default_factory=dict)
    starts_turn: set[str] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)
    kept_from: set[str] = field(default_factory=set)
    """Entries that compactions name."""
    unknown: list[tuple[str, int]] = field(default_factory=list)
    last: str = ""


def survey(file: IO[bytes], tally: Tally) -> Survey:
    """Raises TooMuch."""
    found = Survey()
    for line in records.lines(file):
        if (record := records.known(line, Record, tally, found.unknown)) is None:
            continue
        if record.type == "session":
            found.facts.source_id = found.facts.source_id or record.id or ""
            found.facts.cwd = found.facts.cwd or values.folder(record.cwd or "")
        else:
            _index(found, record, line, tally)
    return found


def _index(found: Survey, record: Record, line: records.Line, tally: Tally) -> None:
    own = record.id or f"line at {line.offset}"
    if own in found.nodes:
        tally.left_out[f"{record.type[:60]} (twice)"] += 1
        return
    records.check(len(found.nodes))
    found.nodes[own] = tree.Node(own, (record.parent_id or "") if record.id else found.last)
    found.offsets[own], found.last = line.offset, own
    if record.type in KNOWN:
        tally.left_out[record.type] += 1
        found.silent.add(own)
        if record.type == "session_info":
            found.facts.title = (record.name or "")[:200]
    elif record.type not in CONVERSATION:
        records.put_aside(record.type, line, tally, found.unknown)
        found.silent.add(own)
    elif record.starts_turn or record.type == "branch_summary":
        found.starts_turn.add(own)
        found.facts.speaks = True
    elif record.message is not None and record.message.role == "assistant":
        found.facts.model = _model(record.message)
        found.facts.speaks = True
    if record.first_kept_entry_id:
        found.kept_from.add(record.first_kept_entry_id)


def _model(message: Spoken) -> str:
    return f"{(message.provider or 'unknown')[:100]}/{(message.model or 'unknown')[:200]}"


def parts(file: IO[bytes], found: Survey, tally: Tally) -> Iterator[Part]:
    for kind, offset in found.unknown:
        yield Note(kind=kind, record=records.text_at(file, offset))
    order = tree.path(found.nodes, found.last)
    leaving = tree.leaving(found.nodes, order, found.starts_turn, found.silent, tally)
    speech = _Speech(file, found, tally)
    for at, own in enumerate(order):
        yield from speech.of(own)
        if own in leaving and tree.ends_turn(order, at, found.starts_turn, found.silent):
            yield Mark(name=f"end of {own}", ends=True)
            for branch in leaving.pop(own):
                for left in branch.nodes:
                    yield from speech.of(left)
                yield Return(name=f"end of {own}")
                tally.branches += 1
    tally.branches_left_out += sum(map(len, leaving.values()))


class _Speech:
    def __init__(self, file: IO[bytes], found: Survey, tally: Tally) -> None:
        self._file = file
        self._found = found
        self._tally = tally
        self._images = 0

    def of(self, own: str) -> Iterator[Part]:
        if own in self._found.silent:
            return
        if own in self._found.kept_from:
            yield Mark(name=own)
        record = records.read(records.at(self._file, self._found.offsets[own]), Record)
        at = values.seconds(record.timestamp)
        match record.type:
            case "message" if record.message is not None:
                yield from self._message(record.message, own, at)
            case "compaction":
                kept, before = record.first_kept_entry_id or "", record.tokens_before or 0
                yield Summary(text=record.summary or "", kept_from=kept, tokens_before=before, at=at)
            case "branch_summary":
                yield Prompt(text=record.summary or "", own=False, at=at)
            case "custom_message":
                text, attachments = self._said(record.content)
                yield Prompt(text=text, attachments=attachments, own=False, at=at)
            case kind:
                yield self._note(kind, own, at)

    def _note(self, kind: str, own: str, at: float) -> Note:
        self._tally.unknown[kind[:80]] += 1
        return Note(kind=kind[:80], record=records.text_at(self._file, self._found.offsets[own]), at=at)

    def _message(self, message: Spoken, own: str, at: float) -> Iterator[Part]:
        match message.role:
            case "user" | "custom":
                text, attachments = self._said(message.content)
                yield Prompt(text=text, attachments=attachments, own=message.role == "user", at=at)
            case "assistant":
                yield from self._answer(message, at)
            case "toolResult":
                text, attachments = self._said(message.content)
                yield Result(
                    call_id=message.tool_call_id or "",
                    output=text,
                    failed=bool(message.is_error),
                    attachments=attachments,
                    at=at,
                )
            case "bashExecution" if not message.exclude_from_context:
                text = f"I ran this command: {message.command or ''}\n\n{message.output or ''}"
                yield Prompt(text=text, own=False, at=at)
            case "branchSummary" | "compactionSummary":
                yield Prompt(text=message.summary or "", own=False, at=at)
            case role:
                yield self._note(f"message/{role}", own, at)

    def _answer(self, message: Spoken, at: float) -> Iterator[Part]:
        content = [Content("text", text=message.content)] if isinstance(message.content, str) else message.content
        if blocks := [own for block in content or [] if (own := self._block(block)) is not None]:
            yield Answer(
                blocks=tuple(blocks),
                model=_model(message),
                stop=STOPS.get(message.stop_reason or "", "end_turn"),
                usage=message.usage.usage if message.usage else Usage(),
                at=at,
            )
        else:
            self._tally.left_out["message/assistant, empty"] += 1
        if message.stop_reason == "aborted":
            yield Stopped(reason="interrupted")
        elif message.stop_reason == "error":
            yield Stopped(reason="failed", text=message.error_message or "")

    def _block(self, block: Content) -> Block | None:
        match block.type:
            case "text" if block.text:
                return Text(text=values.cut(block.text))
            case "thinking" if block.thinking:
                return Thinking(text=values.cut(block.thinking))
            case "toolCall":
                arguments = values.cut(bytes(block.arguments).decode())
                return ToolCall(call_id=block.id or "", name=values.name_of_tool(block.name or ""), arguments=arguments)
            case "text" | "thinking":
                self._tally.left_out[f"message/assistant/{block.type}, empty"] += 1
            case _:
                self._tally.unknown[f"message/assistant/{block.type}"[:80]] += 1
        return None

    def _said(self, content: str | list[Content] | None) -> tuple[str, tuple[Attachment, ...]]:
        if isinstance(content, str):
            return content, ()
        texts: list[str] = []
        attachments: list[Attachment] = []
        for block in content or ():
            if block.type == "image":
                self._images += 1
                found = values.attachment(block.mime_type or "", block.data or "", self._images)
                attachments += [found] if found else []
                texts += [] if found else ["[image that could not be imported]"]
            else:
                texts.append(block.text or "")
        return "\n".join(texts), tuple(attachments)
