"""What happened in a session, and what follows from it: pure decisions over entries.

The next step is always read off the entries, so a restarted agent goes on exactly where the last one stopped.
"""

import time
import uuid
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal

import msgspec

from actors.agent.compaction.sent import latest, messages, place_of, sent_instead
from actors.agent.compaction.shell_ledger import ShellLedger
from actors.agent.session.ledger import Ledger
from actors.agent.session.queue import Queue
from actors.common.attachments import leave_out, newest_sent
from actors.common.budget import Billed, spent, used_by
from actors.common.plurals import how_many
from actors.messages.base import ProblemCode, PromptsWithdrawn
from actors.messages.budget import LimitRaised
from actors.messages.checkpoint import Checkpointed, TakenBack
from actors.messages.conversation import (
    MOST_SEEN,
    AssistantMessage,
    Body,
    BrokenTry,
    CallStarted,
    Compacted,
    EndReason,
    Entry,
    Instructed,
    ModelChosen,
    ModelInput,
    Moved,
    Named,
    PromptQueued,
    Seen,
    ShellEntry,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.subagent import SubagentEntry

CUT_OFF = "Your answer was cut off at the token limit.{call} Go on from there, in smaller steps."
CUT_CALL = " The call of {name} in it was incomplete and was not run."
REFUSED_ANSWER = "the model refused to answer this{why}. Put it in other words, or use another model."
REFUSED = "the model service refused the request it came with"
NOT_TO_BE_HAD: frozenset[ProblemCode | Literal[""]] = frozenset(
    ("no_credentials", "unauthorized", "unknown_model", "bad_request", "bad_configuration")
)
"""How a model fails that does not come back by itself, as one does after an outage."""
OUTCOME_UNKNOWN = "interrupted, outcome unknown: the process that ran this died. Look before you do it again."
CANCELLED_CALL = "{by}; it may have had a part of its effect."
UNSTARTED_CALL = "{by} before it was done; it changed nothing."


BESIDE_A_TURN = (
    *(ModelChosen, Instructed, Checkpointed, TakenBack, Moved, Compacted, Named, LimitRaised),
    SubagentEntry,
    ShellEntry,
)
"""What a turn does not go by."""


class AskForAnswer(msgspec.Struct, frozen=True):
    closing: bool = False
    """The limit is reached: ask for a summary, offer no tools."""


class RunCalls(msgspec.Struct, frozen=True):
    calls: tuple[ToolCall, ...]


class EndTurn(msgspec.Struct, frozen=True):
    reason: EndReason
    text: str = ""
    refused_prompts: tuple[str, ...] = ()
    code: ProblemCode | Literal[""] = ""


Step = AskForAnswer | RunCalls | EndTurn


class History:
    """The entries of one session, in order; grows at the end only.

    What is before the `read_from` of its latest compaction is not held: of that it knows what the compaction says.
    """

    def __init__(self, session_id: str, entries: Iterable[Entry] = ()) -> None:
        self.session_id = session_id
        self.entries: list[Entry] = []
        self.open_turn: list[Body] = []
        """The bodies of the turn that has not ended, its first prompt first; [] when none is open."""
        self.chosen: ModelChosen | None = None
        """The latest."""
        self.lasting: ModelChosen | None = None
        """The latest that has answered, or may yet: a later run goes on with it."""
        self.checkpointed: Checkpointed | None = None
        """The latest."""
        self.untold = ""
        """What the model has not been told yet of files that went back without the conversation."""
        self.instructed: list[Instructed] = []
        """Since the latest compaction: after one the system prompt is made anew."""
        self.subagents = Ledger(session_id)
        self.queue = Queue()
        self.left: frozenset[str] = frozenset()
        """Prompts that this agent has answered elsewhere: one that is sent once more is not said here again."""
        self.shell = ShellLedger()
        self._answered: ModelChosen | None = None
        self._seen: dict[str, Seen] = {}
        """By path, the latest last."""
        self.base = Compacted(why="asked")
        """The latest compaction; one that says nothing where there is none."""
        self._instead: tuple[Compacted, list[ModelInput]] | None = None
        held = list(entries)
        _, compacted = latest(held)
        if compacted is not None:
            self._begin_with(compacted)
            del held[: place_of(held, compacted.read_from, 0)]
        for entry in held:
            self._take_up(entry)

    def _begin_with(self, base: Compacted) -> None:
        self.chosen, self.lasting, self._answered = base.chosen, base.lasting, base.answered
        self._seen = {one.path: one for one in base.seen}
        self.subagents.begin_with(base.subagents, base.untold_subagents)
        self.shell.begin_with(base.shell)

    def compacted(self, proposed: Compacted, read_from: str) -> Compacted:
        """With what has to be known of the entries before `read_from`, which are not read again.

        What waits is read again, so reading begins with the turn that it came in.
        """
        place = place_of(self.entries, read_from, 0)
        if (waiting := self.queue.turn_of_first(self.entries[:place])) is not None:
            place, read_from = waiting, self.entries[waiting].id
        earlier, gone = History(self.session_id), [entry.body for entry in self.entries[:place]]
        earlier._begin_with(self.base)
        for body in gone:
            earlier._note(body)
        billed = [body for body in gone if isinstance(body, Billed)]
        costs = self.base.spent_usd, spent(billed)
        return msgspec.structs.replace(
            proposed,
            read_from=read_from,
            chosen=earlier.chosen,
            lasting=earlier.lasting,
            answered=earlier._answered,
            seen=earlier.seen,
            subagents=earlier.subagents.carried(),
            untold_subagents=tuple(one.name for one in earlier.subagents.untold),
            shell=earlier.shell.carried(),
            used=sum(map(used_by, gone), self.base.used),
            spent_usd=None if costs[0] is None or costs[1] is None else costs[0] + costs[1],
        )

    def next_entry(self, body: Body) -> Entry:
        """Make the entry that comes next and take it up."""
        entry = Entry(
            id=uuid.uuid4().hex,
            session_id=self.session_id,
            parent=self.last_id,
            body=body,
            at=time.time(),
        )
        self._take_up(entry)
        return entry

    def _take_up(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._note(entry.body)
        if isinstance(entry.body, Checkpointed):
            self.checkpointed = entry.body
        if isinstance(entry.body, Compacted):
            self.base = entry.body
            del self.entries[: place_of(self.entries, entry.body.read_from, 0)]
        self._note_instructions(entry.body)
        if isinstance(entry.body, TurnEnded):
            self.open_turn = []
        elif isinstance(entry.body, BESIDE_A_TURN):
            return
        elif self.open_turn or isinstance(entry.body, UserMessage):
            self.open_turn.append(entry.body)

    def _note(self, body: Body) -> None:
        self._note_choice(body)
        self.subagents.note(body)
        self.queue.note(body)
        self.shell.note(body)
        match body:
            case ToolResult(seen=seen):
                self._note_seen(seen)
            case TakenBack(told=told) if told:
                self.untold = f"{self.untold}\n\n{told}".strip()
            case UserMessage(prompt_id="", text=self.untold):
                self.untold = ""
            case _:
                pass

    def _note_choice(self, body: Body) -> None:
        match body:
            case ModelChosen():
                self.chosen = self.lasting = body
            case AssistantMessage():
                if self.chosen is not None and body.model == self.chosen.model:
                    self.lasting = self.chosen
                self._answered = self.lasting
            case TurnEnded(code=code, refused_prompts=()) if code in NOT_TO_BE_HAD:
                self.lasting = self._answered
            case _:
                pass

    def _note_instructions(self, body: Body) -> None:
        if isinstance(body, Compacted):
            self.instructed = []
        elif isinstance(body, Instructed):
            self.instructed.append(body)

    def _note_seen(self, seen: Iterable[Seen]) -> None:
        for one in seen:
            self._seen.pop(one.path, None)
            self._seen[one.path] = one
        for path in tuple(self._seen)[:-MOST_SEEN]:
            del self._seen[path]

    @property
    def last_id(self) -> str:
        """Of the entry where the session stands; "" when it is empty."""
        return self.entries[-1].id if self.entries else ""

    @property
    def seen(self) -> tuple[Seen, ...]:
        """The files that the model knows, as it knows them."""
        return tuple(self._seen.values())

    def turn_of(self, prompt_id: str) -> str:
        """The turn a prompt belongs to; "" when it was never accepted."""
        for entry in reversed(self.entries):
            match entry.body:
                case UserMessage(prompt_id=known, turn_id=turn_id) if known == prompt_id:
                    return turn_id
                case PromptQueued(prompt_id=known, kind=kind) if known == prompt_id:
                    return prompt_id if kind == "next" else self.turn_id or prompt_id
                case _:
                    continue
        return prompt_id if prompt_id in self.left else ""

    @property
    def answered(self) -> set[str]:
        """Prompts that are part of the conversation."""
        return {entry.body.prompt_id for entry in self.entries if isinstance(entry.body, UserMessage)}

    @property
    def turn_id(self) -> str:
        """Of the open turn; "" when none is open."""
        turn = self.open_turn
        return turn[0].turn_id if turn and isinstance(turn[0], UserMessage) else ""

    def model_input(self) -> tuple[ModelInput, ...]:
        refused = refused_prompts(entry.body for entry in self.entries)
        whole = [_without_attachments(one) if _is_of(one, refused) else one for one in self._sent()]
        return tuple(map(_as_made, newest_sent(list(in_call_order(whole)))))

    def _sent(self) -> list[ModelInput]:
        """What is sent in the place of what the latest compaction follows on is made once."""
        at, compacted = latest(self.entries)
        if compacted is None:
            return list(messages(self.entries))
        if self._instead is None or self._instead[0] is not compacted:
            self._instead = compacted, sent_instead(self.entries[:at], compacted)
        return [*self._instead[1], *messages(self.entries[at:])]

    def interrupted_calls(self) -> tuple[ToolCall, ...]:
        """Calls of the open turn that were started and have no result: nobody knows what they did."""
        started = {body.call_id for body in self.open_turn if isinstance(body, CallStarted)}
        return tuple(call for call in unanswered(self.open_turn) if call.call_id in started)


def in_call_order(messages: Iterable[ModelInput]) -> Iterator[ModelInput]:
    """Results are stored as they come; the model reads them in the order of its calls, whichever was over first."""
    places: dict[str, int] = {}
    for are_results, run in groupby(messages, lambda message: isinstance(message, ToolResult)):
        if are_results:
            results = [message for message in run if isinstance(message, ToolResult)]
            yield from sorted(results, key=lambda result: places.get(result.call_id, len(places)))
            continue
        for message in run:
            if isinstance(message, AssistantMessage):
                places = {call.call_id: place for place, call in enumerate(message.calls)}
            yield message


def refused_prompts(bodies: Iterable[Body]) -> set[str]:
    return {prompt_id for body in bodies if isinstance(body, TurnEnded) for prompt_id in body.refused_prompts}


def untried(bodies: Iterable[Body]) -> list[UserMessage]:
    """Prompts with attachments that the model which is asked now has not answered yet."""
    bodies = list(bodies)
    refused = refused_prompts(bodies)
    tried: list[UserMessage] = []
    new: list[UserMessage] = []
    for body in bodies:
        match body:
            case UserMessage(prompt_id=prompt_id) if body.attachments and prompt_id not in refused:
                new.append(body)
            case AssistantMessage():
                tried, new = tried + new, []
            case ModelChosen():
                tried, new = [], tried + new
            case _:
                continue
    return new


def _is_of(message: ModelInput, prompts: set[str]) -> bool:
    return isinstance(message, UserMessage) and message.prompt_id in prompts


def _as_made(message: ModelInput) -> ModelInput:
    if not isinstance(message, AssistantMessage) or not any(call.through for call in message.calls):
        return message
    from actors.settings.mcp.through import as_made  # only who has such calls pays for it

    return as_made(message)


def _without_attachments(message: ModelInput) -> ModelInput:
    return leave_out(message, lambda _one: REFUSED)


def unanswered(turn: Iterable[Body]) -> tuple[ToolCall, ...]:
    """Calls without a result, in call order."""
    bodies = list(turn)
    answered = {body.call_id for body in bodies if isinstance(body, ToolResult)}
    calls = [call for body in bodies if isinstance(body, AssistantMessage) for call in body.calls]
    return tuple(call for call in calls if call.call_id not in answered)


def results_of_the_undone(history: History, end: EndTurn) -> list[ToolResult]:
    """Of the calls of the open turn that have none."""
    now = time.time()
    by = "ended because the time was up" if end.reason == "timeout" else "cancelled by the user"
    started = {entry.body.call_id: entry.at for entry in history.entries if isinstance(entry.body, CallStarted)}
    results = []
    for call in unanswered(history.open_turn):
        output = (CANCELLED_CALL if call.call_id in started else UNSTARTED_CALL).format(by=by)
        ms = max(0, round((now - started.get(call.call_id, now)) * 1000))
        results.append(ToolResult(call_id=call.call_id, name=call.name, output=output, failed=True, ms=ms))
    return results


def next_step(turn: list[Body], max_requests: int) -> Step:
    """What to do in an open turn. Calls come first: every call ends with exactly one result before the next request."""
    if calls := unanswered(turn):
        return RunCalls(calls)
    requests = sum(isinstance(body, AssistantMessage) for body in turn)
    if requests > max_requests:
        return EndTurn("turn_limit", f"stopped after {how_many(max_requests, 'model request')}. Go on with: trouper -c")
    beside = CallStarted | PromptQueued | PromptsWithdrawn | BrokenTry
    last = next(body for body in reversed(turn) if not isinstance(body, beside))
    if isinstance(last, AssistantMessage) and last.stop_reason != "pause":
        return _after_answer(last)
    return AskForAnswer(closing=requests == max_requests)


def _after_answer(answer: AssistantMessage) -> EndTurn:
    """An answer without calls that nothing was said after."""
    match answer.stop_reason:
        case "refusal":
            why = f" ({answer.stop_details})" if answer.stop_details else ""
            return EndTurn("failed", REFUSED_ANSWER.format(why=why))
        case "context_window":
            return EndTurn(
                "failed",
                "the conversation fills the model's window. Choose a model with a larger one: /model",
            )
        case "cancelled":
            return EndTurn("interrupted")
        case "error":
            return EndTurn("failed", "the model service ended its answer with an error.")
        case "max_tokens":
            return EndTurn("failed", "the answer was cut off at the token limit.")
        case "end_turn" | "tool_calls" | "pause":
            return EndTurn("done")


def after_cut(cut_call: str) -> str:
    """What the model is told when the token limit cut its answer."""
    return CUT_OFF.format(call=CUT_CALL.format(name=cut_call) if cut_call else "")
