"""The files of the workspace are recorded before the first call after a prompt that may write: it can be taken back.

Where that cannot be had the turn goes on without, and the user is told once.
"""

import trio

from actors.agent.session.history import History
from actors.agent.session.watchers import Watchers
from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.checkpoint import Checkpoint, Checkpointed, Moment, TakeCheckpoint
from actors.messages.conversation import Body, UserMessage
from actors.messages.turn import Notice
from actors.settings.config import Settings

LONG_S = 1.0
"""After so long the user hears what is waited for."""
LONGEST_S = 25.0
"""A little longer than the checkpoints give themselves."""
RECORDING = "The files of the workspace are being recorded, so that this can be taken back."
NOT_RECORDED = "What is written from now on cannot be taken back with /rewind: {problem}"


class PromptCheckpoints:
    def __init__(self, mailbox: Mailbox, settings: Settings, history: History, watchers: Watchers) -> None:
        self._mailbox = mailbox
        self._cwd = settings.cwd
        self._history = history
        self._watchers = watchers
        self._open = ""
        """The prompt that files were recorded for, while what follows from it goes on."""

    async def before_writing(self) -> tuple[Body, ...]:
        """What is to be saved before the call begins; nothing where it is for this prompt."""
        prompts = [body for body in self._history.open_turn if isinstance(body, UserMessage) and body.prompt_id]
        prompt_id = prompts[-1].prompt_id if prompts else self._history.turn_id
        last = self._history.checkpointed
        if last is not None and last.prompt_id == prompt_id:
            self._open = prompt_id if last.checkpoint_id else ""
            return ()
        return (await self.before_command(prompt_id),)

    async def before_command(self, prompt_id: str) -> Checkpointed:
        """Also of a command that a prompt brings with it, which runs before that is accepted; to be saved with it."""
        self.turn_over()
        last = self._history.checkpointed
        try:
            taken = await self._take(prompt_id)
        except Failed as failure:
            problem = str(failure)
            if last is None or last.problem != problem:
                self._watchers.put(Notice(text=NOT_RECORDED.format(problem=problem), level="warning"))
            return Checkpointed(prompt_id=prompt_id, problem=problem)
        self._open = prompt_id
        return Checkpointed(prompt_id=prompt_id, checkpoint_id=taken.checkpoint_id)

    def turn_over(self) -> None:
        """What came to be by now was made for the prompt. Nobody waits for that to be recorded."""
        if self._open:
            self._mailbox.tell("checkpoints", self._wanted(self._open, "after"))
        self._open = ""

    def _wanted(self, prompt_id: str, moment: Moment) -> TakeCheckpoint:
        session_id = self._history.session_id
        return TakeCheckpoint(cwd=self._cwd, session_id=session_id, prompt_id=prompt_id, moment=moment)

    async def _take(self, prompt_id: str) -> Checkpoint:
        """Raises Failed."""
        outcome: list[Checkpoint | Failed] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._tell_of_wait)
            with trio.move_on_after(LONGEST_S):
                try:
                    wanted = self._wanted(prompt_id, "before")
                    outcome.append(await self._mailbox.insist("checkpoints", wanted, Checkpoint))
                except Failed as failure:
                    outcome.append(failure)
            nursery.cancel_scope.cancel()
        if not outcome:
            raise failed("no_checkpoint", "it took too long.")
        if isinstance(outcome[0], Failed):
            raise outcome[0]
        return outcome[0]

    async def _tell_of_wait(self) -> None:
        await trio.sleep(LONG_S)
        self._watchers.put(Notice(text=RECORDING))
