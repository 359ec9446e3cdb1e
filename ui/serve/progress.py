"""What an agent does, in few words for the client that waits: at most one notification a second, the latest it did."""

from collections.abc import Awaitable, Callable

import trio

from actors.messages.conversation import AssistantMessage, Body, ToolCall, ToolResult
from actors.messages.model import Retrying, TextDelta
from actors.messages.subagent import SubagentEnded, SubagentSpawned
from actors.messages.turn import EntryAdded, Event, FromSubagent
from actors.settings.redaction import redacted
from ui.common.harmless import one_line

EVERY_S = 1.0
BEAT_S = 15.0
"""Of silence: clients give up on whoever says nothing."""
MOST_LINES = 4
MOST_CHARS = 160
"""Of each."""
KEPT_CHARS = 2000
"""Of what the model writes, of which the end is shown."""
Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""progress, total, message: as the SDK has it."""


class Progress:
    def __init__(self) -> None:
        self._began = trio.current_time()
        self._lines: list[str] = []
        self._saying = ""
        self._changed = trio.Event()
        self._number = 0
        """Of the notification: it may only grow, also from one request of the client to the next."""

    def say(self, text: str) -> None:
        self._lines.append(_short(text))
        self._changed.set()

    def hear(self, event: Event) -> None:
        match event:
            case TextDelta(text=text):
                self._saying = (self._saying + text)[-KEPT_CHARS:]
                self._changed.set()
            case EntryAdded(entry=entry):
                self._saying = ""
                for line in told(entry.body):
                    self.say(line)
            case Retrying(why=why) | FromSubagent(event=Retrying(why=why)):
                self.say(f"waits for the model service: {why}")
            case _:
                pass

    async def report(self, to: Report) -> None:
        """Until it is cancelled."""
        while True:
            with trio.move_on_after(BEAT_S):
                await self._changed.wait()
            self._number += 1
            await to(float(self._number), None, self._taken())
            await trio.sleep(EVERY_S)

    def _taken(self) -> str:
        """In one message what has come since the last one."""
        lines, self._lines = self._lines, []
        self._changed = trio.Event()
        if not lines and self._saying:
            lines = [f"writes: {_short(self._saying[-MOST_CHARS:])}"]
        if not lines:
            return f"still at work, after {trio.current_time() - self._began:.0f} s"
        left_out = len(lines) - MOST_LINES
        return "\n".join([f"({left_out} more)", *lines[left_out:]] if left_out > 0 else lines)


def told(body: Body) -> list[str]:
    match body:
        case AssistantMessage(calls=calls):
            return [_call(call) for call in calls]
        case ToolResult(failed=True, name=name, summary=summary, output=output):
            return [f"{name} failed: {summary or output}"]
        case SubagentSpawned(name=name):
            return [f"the agent {name} begins"]
        case SubagentEnded(name=name, state=state):
            return [f"the agent {name}: {state}"]
        case _:
            return []


def _call(call: ToolCall) -> str:
    return f"{call.name} {call.arguments}"


def _short(text: str) -> str:
    line = one_line(redacted(text))
    return line if len(line) <= MOST_CHARS else f"{line[: MOST_CHARS - 1]}…"
