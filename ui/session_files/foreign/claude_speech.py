"""What Claude Code's records say, one after the other: its records in, parts out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import IO

import msgspec

from actors.messages.conversation import Attachment, Block, Text, Thinking, ToolCall
from ui.session_files.foreign import records, values
from ui.session_files.foreign.claude_records import INTERRUPTED, STOPS, Content, Record
from ui.session_files.foreign.parts import NOT_COUNTED, Answer, Note, Part, Prompt, Result, Stopped, Summary, Tally


class Speech:
    def __init__(
        self, file: IO[bytes], offsets: Mapping[str, int], answers: Mapping[str, Sequence[str]], tally: Tally
    ) -> None:
        """answers: for each record of an answer all that make it up, or none where another one stands for it."""
        self._file = file
        self._offsets = offsets
        self._answers = answers
        self._tally = tally
        self._boundary: Record | None = None
        self._images = 0

    def of(self, uuid: str) -> Iterator[Part]:
        record = self._read(uuid)
        if record.type == "assistant":
            yield from self._synthetic(record) if record.is_synthetic else self._answer(self._answers[uuid])
        elif record.type == "user":
            yield from self._user(uuid, record)
        elif record.is_boundary:
            self._boundary = record
        elif record.queued:
            blocks = record.queued
            said = [Content("text", text=blocks)] if isinstance(blocks, str) else blocks
            yield self._prompt(said, record.at, own=True)
        else:
            kind = record.subtype if record.type == "system" else record.attachment and record.attachment.type
            self._tally.left_out[f"{record.type}/{kind}"] += 1

    def _read(self, uuid: str) -> Record:
        return records.read(records.at(self._file, self._offsets[uuid]), Record)

    def _synthetic(self, record: Record) -> Iterator[Part]:
        self._tally.left_out["assistant/synthetic"] += 1
        if record.is_api_error_message:
            yield Stopped(reason="failed", text=record.text)

    def _answer(self, uuids: Sequence[str]) -> Iterator[Part]:
        if not uuids:
            return
        made_of = [self._read(uuid) for uuid in uuids]
        blocks = [own for record in made_of for block in record.blocks if (own := self._block(block)) is not None]
        last = made_of[-1].message
        if last is None or not blocks:
            self._tally.left_out["assistant/empty"] += 1
            return
        yield Answer(
            blocks=tuple(blocks),
            model=f"anthropic/{last.model or 'unknown'}"[:200],
            stop=STOPS.get(last.stop_reason or "", "end_turn"),
            usage=last.usage.usage if last.usage else NOT_COUNTED,
            at=made_of[0].at,
        )

    def _block(self, block: Content) -> Block | None:
        match block.type:
            case "text" if block.text:
                return Text(text=values.cut(block.text))
            case "thinking" if block.thinking:
                return Thinking(text=values.cut(block.thinking))
            case "tool_use":
                arguments = values.cut(bytes(block.input).decode())
                return ToolCall(call_id=block.id or "", name=values.name_of_tool(block.name or ""), arguments=arguments)
            case "text" | "thinking" | "redacted_thinking":
                self._tally.left_out[f"assistant/{block.type}"] += 1
            case _:
                self._tally.unknown[f"assistant/{block.type}"[:80]] += 1
        return None

    def _user(self, uuid: str, record: Record) -> Iterator[Part]:
        others = [block for block in record.blocks if block.type != "tool_result"]
        for block in record.blocks:
            if block.type == "tool_result":
                yield self._result(block, record.at)
        text = record.text
        if record.is_compact_summary:
            yield self._summary(text, record.at)
        elif text.startswith(INTERRUPTED):
            yield Stopped(reason="interrupted")
        elif kind := record.by_program:
            if kind == "command":
                yield Note(kind="user/command", record=records.text_at(self._file, self._offsets[uuid]), at=record.at)
            self._tally.left_out[f"user/{kind}"] += 1
        elif others:
            yield self._prompt(others, record.at, own=record.starts_turn)

    def _result(self, block: Content, at: float) -> Result:
        content = [Content("text", text=block.content)] if isinstance(block.content, str) else block.content or []
        text, attachments = self._said(content)
        return Result(
            call_id=block.tool_use_id or "",
            output=text,
            failed=bool(block.is_error),
            attachments=attachments,
            at=at,
        )

    def _summary(self, text: str, at: float) -> Summary:
        about = self._boundary.compact_metadata if self._boundary is not None else None
        asked = about is not None and about.trigger == "manual"
        return Summary(text=text, asked=asked, tokens_before=(about and about.preTokens) or 0, at=at)

    def _prompt(self, content: Sequence[Content], at: float, *, own: bool) -> Prompt:
        text, attachments = self._said(content)
        return Prompt(text=text, attachments=attachments, own=own, at=at)

    def _said(self, content: Sequence[Content]) -> tuple[str, tuple[Attachment, ...]]:
        texts: list[str] = []
        attachments: list[Attachment] = []
        for block in content:
            if block.type == "text":
                texts.append(block.text or "")
            elif block.type in ("image", "document") and block.source is not None:
                self._images += 1
                source = block.source
                found = values.attachment(source.media_type or "", source.data or "", self._images)
                attachments += [found] if found else []
                texts += [] if found else [f"[{block.type} that could not be imported]"]
            else:
                self._tally.unknown[f"user/{block.type}"[:80]] += 1
                texts.append(f"[{block.type[:80]}: {values.cut(msgspec.json.encode(block).decode(), 2000)}]")
        return "\n".join(texts), tuple(attachments)
