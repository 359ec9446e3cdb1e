"""What a subagent does, as its events say: what it is at, what it has used, its answer, how its turn ended."""

import time
from collections.abc import Callable

from actors.common.budget import used_by
from actors.common.call_arguments import about
from actors.common.final_answer import extended
from actors.errors import ActorDied, failed
from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.conversation import AssistantMessage, Body, ToolCall, ToolResult, TurnEnded, UserMessage
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.turn import EntryAdded, Notice, Subscribe, TurnStopped
from actors.messages.usage import NOTHING_USED
from actors.settings.mcp.names import shown_tool

THINKS = "thinking"
MOST = 200
"""Characters of what it does: a row has no room for more."""
WAITS = "waiting for the model service"


class Heard:
    """Since it was spawned, or since it was gone on with."""

    def __init__(self, changed: Callable[[], None], meets: Callable[[Retrying | Notice], None]) -> None:
        """changed: called whenever something of this is different. meets: with what no entry of its parent says."""
        self.used = NOTHING_USED
        self.answer = ""
        """Of the turn it is in, or was in last."""
        self.doing = ""
        self.began_at = self.last_event_at = 0.0
        """Seconds since the epoch, as its entries have them: who follows it anew hears of both again."""
        self.last_entry = ""
        self._changed = changed
        self._meets = meets
        self._latest: AssistantMessage | None = None
        self._calls: dict[str, ToolCall] = {}
        """Those without a result."""

    def take(self, event: Message) -> TurnEnded | None:
        """The end of a turn, where it is one."""
        before = self.doing
        now = event.entry.at if isinstance(event, EntryAdded) else time.time()
        self.last_event_at = max(self.last_event_at, now)
        ended = None
        match event:
            case TextDelta() | ThinkingDelta():
                self.doing = THINKS
            case Retrying():
                self.doing = WAITS
                self._meets(event)
            case Notice():
                self._meets(event)
            case TurnStopped(text=text):
                ended = TurnEnded(turn_id="", reason="failed", text=text)
            case EntryAdded(entry=entry):
                self.last_entry, self.began_at = entry.id, self.began_at or entry.at
                self._note(entry.body)
                ended = entry.body if isinstance(entry.body, TurnEnded) else None
            case _:
                pass
        if self.doing != before or isinstance(event, EntryAdded):
            self._changed()
        return ended

    def _note(self, body: Body) -> None:
        self.used += used_by(body)
        match body:
            case AssistantMessage():
                self.answer = extended(self.answer, self._latest, body)
                self._latest = body
                self._calls = {call.call_id: call for call in body.calls}
            case ToolResult(call_id=call_id):
                self._calls.pop(call_id, None)
            case UserMessage():
                self.doing = THINKS
                return
            case TurnEnded():
                self._latest, self._calls = None, {}
            case _:
                return
        self.doing = next((_in_words(call) for call in self._calls.values()), THINKS if self._latest else "")


def _in_words(call: ToolCall) -> str:
    return f"{shown_tool(call)} {' '.join(about(call.arguments).split())}".strip()[:MOST]


async def to_the_end(mailbox: Mailbox, agent: str, prompt_id: str, heard: Heard) -> TurnEnded:
    """Of the next turn that ends, from this prompt on, whoever dies meanwhile. Raises Failed."""
    while True:
        try:
            wanted = Subscribe(after=heard.last_entry, prompt_id=prompt_id)
            async with mailbox.stream(agent, wanted) as stream:
                async for event in stream:
                    if ended := heard.take(event):
                        return ended
        except ActorDied:
            continue  # the next subscription waits until the agent is back
        raise failed("gone", "the agent has left its session.")
