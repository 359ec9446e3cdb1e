"""A prompt goes to the session that is looked at, and the word to stop to what Esc reaches; each a task of its own."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import trio

from actors.errors import Failed
from actors.messages.base import Message
from actors.messages.turn import CaughtUp, EntryAdded, FromSubagent, Notice
from ui.screen.intents import GoBack, Interrupt, Send, Shell, TakeBack
from ui.screen.sending import shell_lines
from ui.screen.sending.drafts import Drafts
from ui.screen.sending.prompts import Prompts
from ui.screen.sessions.compaction import Compaction
from ui.screen.shown import Shown
from ui.screen.subagents.onlooking import Onlooking
from ui.screen.transcript.waiting import Sent

KEEP_S = 0.02
"""For the store, before Esc goes out without it."""


@dataclass(frozen=True)
class Outbox:
    start: Callable[..., None]
    """A task: its function and arguments."""
    poke: Callable[[], None]
    """Something on the screen has changed."""
    shown: Shown
    prompts: Prompts
    drafts: Drafts
    onlooking: Onlooking
    compaction: Compaction
    history: Path
    """Of prompts, a file."""

    def typed(self, intent: Send | Shell, intent_id: str) -> None:
        """By the user: it can be brought back later."""
        self.start(self.prompts.remember, intent.text, self.history)
        if isinstance(intent, Shell):
            self.start(shell_lines.run, self.prompts, self.shown, intent, intent_id)
        else:
            self.send(intent, intent_id)

    def send(self, intent: Send, prompt_id: str) -> None:
        if (other := self.shown.other) is not None:
            self.start(self.onlooking.tell, other, intent)
            return
        own = self.shown.own
        self.prompts.queue.kept[prompt_id] = intent
        own.sent.append(Sent(prompt_id, intent.text, intent.kind, waits=own.busy, attached=len(intent.files)))
        self.start(self._deliver, intent, prompt_id)

    @property
    def waits(self) -> bool:
        """A prompt is queued that can be taken back."""
        return self.shown.other is None and bool(self.prompts.queued())

    def heard(self, event: Message) -> None:
        """Before the session takes it in."""
        self.prompts.queue.heard(event)
        if isinstance(event, CaughtUp | EntryAdded):
            self.send_again()
        if isinstance(event, CaughtUp | EntryAdded | Notice | FromSubagent):
            self.drafts.poke()

    def send_again(self) -> None:
        """What an earlier life of the screen sent, and may have died with: the same prompt is taken once."""
        for prompt_id, intent in self.prompts.queue.unheard_of().items():
            self.start(self._deliver, intent, prompt_id)

    async def _deliver(self, intent: Send, prompt_id: str) -> None:
        await self.prompts.deliver(intent, prompt_id)
        self.drafts.poke()  # it is no draft any more

    def take_back(self, intent: Interrupt | GoBack | TakeBack) -> None:
        if isinstance(intent, TakeBack):
            self.start(self.prompts.take_back_last)
        elif isinstance(intent, GoBack):
            self.onlooking.back()
        elif not self.compaction.stop():
            self.shown.own.stopping = self.shown.own.interruptible
            self.start(self._interrupt, intent)

    async def _interrupt(self, intent: Interrupt) -> None:
        if self.prompts.queued():
            with trio.move_on_after(KEEP_S), suppress(Failed):  # so that a kill just now does not lose what comes back
                await self.drafts.save()
        await self.prompts.take_back(intent.scope)
        self.drafts.poke()
        self.poke()
