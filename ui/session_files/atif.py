"""A session as a trajectory in the Agent Trajectory Interchange Format, version 1.8, without secrets. Pure.

A step of the agent is one answer of the model with its calls and their results; what the program says by itself, also
in the user's place, is a step of the system. Sums count what was billed, also answers that broke off.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

import msgspec

from actors.common.budget import spent
from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    BrokenTry,
    Compacted,
    Entry,
    ModelChosen,
    Named,
    ShellEnded,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.subagent import SubagentEnded
from actors.messages.usage import NOTHING_USED, Usage
from actors.settings.mcp.names import shown_tool
from actors.settings.redaction import redacted
from actors.version import VERSION
from ui.common import json_text
from ui.common.attached_files import shown
from ui.session_files.redaction import redacted_json

SCHEMA = "ATIF-v1.8"
Values = dict[str, object]


class Step(msgspec.Struct, kw_only=True, omit_defaults=True):
    step_id: int
    timestamp: str | None = None
    source: Literal["system", "user", "agent"]
    model_name: str | None = None
    reasoning_effort: str | None = None
    message: str
    reasoning_content: str | None = None
    tool_calls: list[Values] | None = None
    observation: dict[str, list[Values]] | None = None
    metrics: Values | None = None
    llm_call_count: int | None = None
    extra: Values | None = None


class Trajectory(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    schema_version: str = msgspec.field(default_factory=lambda: SCHEMA)  # a default would be left out
    session_id: str
    agent: Values
    steps: list[Step]
    notes: str | None = None
    final_metrics: Values
    extra: Values | None = None


class NoSteps(Exception):
    """Nothing was said, and the format wants a step."""


class Telling:
    """Entries of one path, one after the other; the trajectory that they come to."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._ended = ""
        """How the last turn did."""
        self._effort = ""
        self._called: dict[str, Step] = {}
        """The step of each call whose result is still to come."""
        self._billed: list[AssistantMessage | BrokenTry] = []
        self._used = NOTHING_USED

    def add(self, entry: Entry) -> None:
        match entry.body:
            case UserMessage() as said:
                self._step(entry, "user" if said.prompt_id else "system", _text(said.whole, said.attachments))
            case ModelChosen(effort=effort):
                self._effort = effort
            case AssistantMessage() as answer:
                self._answered(entry, answer)
            case ToolResult() as result:
                self._resulted(entry, result)
            case BrokenTry() as broken:
                self._bill(broken)
            case Named(usage=usage) | SubagentEnded(used=usage):
                self._bill(BrokenTry(usage=usage))  # it is no answer of the conversation
            case Compacted() as compacted:
                self._bill(BrokenTry(usage=compacted.usage))  # it is no answer of the conversation either
                self._step(entry, "system", f"Compacted: {redacted(compacted.told)}")
            case TurnEnded() as end:
                self._turn_ended(entry, end)
            case ShellEnded() as ended:
                self._ran(entry, ended)
            case _:
                pass

    def atif(self, session_id: str) -> str:
        """Raises NoSteps."""
        if not self._steps:
            raise NoSteps
        answered = [step.model_name for step in self._steps if step.model_name]
        agent: Values = {"name": "trouper", "version": VERSION}
        trajectory = Trajectory(
            session_id=session_id,
            agent=agent | ({"model_name": answered[-1]} if answered else {}),
            steps=self._steps,
            notes=self._notes(),
            final_metrics=self._final_metrics(),
            extra={"ended": self._ended} if self._ended else None,
        )
        return json_text.pretty(trajectory)

    def _notes(self) -> str | None:
        broken = sum(1 for one in self._billed if isinstance(one, BrokenTry))
        return (
            f"The totals count {broken} that are no steps: answers that broke off, summaries, and a name."
            if broken
            else None
        )

    def _final_metrics(self) -> Values:
        counts = _tokens(self._used) if self._used.is_reported else {}
        totals = {f"total_{name}": value for name, value in counts.items()}
        cost = spent(self._billed)
        return {**totals, **({} if cost is None else {"total_cost_usd": cost}), "total_steps": len(self._steps)}

    def _step(self, entry: Entry, source: Literal["system", "user", "agent"], message: str) -> Step:
        step = Step(step_id=len(self._steps) + 1, timestamp=_timestamp(entry.at), source=source, message=message)
        self._steps.append(step)
        return step

    def _bill(self, one: AssistantMessage | BrokenTry) -> None:
        self._billed.append(one)
        self._used += one.usage

    def _answered(self, entry: Entry, answer: AssistantMessage) -> None:
        self._bill(answer)
        step = self._step(entry, "agent", redacted(answer.text))
        thought = "\n".join(block.text for block in answer.blocks if isinstance(block, Thinking) and block.text)
        step.model_name, step.llm_call_count = answer.model or None, 1
        step.reasoning_effort = self._effort or None
        step.reasoning_content = redacted(thought) or None
        step.tool_calls = [_call(call) for call in answer.calls] or None
        step.metrics = _metrics(answer.usage)
        step.extra = (
            {"stop_reason": answer.stop_reason} if answer.stop_reason not in {"end_turn", "tool_calls"} else None
        )
        self._called |= {call.call_id: step for call in answer.calls}

    def _turn_ended(self, entry: Entry, end: TurnEnded) -> None:
        self._ended = end.reason
        if end.reason != "done":
            told = filter(None, [f"The turn ended: {end.reason}", redacted(end.text)])
            self._step(entry, "system", ": ".join(told))

    def _ran(self, entry: Entry, ended: ShellEnded) -> None:
        step = self._step(entry, "system", f"The user ran: {redacted(ended.command)}")
        flags = {"failed": ended.failed, "denied": ended.denied, "told": ended.told}
        extra = {name: value for name, value in flags.items() if value} | {"ms": ended.ms}
        step.observation = {"results": [{"content": redacted(ended.output), "extra": extra}]}

    def _resulted(self, entry: Entry, result: ToolResult) -> None:
        step = self._called.pop(result.call_id, None)
        seen: Values = {"content": _text(result.output, result.attachments), "extra": _outcome(result)}
        if step is None:
            step = self._step(entry, "system", f"A result of {result.name} without its call")
        else:
            seen = {"source_call_id": result.call_id, **seen}
        step.observation = step.observation or {"results": []}
        step.observation["results"].append(seen)


def _call(call: ToolCall) -> Values:
    """The format wants an object of arguments: what the model wrote instead is beside it."""
    arguments = redacted_json(call.arguments)
    told: Values = {"tool_call_id": call.call_id, "function_name": call.name, "arguments": {}}
    shown_name = shown_tool(call)
    extra: Values = {"shown": shown_name} if shown_name != call.name else {}
    if isinstance(arguments, dict):
        return told | {"arguments": arguments} | ({"extra": extra} if extra else {})
    return told | {"extra": {**extra, "written": arguments}}


def _outcome(result: ToolResult) -> Values:
    flags = {"failed": result.failed, "denied": result.denied}
    return {name: value for name, value in flags.items() if value} | {"ms": result.ms}


def _text(text: str, attachments: Sequence[Attachment]) -> str:
    """The format wants a file for an image; here it is named."""
    return "\n".join(filter(None, [redacted(text), *(redacted(shown(one)) for one in attachments)]))


def _metrics(usage: Usage) -> Values | None:
    """None where nobody has counted anything."""
    if not usage.is_reported:
        return None
    more = {"cache_write_tokens": usage.cache_write_tokens, "reasoning_tokens": usage.reasoning_tokens}
    cost = usage.known_cost_usd
    return {**_tokens(usage), **({} if cost is None else {"cost_usd": cost}), "extra": more}


def _tokens(usage: Usage) -> dict[str, int]:
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "cached_tokens": usage.cache_read_tokens,
    }


def _timestamp(at: float) -> str | None:
    try:
        return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (OverflowError, OSError, ValueError):
        return None  # of an entry that was made elsewhere
