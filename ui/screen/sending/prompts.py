"""Prompts on their way to the agent: with the files that go with them, read at the last moment."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import trio

from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.base import Done, PromptsWithdrawn
from actors.messages.turn import Accepted, CancelTurn, Prompt, WithdrawPrompts
from actors.settings.config import Settings
from ui.common.prompt_files import may_name, with_files
from ui.screen.composer import history
from ui.screen.composer.editor import Draft, Editor
from ui.screen.intents import Scope, Send
from ui.screen.sending.queue import Queue
from ui.screen.session_view import SessionView

TOO_LATE = "the agent has that prompt already: esc stops it"
NOT_SENT = "the prompt was not sent."


@dataclass
class Prompts:
    mailbox: Mailbox
    agent: str
    settings: Settings
    """The agent's, too."""
    session: SessionView
    editor: Editor
    say: Callable[[str, str], None]
    """text, level."""
    admits: Callable[[], Awaitable[bool]]
    """There is somebody to answer it, once the user has said who."""
    reading: dict[trio.CancelScope, Send] = field(default_factory=dict)
    """Prompts that are on their way and name what is to be read."""

    def __post_init__(self) -> None:
        self.queue = Queue(self.session, self.editor, self.say)

    async def deliver(self, intent: Send, prompt_id: str) -> None:
        """What is not taken comes back into the composer."""
        try:
            if not await self.admits():
                raise failed("no_credentials", NOT_SENT)
            prompt = await self._whole(intent, prompt_id)
            await self.mailbox.insist(self.agent, prompt, Accepted)
        except Failed as error:
            self.session.sent = [sent for sent in self.session.sent if sent.prompt_id != prompt_id]
            if self.queue.give_back(prompt_id):
                self.say(str(error), "error")

    async def _whole(self, intent: Send, prompt_id: str) -> Prompt:
        """With what goes with it; Esc ends the reading. Raises Failed."""
        prompt = await with_files(Prompt(prompt_id=prompt_id, text=intent.text, kind=intent.kind), intent.files)
        if not may_name(intent.typed):
            return prompt
        from ui.common.mentions import fetching, going_along

        if not going_along.may_name(intent.typed):
            return prompt
        whose = fetching.Whose(self.agent, self.settings)
        with trio.CancelScope() as reading:
            self.reading[reading] = intent
            self.session.reading = True
            try:
                return await going_along.with_mentions(self.mailbox, prompt, intent.typed, whose, self._missing)
            finally:
                del self.reading[reading]
                self.session.reading = bool(self.reading)
        raise failed("refused", NOT_SENT)

    def _missing(self, text: str) -> None:
        self.say(text, "warning")

    def waiting(self) -> Draft:
        """To go on with, should the screen die before it is sent."""
        intent = next(iter(self.reading.values()), Send(""))
        return intent.draft if intent.draft.text else Draft(intent.text)

    def give_back(self, intent: Send) -> None:
        """To be sent again, changed or not."""
        if intent.draft.text:
            self.editor.restore(intent.draft)
            return
        for file in intent.files:
            self.editor.attach(file)
        self.editor.paste(intent.text)

    async def remember(self, text: str, path: Path) -> None:
        """In the prompt history."""
        try:
            await trio.to_thread.run_sync(history.append, path, text)
        except OSError as error:
            self.say(f"cannot write the prompt history: {error}", "warning")

    def queued(self) -> tuple[str, ...]:
        """Ids of those that can come back, the oldest first."""
        return tuple(sent.prompt_id for sent in self.session.sent if sent.waits)

    async def take_back_last(self) -> None:
        """What waits comes into the composer by the agent's word, which is an event; the agent may be faster."""
        for prompt_id in self.queued()[-1:]:
            try:
                wanted = WithdrawPrompts(prompt_ids=(prompt_id,))
                back = await self.mailbox.insist(self.agent, wanted, PromptsWithdrawn)
            except Failed as error:
                self.say(str(error), "error")
                return
            if prompt_id not in back.prompt_ids:
                self.say(TOO_LATE, "warning")

    async def take_back(self, scope: Scope = "turn") -> None:
        """The turn that runs, and what is on its way to be one: first that for which servers are asked."""
        if self.reading:
            for reading in self.reading:
                reading.cancel()
            self.session.stopping = False
            return
        try:
            waiting = self.queued() if scope == "turn" else ()
            await self.mailbox.insist(self.agent, CancelTurn(scope=scope, withdraw=waiting), Done)
        except Failed as error:
            self.say(str(error), "error")
        self.session.stopping = False
