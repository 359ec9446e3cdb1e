"""A prompt goes to the session that is looked at, and the word to stop to what Esc reaches; each a task of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ui.screen.controls import GoBack, Interrupt, Send, Shell
from ui.screen.sending import shell_lines
from ui.screen.sending.drafts import Drafts
from ui.screen.sending.prompts import Prompts
from ui.screen.session_view import Sent
from ui.screen.sessions.compaction import Compaction
from ui.screen.shown import Shown
from ui.screen.subagents.onlooking import Onlooking


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
        self.shown.own.sent.append(Sent(prompt_id, intent.text))
        self.start(self._deliver, intent, prompt_id)

    async def _deliver(self, intent: Send, prompt_id: str) -> None:
        await self.prompts.deliver(intent, prompt_id)
        self.drafts.poke()  # it is no draft any more

    def stop(self, intent: Interrupt | GoBack) -> None:
        if isinstance(intent, GoBack):
            self.onlooking.back()
        elif not self.compaction.stop():
            self.shown.own.stopping = self.shown.own.interruptible
            self.start(self._interrupt, intent)

    async def _interrupt(self, intent: Interrupt) -> None:
        await self.prompts.take_back(intent.scope)
        self.poke()
