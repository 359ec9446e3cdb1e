"""What a headless run prints: events of one turn in, lines out. Pure; one class an output form."""

import time
from typing import Protocol

import msgspec

from actors.common.budget import in_words, used_by
from actors.common.final_answer import extended
from actors.common.plurals import how_many
from actors.errors import Failed
from actors.messages.base import ProblemCode
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    BrokenTry,
    Compacted,
    EndReason,
    Source,
    ToolCall,
    ToolResult,
    TurnEnded,
)
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.subagent import SubagentEnded, SubagentIs, SubagentMerged, SubagentsAre, SubagentSpawned
from actors.messages.system import ActorRestarted
from actors.messages.tool import ToolProgress
from actors.messages.turn import EntryAdded, Event, FromSubagent, Notice, SessionInfo
from actors.messages.usage import NOTHING_USED, Usage
from actors.settings.mcp.names import shown_tool, shown_wire
from ui.common import json_text
from ui.start.fronts import Output

VERSION = 1
"""Of the stream-json contract."""
ENDINGS: dict[ProblemCode, EndReason] = {"no_credentials": "no_credentials", "refused": "refused"}
"""Every other problem is a failure."""


class Tally:
    """What one turn came to."""

    def __init__(self) -> None:
        self.answer = ""
        """All text since the last call; before there is any, what came with that call."""
        self.sources: tuple[Source, ...] = ()
        """Of the answer."""
        self.model = ""
        self.stop_reason = ""
        self.turns = 0
        self.tool_calls = 0
        self.usage = NOTHING_USED
        self.session_usage = NOTHING_USED
        """Of all turns of the session."""
        self._latest: AssistantMessage | None = None
        self.agents: dict[str, str] = {}
        """How each subagent stands, by name: "running", or how it ended."""
        self.refused: list[str] = []
        """What would have allowed the calls that were refused."""
        self._last_refused = self._last_worked = 0
        """The rounds of calls in which one was, or one went through."""
        self.session_id = ""
        self.unrestricted = False
        self.tries = 0
        """Of the model service, that failed."""
        self._waited_s = 0.0
        self._waits = (0.0, 0.0)
        """Since when, and until when."""
        self._began = time.monotonic()

    def hear(self, event: Event) -> None:
        """All that happens in the turn: how often the service failed, how long it was waited for."""
        self._waited_s, now = self.waited_s, time.monotonic()
        self._waits = (now, now)
        match event:
            case Retrying(failed=failed, wait_s=wait_s):
                self.tries += failed
                self._waits = (now, now + wait_s)
            case FromSubagent(event=Retrying(failed=failed)):
                self.tries += failed
            case _:
                pass

    @property
    def waited_s(self) -> float:
        since, until = self._waits
        return self._waited_s + max(0.0, min(time.monotonic(), until) - since)

    def add(self, body: Body) -> None:
        match body:
            case AssistantMessage():
                self.turns += 1
                self.tool_calls += len(body.calls)
                self.usage += body.usage
                self.model, self.stop_reason = body.model, body.stop_reason
                self._go_on(body)
            case BrokenTry(usage=usage) | Compacted(usage=usage):
                self.usage += usage
            case SubagentEnded(used=used):
                self.usage += used
            case ToolResult(denied=True, summary=summary):
                self.refused.append(summary)
                self._last_refused = self.turns
            case ToolResult(failed=False):
                self._last_worked = self.turns
            case _:
                pass

    def _go_on(self, message: AssistantMessage) -> None:
        before, self._latest = self._latest, message
        self.answer = extended(self.answer, before, message)
        if before is None or before.calls:
            self.sources = message.sources
            return
        self.sources = tuple({source.url: source for source in (*self.sources, *message.sources)}.values())

    def see(self, body: Body) -> None:
        """Every entry of the session, the turn's own among them."""
        self.session_usage += used_by(body)
        match body:
            case SubagentSpawned(name=name):
                self.agents[name] = "running"
            case SubagentEnded(name=name, state=state):
                self.agents[name] = state
            case _:
                pass

    def summary(self) -> str:
        """For people; "" where nothing was used."""
        tokens = self.usage.input_tokens + self.usage.output_tokens
        cost = in_words(self.usage)
        return (
            f"{how_many(self.turns, 'request')}, {how_many(tokens, 'token')}{f', {cost}' * bool(cost)}"
            if tokens
            else ""
        )

    @property
    def ms(self) -> int:
        return round((time.monotonic() - self._began) * 1000)

    def reason(self, ended: EndReason) -> EndReason:
        """Refused: the model ended after a refusal without any call that worked, beside it or later."""
        return "refused" if ended == "done" and self._last_refused > self._last_worked else ended


ENDED = ("completed", "failed", "cancelled")


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
    """One object a line, as it happens; the last is the result.

    Results come as their calls end; `index` is the place of a call among those of its message, from 0.
    """

    def __init__(self) -> None:
        self._indices: dict[str, int] = {}
        """By call id."""
        self._calls: dict[str, ToolCall] = {}
        """The same; those without a result."""
        self._stood: dict[str, str] = {}
        """How each subagent stood when it was told last."""
        self._speakers: dict[str, str] = {}
        """Names of subagents, by what the names of their processes have in common."""

    def begin(self, info: SessionInfo) -> str:
        return _line(
            {
                "type": "session",
                "id": info.session_id,
                "version": VERSION,
                "model": info.model,
                "cwd": info.cwd,
                "mode": info.mode,
                "unrestricted": info.unrestricted,
            }
        )

    def event(self, event: Event | ActorRestarted) -> str:
        match event:
            case TextDelta(text=text):
                return _line({"type": "text", "delta": text}) if text else ""
            case ThinkingDelta(text=text):
                return _line({"type": "thinking", "delta": text})
            case ToolProgress(call_id=call_id, text=text):
                return _line({"type": "tool_progress", "id": call_id, "text": text})
            case Retrying() | Notice():
                return _line(_met(event))
            case FromSubagent(name=name, event=met):
                return _line({**_met(met), "agent": name})
            case SubagentsAre(subagents=subagents):
                return "".join(map(self._agent_line, subagents))
            case ActorRestarted(name=name, why=why):
                speaker = self._speakers.get(_family(name))
                return _line({"type": "restart", "actor": name, "why": why, **({"agent": speaker} if speaker else {})})
            case EntryAdded(entry=entry):
                return "".join(map(_line, self._entry_lines(entry.body)))
            case _:
                return ""

    def end(self, tally: Tally, reason: EndReason, text: str) -> str:
        return _line({"type": "result", **result(tally, reason, text)})

    def _agent_line(self, one: SubagentIs) -> str:
        """Where it stands otherwise than it did; its end is told as an entry."""
        before, self._stood[one.name] = self._stood.get(one.name), one.state
        if one.agent:
            self._speakers[_family(one.agent)] = one.name
        if one.state == before or one.state in ENDED:
            return ""
        return _line(
            {
                "type": "agent",
                "name": one.name,
                "state": one.state,
                "kind": one.kind,
                "session": one.session_id,
                "background": one.background,
            }
        )

    def _entry_lines(self, body: Body) -> list[dict[str, object]]:
        match body:
            case AssistantMessage():
                self._indices |= {call.call_id: index for index, call in enumerate(body.calls)}
                self._calls |= {call.call_id: call for call in body.calls}
                said = [_call(call) for call in body.calls]
                message = {
                    "type": "message",
                    "text": body.text,
                    "sources": msgspec.to_builtins(body.sources),
                    "tool_calls": said,
                    "stop_reason": body.stop_reason,
                    "model": body.model,
                    "usage": _reported(body.usage),
                }
                calls = [{"type": "tool_call", **call, "index": index} for index, call in enumerate(said)]
                return [message, *calls, _used(body.usage)]
            case BrokenTry(usage=usage):
                return [_used(usage)]
            case SubagentEnded(name=name, state=state, summary=summary, patch_files=files, used=used):
                end: dict[str, object] = {"type": "agent", "name": name, "state": state, "answer": summary}
                counted = [{**_used(used), "agent": name}] if used.is_reported and used != NOTHING_USED else []
                return [{**end, "changed": list(files)}, *counted]
            case SubagentMerged(name=name, files=files):
                return [{"type": "agent", "name": name, "state": "merged", "changed": list(files)}]
            case Compacted(told=told, usage=usage):
                notice: dict[str, object] = {"type": "notice", "level": "info", "text": told}
                return [notice, *([_used(usage)] if usage.is_reported and usage != NOTHING_USED else [])]
            case ToolResult():
                return [
                    {
                        "type": "tool_result",
                        "id": body.call_id,
                        "index": self._indices.get(body.call_id),
                        **_names(body.name, self._calls.pop(body.call_id, None)),
                        "failed": body.failed,
                        "denied": body.denied,
                        "output": body.output,
                        "ms": body.ms,
                    }
                ]
            case _:
                return []


def heartbeat(ms: int, waits_for: tuple[str, ...]) -> str:
    """Nothing else was printed for a while. waits_for: actors, the nearest first."""
    return _line({"type": "heartbeat", "ms": ms, "waits_for": list(waits_for)})


def _met(event: Retrying | Notice) -> dict[str, object]:
    match event:
        case Retrying(why=why, wait_s=wait):
            return {"type": "retry", "why": why, "wait": wait}
        case Notice(text=text, level=level):
            return {"type": "notice", "level": level, "text": text}


def _family(actor: str) -> str:
    """Of agent:sub:x, tools:sub:x and tools:sub:x~none it is sub:x."""
    return actor.partition(":")[2].partition("~")[0]


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
        "error": cause(tally, reason, text) or None,
        "refused": list(dict.fromkeys(tally.refused)),
        "unrestricted": tally.unrestricted,
        **({"agents": tally.agents} if tally.agents else {}),
        "session": tally.session_id,
        "model": tally.model,
        "turns": tally.turns,
        "tool_calls": tally.tool_calls,
        "failed_tries": tally.tries,
        "waited_s": round(tally.waited_s, 1),
        "usage": _reported(tally.usage),
        "session_cost_usd": tally.session_usage.cost_usd,
        "stop_reason": tally.stop_reason or None,
        "ms": tally.ms,
    }


def cause(tally: Tally, reason: EndReason, text: str) -> str:
    """Why it is not done, in a line; text: what the turn ended with, which of a refusal is nothing."""
    if reason != "refused" or text:
        return text
    return "; ".join(dict.fromkeys(tally.refused))


def _reported(usage: Usage) -> dict[str, object] | None:
    """None where no service has counted anything."""
    counts: dict[str, object] = msgspec.to_builtins(usage)
    return counts if usage.is_reported else None


def _used(usage: Usage) -> dict[str, object]:
    return {"type": "usage", **(_reported(usage) or dict.fromkeys(Usage.__struct_fields__))}


def _call(call: ToolCall) -> dict[str, object]:
    """Arguments as JSON where they are, as text where the model wrote something else."""
    try:
        arguments = msgspec.json.decode(call.arguments)
    except (msgspec.DecodeError, RecursionError):
        arguments = call.arguments
    return {"id": call.call_id, **_names(call.name, call), "arguments": arguments}


def _names(name: str, call: ToolCall | None) -> dict[str, object]:
    """As models and rules of programs have it; and as people read it, where that is another one."""
    shown = shown_wire(name) if call is None else shown_tool(call)
    return {"name": name, **({"shown": shown} if shown != name else {})}


def _line(value: dict[str, object]) -> str:
    return json_text.line(value)


def ended(body: Body, turn_id: str) -> TurnEnded | None:
    return body if isinstance(body, TurnEnded) and body.turn_id == turn_id else None
