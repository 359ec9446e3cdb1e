"""What the screen knows of the session: events in, pieces for the scrollback and an open rest out. No I/O, no clock."""

from dataclasses import dataclass, replace
from typing import get_args

from actors.common.budget import used_by
from actors.common.plurals import how_many
from actors.messages.base import PromptsWithdrawn
from actors.messages.budget import LimitRaised
from actors.messages.checkpoint import Checkpointed, TakenBack
from actors.messages.conversation import (
    AssistantMessage,
    BrokenTry,
    CallStarted,
    Compacted,
    Entry,
    Foreign,
    Instructed,
    ModelChosen,
    Moved,
    Named,
    PromptQueued,
    ShellEnded,
    ShellEntry,
    ShellStarted,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.subagent import (
    SubagentEnded,
    SubagentEntry,
    SubagentMerged,
    SubagentPrompted,
    SubagentsAre,
    SubagentSpawned,
)
from actors.messages.tool import PLAN_APPROVED, Mode, SandboxIs, SandboxUnasked, ToolProgress
from actors.messages.turn import CaughtUp, EntryAdded, Event, FromSubagent, Notice, QueueIs, SessionInfo, TurnStopped
from actors.messages.usage import NOTHING_USED, Usage
from actors.settings.mcp.names import shown_wire
from ui.common import harmless
from ui.common.attached_files import shown, shown_quotation
from ui.common.model_change import from_now_on
from ui.screen.terminal.piece import Piece
from ui.screen.transcript import calls, todo, waiting
from ui.screen.transcript.arrival import Arrival
from ui.screen.transcript.blocks import OPENS, Note, Plain, SourcesNamed, Stopped, ToolDone, UserSaid, in_brief
from ui.screen.transcript.calls import Running
from ui.screen.transcript.notes import WaitingNotes
from ui.screen.transcript.open_answer import Mark, OpenAnswer, numbered
from ui.screen.transcript.plan import PlanApproved
from ui.screen.transcript.shell_block import SIGN, ShellDone, title
from ui.screen.transcript.subagents.standing import Subagents
from ui.screen.transcript.thought import Thoughts
from ui.screen.transcript.waiting import Sent

AMID_AN_ANSWER = (PromptQueued, PromptsWithdrawn, BrokenTry, Named, *get_args(SubagentEntry), *get_args(ShellEntry))
PROGRESS_KEPT = 2000
"""Characters of a running tool's output."""


@dataclass(frozen=True)
class Retry:
    why: str
    at: float | None
    """Seconds since the epoch; None: when is not known."""


class SessionView:
    def __init__(self, mark: Mark | None = None, *, plain: bool = False) -> None:
        """mark: what is in the scrollback from an earlier life. plain: answers are shown as they are written."""
        self.session_id = ""
        self.switched = False
        """It is another one than the program was started with."""
        self.called = ""
        """Its name; "" where it has none."""
        self._mark = mark or Mark()
        self._arrival: Arrival | None = None
        """At another session or another place of this one, from the subscription to it until all of it is known."""
        self._plain = plain
        self.notes = WaitingNotes(self._mark.notes)
        self.open_answer, self._thoughts = self._open(self._mark), Thoughts()
        self.calls, self.shell = dict[str, Running](), dict[str, Running]()  # shell: commands of the user's own
        self.sent: list[Sent] = []
        self.name = ""
        """PROVIDER/NAME of the model."""
        self.effort = ""
        self._chosen = ""
        """As it was named; "" when the providers choose."""
        self._answered_by = ""
        """The latest that did, before the latest choice."""
        self.mode: Mode = "default"
        self.read_only = self.steered = ""
        """Why; and the subagent of another program whose session it is, while it can be told things and cancelled."""
        self.sandbox = ""
        """What commands run in; "" as long as that is not known."""
        self.unrestricted = False
        self.sandbox_unasked = False
        """All that stays inside it runs unasked, by a rule."""
        self.steps: tuple[todo.Step, ...] = ()
        """The agent's list, as it last noted it."""
        self.subagents, self.jobs = Subagents(), 0  # jobs: commands that run in the background
        self.busy = self.thinking = self.has_spoken = False
        self.turn_started_at = 0.0
        self.retry: Retry | None = None
        self.stopping = self.reading = False  # reading: of what a prompt that is on its way names of MCP servers
        self.compacting_since: float | None = None
        """Seconds since the epoch; None: it is not being compacted on the user's word."""
        self.usage = NOTHING_USED
        """Of the latest answer: how full the context is."""
        self.used = NOTHING_USED
        """Of all that was billed in the session, and by subagents that are over."""
        self.last_seen = self.mark.last
        """Where a new subscription goes on."""
        self.prompted = bool(self.mark.last)
        """The session has a prompt: so leaving says how to go on, also after a crash of the screen."""
        self._skip = self.mark.shown
        self._fresh, self._after_tool = list[Piece](), False

    @property
    def working(self) -> bool:
        return self.busy or bool(self.shell) or self.compacting_since is not None

    @property
    def interruptible(self) -> bool:
        """There is something that Esc stops: also a prompt whose commands run before it is accepted."""
        return self.working or bool(self.sent)

    @property
    def mark(self) -> Mark:
        """How much of the session is in the scrollback: of the place before, until one has arrived at another."""
        mark = self._mark if self._arrival is None else self._arrival.before
        return mark if mark.notes == self.notes.gone else replace(mark, notes=self.notes.gone)

    def take(self) -> list[Piece]:
        """What goes to the scrollback now; `mark` says how much of the session is there then."""
        if not self.open_answer.is_amid and not self.open_answer.is_behind:
            self.let_notes_go()
        fresh, self._fresh = self._fresh, []
        return fresh

    def say(self, piece: Piece) -> None:
        """Something of the program itself."""
        self._fresh += self.notes.passed(piece, amid=self.open_answer.is_amid)

    def let_notes_go(self) -> None:
        self._fresh += self.notes.let_go()

    def apply(self, event: Event, at: float = 0.0) -> None:
        """at: when it was heard, in seconds since the epoch."""
        match event:
            case SessionInfo():
                self._subscribed(event)
            case EntryAdded(entry=entry):
                self._entry(entry)
            case TextDelta() | ThinkingDelta():
                self._delta(event)
            case ToolProgress(call_id=call_id, text=text):
                if call := self.calls.get(call_id) or self.shell.get(call_id):
                    call.output = (call.output + harmless.sanitise(text.replace("\r", "\n")))[-PROGRESS_KEPT:]
            case Retrying(why=why, wait_s=wait, again=again):
                self.open_answer, self._thoughts = self._open(self._mark), Thoughts()
                self.retry = Retry(harmless.one_line(why), at + wait if again else None)
            case SubagentsAre():
                self.subagents.are(event)
            case CaughtUp():
                self._arrived()
            case QueueIs() | TurnStopped() | Notice() | FromSubagent():
                self._told(event)

    def _told(self, event: QueueIs | TurnStopped | Notice | FromSubagent) -> None:
        """In words; that a subagent waits its row says."""
        if isinstance(event, QueueIs):
            self.sent = waiting.after(self.sent, event)
        elif isinstance(event, TurnStopped):
            self.turn_over()
            self._other(Stopped("failed", harmless.sanitise(event.text)))
        elif isinstance(notice := event.event if isinstance(event, FromSubagent) else event, Notice):
            whose = f"{event.name}: " if isinstance(event, FromSubagent) else ""
            self.say(Note(harmless.sanitise(whose + notice.text), notice.level))

    def take_sandbox(self, message: SandboxIs | SandboxUnasked) -> None:
        """It is another than it was when the session began."""
        match message:
            case SandboxIs(level=level):
                self.sandbox = level
            case SandboxUnasked(counts=counts):
                self.sandbox_unasked = counts

    def _delta(self, delta: TextDelta | ThinkingDelta) -> None:
        self.thinking, self.retry, self.has_spoken = isinstance(delta, ThinkingDelta), None, False
        self._thoughts.hear(delta)
        if isinstance(delta, TextDelta):
            self._answer(self.open_answer.feed(delta.text, delta.cites))

    def _subscribed(self, info: SessionInfo) -> None:
        """The first one, or a new one: what is open comes again from its start."""
        if self.session_id not in {"", info.session_id} or not info.goes_on:
            self._start_over(info.session_id)
        self.session_id, self.sandbox, self.unrestricted = info.session_id, info.sandbox, info.unrestricted
        self.read_only, self.steered = info.read_only, harmless.one_line(info.steered)
        self.open_answer, self._thoughts = self._open(self._mark), Thoughts()
        self.name, self.effort, self._chosen = info.model or self.name, info.effort, info.model
        self.mode, self.busy, self.has_spoken = info.mode, info.busy, info.has_spoken
        self.used, self.usage = info.used, info.latest
        self.thinking, self.retry, self.stopping = False, None, self.stopping and info.busy
        if info.earlier:
            self._begins_late(info)

    def _begins_late(self, info: SessionInfo) -> None:
        """What is before the end of a long session is in the store."""
        self.prompted = True
        if self._arrival is not None:
            self._arrival.begins_late = True
        else:
            self._fresh.append(Note(f"{how_many(info.earlier, 'earlier entry')}{OPENS}"))

    def _start_over(self, session_id: str) -> None:
        """Another session, or another place of this one: what the scrollback has is of the one before."""
        self.turn_over()
        left = "" if self.session_id == session_id else self.session_id
        old = self._arrival or Arrival(self.mark, left, begun=self.prompted)
        self._arrival = Arrival(old.before, old.left, begun=old.begun)
        self.switched |= bool(old.left)
        self._mark, self.open_answer, self.last_seen = Mark(), self._open(Mark()), ""
        self.sent, self.steps, self.prompted, self.called = [], (), False, ""
        self.subagents, self.shell = Subagents(), {}
        self.usage = self.used = NOTHING_USED
        self._skip = 0

    def _arrived(self) -> None:
        """What was said last is said again, so that one knows where one is."""
        if (arrival := self._arrival) is not None:
            self._arrival = None
            self._fresh += [Plain(""), Note(arrival.in_words(self.session_id)), *arrival.said]
            self._after_tool = False

    def _entry(self, entry: Entry) -> None:
        quiet = self._skip > 0
        self._skip -= quiet
        before = len(self._fresh)
        self._body(entry)
        if self._arrival:
            self._arrival.passed(entry.body, self._fresh[before:])
        if quiet or self._arrival:
            del self._fresh[before:]
        self.last_seen = entry.id
        mark = self._mark if isinstance(entry.body, AMID_AN_ANSWER) else replace(self._mark, chars=0, crc=0)
        if self.calls or self.shell:  # only with their results is it settled what the rows of this answer are
            self._mark = replace(mark, shown=mark.shown + (not quiet))
        elif isinstance(entry.body, AMID_AN_ANSWER):
            self._mark = replace(mark, last=entry.id, shown=self._skip)
        else:
            self._mark = Mark(last=entry.id, shown=self._skip)

    def _body(self, entry: Entry) -> None:
        match entry.body:
            case UserMessage():
                self._user_said(entry.body, entry.at)
            case AssistantMessage():
                self._model_answered(entry.body)
            case CallStarted(call_id=call_id):
                self._call_started(call_id, entry.at)
            case ToolResult(call_id=call_id):
                self._tool_done(call_id, entry.body)
            case TurnEnded():
                self._turn_ended(entry.body)
            case ShellStarted(id=shell_id, command=command):
                self.shell[shell_id] = Running(SIGN, title(command), started_at=entry.at)
            case ShellEnded(id=shell_id):
                self.shell.pop(shell_id, None)
                self._other(ShellDone(entry.body))
            case SubagentSpawned() | SubagentPrompted() | SubagentEnded() | SubagentMerged():
                self.used += used_by(entry.body)
                self._beside_tools(self.subagents.hear(entry.body, entry.at, gap=not self._after_tool))
            case _:
                self._beside_the_turn(entry.body)

    def _beside_the_turn(
        self,
        body: PromptQueued
        | PromptsWithdrawn
        | ModelChosen
        | BrokenTry
        | Compacted
        | Named
        | LimitRaised
        | Moved
        | Checkpointed
        | TakenBack
        | Foreign
        | Instructed,
    ) -> None:
        match body:
            case PromptQueued() | PromptsWithdrawn():
                self.sent = waiting.after(self.sent, body)
            case ModelChosen(model=model, effort=effort):
                self._model_chosen(model, effort)
            case BrokenTry(usage=usage) | Named(usage=usage):
                self.used += usage
            case Compacted(told=told, usage=usage, tokens_after=tokens, carried=carried):
                self.used += usage
                self.usage = Usage(input_tokens=tokens)
                # what it was noted by is not read again
                self.steps = self.steps or todo.steps(ToolCall(call_id="", name=todo.TOOL, arguments=carried.todo))
                self._other(Note(harmless.sanitise(told)))
            case _:  # what nobody has to see
                return

    def _user_said(self, message: UserMessage, at: float) -> None:
        if not self.busy:
            self.turn_started_at = at
        self.busy, self.prompted, self.has_spoken = True, True, False
        self.sent = [sent for sent in self.sent if sent.prompt_id != message.prompt_id]
        text = harmless.sanitise(message.text)
        attached = (*map(shown, message.attachments), *map(shown_quotation, message.quoted))
        self._other(UserSaid(text, attached) if message.prompt_id else in_brief(text))

    def _call_started(self, call_id: str, at: float) -> None:
        if call := self.calls.get(call_id):
            call.started_at = at

    def _model_chosen(self, model: str, effort: str) -> None:
        self.name, self.effort, self._chosen = model or self.name, effort, model
        if self.prompted:  # else it may be what the command line said
            self._other(Note(from_now_on(self.name, effort)))

    def _turn_ended(self, end: TurnEnded) -> None:
        self.turn_over()
        text = harmless.sanitise(end.text)
        if end.reason != "done":
            self._other(Stopped(end.reason, text))
        elif text:
            self._other(Note(text))

    def turn_over(self) -> None:
        """Nothing goes on any more."""
        self._close_answer()
        self.calls = {}
        self.busy = self.stopping = self.thinking = False
        self.retry = None

    def _model_answered(self, message: AssistantMessage) -> None:
        self._thoughts.whole(message)
        self._close_answer(numbered(message))
        if message.sources:
            self._other(SourcesNamed(message.sources))
        self.thinking, self.retry, self.has_spoken = False, None, not message.calls
        self._answering(message.model)
        if message.usage.is_reported:  # else it was broken off, and the context is what it was
            self.usage = message.usage
        self.used += message.usage
        self.calls |= {call.call_id: calls.running(call) for call in message.calls}

    def _answering(self, model: str) -> None:
        """It may be one whose answer was under way when another was chosen; and a choice may be an alias."""
        provider = self._chosen.partition("/")[0]
        old = model == self._answered_by != self._chosen
        if model and not old and model.startswith(provider):
            self.name = model
        self._answered_by = model

    def _tool_done(self, call_id: str, result: ToolResult) -> None:
        call = self.calls.pop(call_id, None) or Running(harmless.one_line(shown_wire(result.name)), "")
        if call.steps and not result.failed:
            self.steps = call.steps
        if not self.subagents.tells_of(result):
            self._beside_tools(ToolDone(call.name, call.title, result, gap=not self._after_tool, steps=call.steps))
        if call.plan and result.summary == PLAN_APPROVED:
            self._other(PlanApproved(call.plan))

    def _close_answer(self, whole: str = "") -> None:
        self._answer(self.open_answer.finish(whole))
        self._thought()  # of one that says nothing
        self.open_answer, self._thoughts = self._open(Mark()), Thoughts()

    def _thought(self) -> None:
        if (thought := self._thoughts.take(gap=not self._after_tool)) and not self._mark.chars:
            self._beside_tools(thought[0])

    def _open(self, mark: Mark) -> OpenAnswer:
        return OpenAnswer(mark.chars, mark.crc, plain=self._plain)

    def _answer(self, pieces: list[Piece]) -> None:
        if pieces:
            self._thought()
            self._fresh += pieces
            self._after_tool = False
            self._mark = replace(self._mark, chars=self.open_answer.chars, crc=self.open_answer.crc)

    def _beside_tools(self, piece: Piece) -> None:
        self._fresh.append(piece)
        self._after_tool = True

    def _other(self, piece: Piece) -> None:
        self._fresh.append(piece)
        self._after_tool = False
