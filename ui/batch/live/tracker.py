"""What is known of a batch that runs: events of its tasks in, where it stands out. It asks nobody."""

import time
from collections import Counter
from collections.abc import Callable

import msgspec

from actors.common.budget import Billed
from actors.messages.conversation import AssistantMessage, Body, ToolCall, ToolResult, UserMessage
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.turn import EntryAdded, Event
from actors.messages.usage import NOTHING_USED, Usage
from actors.settings.mcp.names import shown_tool
from actors.settings.redaction import redacted
from ui.batch.live.standing import AtWork, Standing
from ui.common.harmless import one_line

ASKING = "asks the model"
LONGEST = 200
"""Characters of what a task does."""


class Tracker:
    """Tasks by their ids."""

    def __init__(self, standing: Standing, clock: Callable[[], float] = time.time) -> None:
        """standing: at the start, nothing at work. clock: seconds since the epoch."""
        self._start = standing
        self._clock = clock
        self._at_work: dict[str, AtWork] = {}
        self._used: dict[str, Usage] = {}
        """By the tasks at work."""
        self._calls: dict[str, dict[str, str]] = {}
        """In words, by their ids: those of the last answer that have no result yet."""
        self._ended = Counter(standing.ended)
        self._ended_used = standing.used
        self._left = standing.left
        self._worked_s: list[float] = []
        self._state = standing.state

    def begins(self, task: str, doing: str = "begins") -> None:
        """Told again it goes on, with what it has used."""
        if task in self._at_work:
            return
        self._left -= 1
        self._used[task] = NOTHING_USED
        self._at_work[task] = AtWork(task=one_line(redacted(task)), doing=doing, since=self._clock())

    def does(self, task: str, doing: str) -> None:
        """What it does now in words, such as a command of its own; not while it is not at work."""
        if (at_work := self._at_work.get(task)) is not None:
            said = one_line(redacted(doing))[:LONGEST]
            self._at_work[task] = msgspec.structs.replace(at_work, doing=said, wait_until=0.0)

    def hears(self, task: str, event: Event) -> None:
        match event:
            case Retrying(why=why, wait_s=wait_s):
                self.does(task, f"waits: {why}" if wait_s else ASKING)
                self._waits(task, wait_s)
            case TextDelta():
                self.does(task, "writes")
            case ThinkingDelta():
                self.does(task, "thinks")
            case EntryAdded(entry=entry):
                self._notes(task, entry.body)
            case _:
                pass

    def ends(self, task: str, reason: str, used: Usage) -> None:
        """It has a result."""
        at_work = self._leaves(task)
        self._ended[reason] += 1
        self._ended_used += used
        if at_work is not None and reason == "done":
            self._worked_s.append(self._clock() - at_work.since)

    def gives_back(self, task: str) -> None:
        """It goes on at another time: it has no result."""
        if self._leaves(task) is not None:
            self._left += 1

    def pauses(self) -> None:
        self._state = "pausing"

    def standing(self) -> Standing:
        return msgspec.structs.replace(
            self._start,
            at_work=tuple(self._at_work.values()),
            ended=dict(self._ended),
            left=max(self._left, 0),
            used=sum(self._used.values(), start=self._ended_used),
            mean_s=sum(self._worked_s) / len(self._worked_s) if self._worked_s else 0.0,
            state=self._state,
        )

    def _leaves(self, task: str) -> AtWork | None:
        self._used.pop(task, None)
        self._calls.pop(task, None)
        return self._at_work.pop(task, None)

    def _waits(self, task: str, wait_s: float) -> None:
        if wait_s and (at_work := self._at_work.get(task)) is not None:
            self._at_work[task] = msgspec.structs.replace(at_work, wait_until=self._clock() + wait_s)

    def _notes(self, task: str, body: Body) -> None:
        if isinstance(body, Billed):
            self._bills(task, body.usage)
        match body:
            case AssistantMessage(calls=calls) if calls:
                self._calls[task] = {call.call_id: called(call) for call in calls}
                self._waits_for_calls(task)
            case ToolResult(call_id=call_id):
                self._calls.get(task, {}).pop(call_id, None)
                self._waits_for_calls(task)
            case UserMessage():
                self.does(task, ASKING)
            case _:
                pass

    def _waits_for_calls(self, task: str) -> None:
        """With none of them it is the model's turn."""
        first, *others = [*self._calls.get(task, {}).values()] or [ASKING]
        self.does(task, first + f" and {len(others)} more" * bool(others))

    def _bills(self, task: str, usage: Usage) -> None:
        if (at_work := self._at_work.get(task)) is None:
            return
        used = self._used[task] = self._used[task] + usage
        self._at_work[task] = msgspec.structs.replace(
            at_work, tokens=used.input_tokens + used.output_tokens, cost_usd=used.known_cost_usd
        )


def called(call: ToolCall) -> str:
    """bash make test: the tool and the first of its arguments that is a text."""
    name = one_line(shown_tool(call))
    try:
        arguments = msgspec.json.decode(call.arguments, type=dict[str, object])
    except (msgspec.DecodeError, RecursionError):
        return name
    text = next((value for value in arguments.values() if isinstance(value, str) and value.strip()), "")
    return f"{name} {one_line(text)}" if text else name
