"""A valid session of ours from the parts of a foreign one: turns that end, and exactly one result for each call.

The ids follow from the session's and the place in it: the same file makes the same entries, however often.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from actors.messages.conversation import (
    AssistantMessage,
    Block,
    Body,
    Carried,
    Compacted,
    EndReason,
    Entry,
    Foreign,
    Moved,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.usage import NOTHING_USED, Usage
from ui.session_files.foreign import values
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
from ui.session_files.foreign.values import LONGEST_NOTE, cut

NO_RESULT = "not in the imported session"
BEGINNING = "The beginning of this conversation is not in the imported session."
MOST_NOTES = 10_000
MOST_SAID = 32 * 1024
"""Characters of what the user said before a compaction; the newest count."""


def entries(facts: Facts, session_id: str, parts: Iterable[Part], tally: Tally, imported_at: float) -> Iterator[Entry]:
    """The first one says where it is from, the last one that it is whole."""
    builder = _Builder(facts, session_id, tally, imported_at)
    yield from builder.begin()
    for part in parts:
        yield from builder.take(part)
    yield from builder.finish()


def entry_id(session_id: str, number: int, kind: str) -> str:
    """kind: so that the end of a session is not taken for what was added to it later."""
    return hashlib.sha256(f"{session_id}/{number}/{kind}".encode()).hexdigest()[:32]


@dataclass
class _Turn:
    id: str
    open_calls: list[tuple[str, ToolCall]] = field(default_factory=list)
    """With the id that the other agent gave, which may come twice."""
    asked: bool = False
    """The user said something: what the user says next begins another turn."""
    end: EndReason = "done"
    why: str = ""
    answered: bool = False

    def answer_to(self, call_id: str) -> ToolCall | None:
        """The first call of this id that is open; now it is not."""
        for at, (theirs, call) in enumerate(self.open_calls):
            if theirs == call_id:
                del self.open_calls[at]
                return call
        return None


@dataclass(frozen=True)
class _Past:
    said: int
    """How many prompts of the path there were by then."""
    used: Usage


@dataclass
class _Builder:
    facts: Facts
    session_id: str
    tally: Tally
    at: float
    """Of the latest entry: one without a time has the one before it."""
    number: int = 0
    parent: str = ""
    turn: _Turn | None = None
    ends: dict[str, tuple[str, _Past]] = field(default_factory=dict)
    """For a marked end of a turn the id of its entry, and what was by then."""
    waiting: list[str] = field(default_factory=list)
    """Marks of what comes next."""
    turn_of: dict[str, str] = field(default_factory=dict)
    """For another mark the first entry of the turn it is in."""
    said: list[str] = field(default_factory=list)
    used: Usage = NOTHING_USED
    notes: int = 0
    before: dict[str, _Past] = field(default_factory=dict)
    """For the first entry of each turn."""
    call_ids: set[str] = field(default_factory=set)

    def begin(self) -> Iterator[Entry]:
        record = {"agent": self.facts.agent, "session": self.facts.source_id, "cwd": self.facts.cwd}
        yield self._entry(Foreign(agent=self.facts.agent, kind="begin", record=msgspec.json.encode(record).decode()))

    def finish(self) -> Iterator[Entry]:
        yield from self._end_turn()
        yield self._entry(Foreign(agent=self.facts.agent, kind="end", record="{}"))

    def take(self, part: Part) -> Iterator[Entry]:
        match part:
            case Prompt():
                yield from self._prompt(part)
            case Answer():
                yield from self._answer(part)
            case Result():
                yield from self._result(part)
            case Stopped():
                if self.turn is not None:
                    self.turn.end, self.turn.why = part.reason, cut(part.text, LONGEST_NOTE)
            case Summary():
                yield from self._summary(part)
            case Note():
                yield from self._note(part)
            case Mark():
                yield from self._mark(part)
            case Return():
                yield from self._return(part)

    def _entry(self, body: Body, at: float = 0.0) -> Entry:
        self.at = at or self.at
        kind = body.kind if isinstance(body, Foreign) else type(body).__name__
        made = Entry(
            id=entry_id(self.session_id, self.number, kind),
            session_id=self.session_id,
            parent=self.parent,
            body=body,
            at=self.at,
        )
        self.number += 1
        self.parent = made.id
        first = self.turn.id if self.turn is not None else made.id
        if not _only_closes(body):
            self.turn_of.update(dict.fromkeys(self.waiting, first))
            self.waiting.clear()
        return made

    def _past(self) -> _Past:
        return _Past(len(self.said), self.used)

    def _note(self, note: Note) -> Iterator[Entry]:
        if self.notes >= MOST_NOTES:
            self.tally.not_kept += 1
            return
        self.notes += 1
        record = cut(note.record, LONGEST_NOTE)
        yield self._entry(Foreign(agent=self.facts.agent, kind=note.kind, record=record), note.at)

    def _mark(self, mark: Mark) -> Iterator[Entry]:
        if not mark.ends:
            self.waiting.append(mark.name)
            return
        yield from self._end_turn()
        self.ends[mark.name] = self.parent, self._past()

    def _prompt(self, prompt: Prompt) -> Iterator[Entry]:
        own = prompt.own
        if own and self.turn is not None and self.turn.asked:
            yield from self._end_turn()
        yield from self._close_calls()
        prompt_id = entry_id(self.session_id, self.number, UserMessage.__name__)
        if self.turn is None:
            self.turn = _Turn(prompt_id)
            self.before[prompt_id] = self._past()
        if own:
            self.turn.asked = True
            self.tally.prompts += 1
            self.said.append(prompt.text)
        message = UserMessage(
            text=cut(prompt.text),
            turn_id=self.turn.id,
            prompt_id=prompt_id if own else "",
            attachments=prompt.attachments,
        )
        yield self._entry(message, prompt.at)

    def _answer(self, answer: Answer) -> Iterator[Entry]:
        """One that only thought says nothing: no service takes it."""
        if all(isinstance(block, Thinking) for block in answer.blocks):
            self.tally.left_out["only thinking"] += 1
            thought = msgspec.json.encode(answer.blocks).decode()
            yield from self._note(Note(kind="only thinking", record=thought, at=answer.at))
            return
        if self.turn is None:
            yield from self._prompt(Prompt(text=BEGINNING, own=False, at=answer.at))
        yield from self._close_calls()
        blocks = tuple(map(self._own, answer.blocks))
        message = AssistantMessage(blocks=blocks, stop_reason=answer.stop, model=answer.model, usage=answer.usage)
        if self.turn is not None:
            self.turn.open_calls = [
                (theirs.call_id, ours)
                for theirs, ours in zip(answer.blocks, blocks, strict=True)
                if isinstance(theirs, ToolCall) and isinstance(ours, ToolCall)
            ]
            self.turn.answered, self.turn.asked = not message.calls, True
        self.tally.answers += 1
        self.tally.calls += len(message.calls)
        self.used += answer.usage
        yield self._entry(message, answer.at)

    def _own(self, block: Block) -> Block:
        """No id comes twice in a session."""
        if not isinstance(block, ToolCall):
            return block
        own = values.call_id(block.call_id)
        if own in self.call_ids:
            own = f"call_{hashlib.sha256(f'{self.number}/{len(self.call_ids)}/{own}'.encode()).hexdigest()[:24]}"
        self.call_ids.add(own)
        return msgspec.structs.replace(block, call_id=own)

    def _result(self, result: Result) -> Iterator[Entry]:
        call = self.turn.answer_to(result.call_id) if self.turn is not None else None
        if call is None:
            self.tally.results_without_call += 1
            record = msgspec.json.encode({"call_id": result.call_id, "output": result.output}).decode()
            yield from self._note(Note(kind="result without a call", record=record, at=result.at))
            return
        self.tally.results += 1
        body = ToolResult(
            call_id=call.call_id,
            name=call.name,
            output=cut(result.output),
            failed=result.failed,
            attachments=result.attachments,
        )
        yield self._entry(body, result.at)

    def _close_calls(self) -> Iterator[Entry]:
        """Each has a result before anything else is said."""
        while self.turn is not None and self.turn.open_calls:
            _, call = self.turn.open_calls.pop(0)
            self.tally.calls_without_result += 1
            yield self._entry(ToolResult(call_id=call.call_id, name=call.name, output=NO_RESULT, failed=True))

    def _end_turn(self) -> Iterator[Entry]:
        if self.turn is None:
            return
        open_calls = bool(self.turn.open_calls)
        yield from self._close_calls()
        reason = self.turn.end
        if reason == "done" and (open_calls or not self.turn.answered):
            reason = "interrupted"
        yield self._entry(TurnEnded(turn_id=self.turn.id, reason=reason, text=self.turn.why))
        self.turn = None

    def _summary(self, summary: Summary) -> Iterator[Entry]:
        """What was still sent begins with a turn: the one that was marked, else the latest."""
        if not self.before:
            yield from self._prompt(Prompt(text=summary.text, own=False, at=summary.at))
            return
        yield from self._close_calls()
        marked = self.turn_of.get(summary.kept_from, "")
        kept_from = marked if marked in self.before else next(reversed(self.before))
        past = self.before[kept_from]
        self.tally.compactions += 1
        compacted = Compacted(
            why="asked" if summary.asked else "window",
            kept_from=kept_from,
            read_from=kept_from,
            carried=Carried(said=_newest(self.said[: past.said]), summary=cut(summary.text)),
            used=past.used,
            spent_usd=past.used.known_cost_usd,
            tokens_before=summary.tokens_before,
            told=f"{self.facts.agent} had compacted it here",
        )
        yield self._entry(compacted, summary.at)

    def _return(self, back: Return) -> Iterator[Entry]:
        yield from self._end_turn()
        if back.name in self.ends:
            left = self.parent
            self.parent, past = self.ends[back.name]
            self.used = past.used
            del self.said[past.said :]
            yield self._entry(Moved(left=left))


def _only_closes(body: Body) -> bool:
    """It belongs to what was before."""
    return isinstance(body, TurnEnded | Moved) or (isinstance(body, ToolResult) and body.output == NO_RESULT)


def _newest(said: list[str]) -> tuple[str, ...]:
    room = MOST_SAID
    kept: list[str] = []
    for text in reversed(said):
        room -= len(text)
        if room < 0:
            break
        kept.append(text)
    return tuple(kept[::-1])
