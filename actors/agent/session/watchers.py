"""Who watches the agent: every event reaches everyone, in order; a slow watcher slows the agent, but no event is lost.

An event is queued before anybody waits, so a turn that is cancelled while a screen is stuck has still said it. Text
that follows text is joined, so a queue is never longer than what it says; and it goes out at most as often as a screen
is drawn, for every message wakes three processes.
"""

from collections import deque
from collections.abc import Iterable

import trio

from actors.mailbox import Request
from actors.messages.base import Done
from actors.messages.conversation import AssistantMessage, Compacted, Entry, TurnEnded
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.tool import ToolProgress
from actors.messages.turn import EntryAdded, Event

MOST_QUEUED = 256
"""Events; above it the agent waits for the slowest watcher."""
LONGEST_JOINED = 4096
"""Characters; joining on and on would copy a long answer again and again."""
JOIN_S = 1 / 25
"""Text that follows text within this goes out together with it, and is drawn then (ui.screen.paint).

At 30 a second a screen took 4.0 % of a processor for 200 tokens a second, at 25 it takes 3.4 %.
"""


class Watcher:
    def __init__(self, request: Request, first: Iterable[Event]) -> None:
        self.request = request
        self._queue: deque[Event] = deque(first)
        self._more = trio.Event()
        self._room = trio.Event()
        self._followed = trio.Event()
        """Something that does not join what is to go out waits behind it."""
        self._text_at = float("-inf")
        """When the last text went out."""
        self._over = False

    def put(self, event: Event) -> None:
        joined = join(self._queue[-1], event) if self._queue else None
        if joined is not None:
            self._queue[-1] = joined
        else:
            self._queue.append(event)
            self._followed.set()
        self._more.set()

    async def room(self) -> None:
        while len(self._queue) > MOST_QUEUED:
            if self._room.is_set():  # several tools may wait here at once
                self._room = trio.Event()
            await self._room.wait()

    def leave(self) -> None:
        """Nobody waits for a watcher that is gone."""
        self._queue.clear()
        self._room.set()

    def end(self) -> None:
        """Nothing comes after what is queued."""
        self._over = True
        self._followed.set()
        self._more.set()

    async def send(self) -> None:
        """Until the watcher goes, or all is said."""
        while True:
            while self._queue:
                if isinstance(self._queue[0], TextDelta | ThinkingDelta | ToolProgress):
                    await self._gather()
                event = self._queue.popleft()
                self._room.set()
                await self.request.send(event)
            if self._over:
                return
            self._more = trio.Event()
            await self._more.wait()

    async def _gather(self) -> None:
        """What follows the text that went out last, until something else has to be said."""
        if len(self._queue) == 1 and not self._over:
            self._followed = trio.Event()
            with trio.move_on_at(self._text_at + JOIN_S):
                await self._followed.wait()
        self._text_at = trio.current_time()


class Watchers:
    def __init__(self) -> None:
        self._watchers: list[Watcher] = []
        self._open: list[TextDelta | ThinkingDelta] = []
        """What a watcher that comes in the middle of an answer has to be told."""
        self._waiting: tuple[Retrying, float] | None = None
        """The same of a wait, and when it ends."""
        self._over = False

    @property
    def open_text(self) -> str:
        """Text of the answer that is under way."""
        return "".join(delta.text for delta in self._open if isinstance(delta, TextDelta))

    async def attend(self, request: Request, first: Iterable[Event]) -> None:
        """The handler of a subscription: first these, then what is open, then what comes, until the session is left."""
        watcher = Watcher(request, [*first, *self._open, *self._wait_left()])
        self._watchers.append(watcher)
        if self._over:
            watcher.end()
        try:
            await watcher.send()
        finally:
            self._watchers.remove(watcher)
            watcher.leave()
        request.reply(Done())

    def end(self) -> None:
        """Every subscription, also one that is just being made, is answered once its watcher was told all there was."""
        self._over = True
        for watcher in self._watchers:
            watcher.end()

    def _wait_left(self) -> list[Retrying]:
        if self._waiting is None:
            return []
        wait, ends = self._waiting
        left_s = max(0.0, ends - trio.current_time())
        return [Retrying(why=wait.why, wait_s=left_s)]

    def put(self, event: Event) -> None:
        match event:
            case TextDelta() | ThinkingDelta():
                self._open.append(event)
                self._waiting = None
            case EntryAdded(entry=Entry(body=AssistantMessage() | TurnEnded() | Compacted())):
                self._open.clear()
                self._waiting = None
            case Retrying():
                self._open.clear()
                self._waiting = (event, trio.current_time() + event.wait_s)
            case _:
                pass
        for watcher in self._watchers:
            watcher.put(event)

    async def emit(self, event: Event) -> None:
        """put, then wait for the slowest."""
        self.put(event)
        for watcher in list(self._watchers):
            await watcher.room()


def join(earlier: Event, later: Event) -> Event | None:
    """One event that says both, where there is one."""
    match earlier, later:
        case ((TextDelta(text=one) | ThinkingDelta(text=one) | ToolProgress(text=one)), _) if len(one) > LONGEST_JOINED:
            return None
        case TextDelta(text=one, cites=(), at=ended), TextDelta(text=two, cites=cites):
            return TextDelta(text=one + two, cites=cites, at=ended)
        case ThinkingDelta(text=one, at=begun), ThinkingDelta(text=two, at=begins):
            return ThinkingDelta(text=one + two, at=begun or begins)
        case ToolProgress(call_id=call, text=one), ToolProgress(call_id=same, text=two) if call == same:
            return ToolProgress(call_id=call, text=one + two)
        case _:
            return None
