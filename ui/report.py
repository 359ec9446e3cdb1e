"""What a headless run prints: events of one turn in, lines out. Pure; one class an output form."""

import time
from typing import Protocol

import msgspec

from actors.budget import in_words
from actors.errors import Failed
from actors.messages.base import ProblemCode
from actors.messages.conversation import (
    NOTHING_USED,
    AssistantMessage,
    Body,
    EndReason,
    Source,
    ToolCall,
    ToolResult,
    TurnEnded,
)
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.system import ActorRestarted
from actors.messages.tool import ToolProgress
from actors.messages.turn import EntryAdded, Event, Notice, SessionInfo
from ui.words import Output

VERSION = 1
"""Of the stream-json contract."""
EXIT_CODES: dict[EndReason, int] = {
    "done": 0,
    "failed": 1,
    "refused": 3,
    "turn_limit": 4,
    "budget": 4,
    "no_credentials": 5,
    "timeout": 124,
    "interrupted": 130,
}

ENDINGS: dict[ProblemCode, EndReason] = {"no_credentials": "no_credentials", "refused": "refused"}
"""Every other problem is a failure."""


class Tally:
    """What one turn came to."""

    def __init__(self) -> None:
        self.answer = ""
        self.sources: tuple[Source, ...] = ()
        """Of the answer."""
        self.model = ""
        self.stop_reason = ""
        self.turns = 0
        self.tool_calls = 0
        self.usage = NOTHING_USED
        self.session_usage = NOTHING_USED
        """Of all turns of the session."""
        self.refused: list[str] = []
        """What would have allowed the calls that were refused."""
        self.session_id = ""
        self._began = time.monotonic()

    def add(self, body: Body) -> None:
        match body:
            case AssistantMessage():
                self.turns += 1
                self.tool_calls += len(body.calls)
                self.usage += body.usage
                self.model, self.stop_reason = body.model, body.stop_reason
                self.answer, self.sources = body.text, body.sources
            case ToolResult(denied=True, summary=summary):
                self.refused.append(summary)
            case _:
                pass

    def see(self, body: Body) -> None:
        """Every entry of the session, the turn's own among them."""
        if isinstance(body, AssistantMessage):
            self.session_usage += body.usage

    def summary(self) -> str:
        """For people; "" where nothing was used."""
        tokens = self.usage.input_tokens + self.usage.output_tokens
        cost = in_words(self.usage)
        return (
            f"{self.turns} request{'s' * (self.turns != 1)}, {tokens:,} tokens{f', {cost}' * bool(cost)}"
            if tokens
            else ""
        )

    @property
    def ms(self) -> int:
        return round((time.monotonic() - self._began) * 1000)

    def reason(self, ended: EndReason) -> EndReason:
        """A turn that went through without something it was refused is not simply done."""
        return "refused" if ended == "done" and self.refused else ended


class Report(Protocol):
    def begin(self, info: SessionInfo) -> str: ...
    def event(self, event: Event | ActorRestarted) -> str:
        """Lines for stdout, or ""."""

    def end(self, tally: Tally, reason: EndReason, text: str) -> str: ...


class TextReport:
    """The final answer, once."""

    def begin(self, _info: SessionInfo) -> str:
        return ""

    def event(self, _event: Event | ActorRestarted) -> str:
        return ""

    def end(self, tally: Tally, _reason: EndReason, _text: str) -> str:
        return tally.answer.rstrip("\n") + "\n" if tally.answer else ""


class JsonReport:
    """One object at the end."""

    def begin(self, _info: SessionInfo) -> str:
        return ""

    def event(self, _event: Event | ActorRestarted) -> str:
        return ""

    def end(self, tally: Tally, reason: EndReason, text: str) -> str:
        return _line(result(tally, reason, text))


class StreamReport:
    """One object a line, as it happens; the last is the result."""

    def begin(self, info: SessionInfo) -> str:
        return _line(
            {
                "type": "session",
                "id": info.session_id,
                "version": VERSION,
                "model": info.model,
                "cwd": info.cwd,
                "mode": info.mode,
            }
        )

    def event(self, event: Event | ActorRestarted) -> str:
        match event:
            case TextDelta(text=text):
                return _line({"type": "text", "delta": text})
            case ThinkingDelta(text=text):
                return _line({"type": "thinking", "delta": text})
            case ToolProgress(call_id=call_id, text=text):
                return _line({"type": "tool_progress", "id": call_id, "text": text})
            case Retrying(why=why, wait_s=wait):
                return _line({"type": "retry", "why": why, "wait": wait})
            case Notice(text=text, level=level):
                return _line({"type": "notice", "level": level, "text": text})
            case ActorRestarted(name=name, why=why):
                return _line({"type": "restart", "actor": name, "why": why})
            case EntryAdded(entry=entry):
                return "".join(map(_line, _entry_lines(entry.body)))
            case _:
                return ""

    def end(self, tally: Tally, reason: EndReason, text: str) -> str:
        return _line({"type": "result", **result(tally, reason, text)})


def report_for(output: Output) -> Report:
    match output:
        case "text":
            return TextReport()
        case "json":
            return JsonReport()
        case "stream-json":
            return StreamReport()


def reason_of(failure: Failed) -> EndReason:
    """How a turn ended that could not even be followed."""
    return ENDINGS.get(failure.problem.code, "failed")


def result(tally: Tally, reason: EndReason, text: str) -> dict[str, object]:
    return {
        "answer": tally.answer,
        "sources": msgspec.to_builtins(tally.sources),
        "reason": reason,
        "error": text or None,
        "session": tally.session_id,
        "model": tally.model,
        "turns": tally.turns,
        "tool_calls": tally.tool_calls,
        "usage": msgspec.to_builtins(tally.usage),
        "session_cost_usd": tally.session_usage.cost_usd,
        "stop_reason": tally.stop_reason or None,
        "ms": tally.ms,
    }


def _entry_lines(body: Body) -> list[dict[str, object]]:
    match body:
        case AssistantMessage():
            message = {
                "type": "message",
                "text": body.text,
                "sources": msgspec.to_builtins(body.sources),
                "tool_calls": [_call(call) for call in body.calls],
                "stop_reason": body.stop_reason,
                "model": body.model,
                "usage": msgspec.to_builtins(body.usage),
            }
            calls: list[dict[str, object]] = [{"type": "tool_call", **_call(call)} for call in body.calls]
            return [message, *calls, {"type": "usage", **msgspec.to_builtins(body.usage)}]
        case ToolResult():
            return [
                {
                    "type": "tool_result",
                    "id": body.call_id,
                    "name": body.name,
                    "failed": body.failed,
                    "denied": body.denied,
                    "output": body.output,
                    "ms": body.ms,
                }
            ]
        case _:
            return []


def _call(call: ToolCall) -> dict[str, object]:
    """Arguments as JSON where they are, as text where the model wrote something else."""
    try:
        arguments = msgspec.json.decode(call.arguments)
    except (msgspec.DecodeError, RecursionError):
        arguments = call.arguments
    return {"id": call.call_id, "name": call.name, "arguments": arguments}


def _line(value: dict[str, object]) -> str:
    return msgspec.json.encode(value).decode() + "\n"


def ended(body: Body, turn_id: str) -> TurnEnded | None:
    return body if isinstance(body, TurnEnded) and body.turn_id == turn_id else None
