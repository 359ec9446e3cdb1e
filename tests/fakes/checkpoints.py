"""Checkpoints without files: each that was asked for, in order, and what a restore of one says."""

from actors.mailbox import Mailbox
from actors.messages.base import Message, Problem
from actors.messages.checkpoint import (
    Checkpoint,
    CheckpointDiff,
    DiffCheckpoint,
    RestoreCheckpoint,
    Restored,
    TakeCheckpoint,
)


class FakeCheckpoints:
    def __init__(self) -> None:
        self.asked: list[str] = []
        self.problem: Problem | None = None
        """What is answered instead."""

    async def run(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            if self.problem is not None:
                request.fail(self.problem)
            else:
                request.reply(self._answer(request.message))

    def _answer(self, message: Message) -> Message:
        match message:
            case TakeCheckpoint(prompt_id=prompt_id, moment=moment):
                self.asked.append(f"{moment} {prompt_id}")
                return Checkpoint(checkpoint_id=f"{moment} {prompt_id}")
            case DiffCheckpoint(checkpoint_id=checkpoint_id):
                return CheckpointDiff(restored=(checkpoint_id,), counts=(1, 0, 0, 0, 0, 0))
            case RestoreCheckpoint(checkpoint_id=checkpoint_id, restore_id=restore_id):
                self.asked.append(f"restore {checkpoint_id}")
                done = CheckpointDiff(restored=(checkpoint_id,), counts=(1, 0, 0, 0, 0, 0))
                return Restored(undo_id=f"undo {restore_id}", done=done)
            case _:
                raise TypeError(message)
