"""Going back to before a prompt, with the files: what it would change, and the part of it that the files are."""

from actors.common.rewind_goal import Goal, note
from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.checkpoint import CheckpointDiff, DiffCheckpoint, RestoreCheckpoint, Restored, TakenBack
from actors.messages.conversation import Entry
from actors.messages.store import ReadSession, SessionOpened
from actors.messages.turn import PreviewRewind, Rewind, RewindPreview


async def path(mailbox: Mailbox, session_id: str) -> list[Entry]:
    """All of it, also what a compaction has carried. Raises Failed."""
    async with mailbox.stream("store", ReadSession(session_id=session_id)) as stream:
        entries = [entry async for entry in stream if isinstance(entry, Entry)]
        await stream.result(SessionOpened)
    return entries


async def preview(mailbox: Mailbox, cwd: str, wanted: PreviewRewind, goal: Goal) -> RewindPreview:
    """Raises Failed."""
    files = None
    if goal.checkpoint_id:
        compared = DiffCheckpoint(
            cwd=cwd, checkpoint_id=goal.checkpoint_id, remove_others=wanted.remove_others, since=wanted.since
        )
        files = await mailbox.insist("checkpoints", compared, CheckpointDiff)
    return RewindPreview(prompt=goal.prompt, prompts=goal.prompts, files=files, problem=goal.problem)


async def bring_back(mailbox: Mailbox, cwd: str, session_id: str, wanted: Rewind, goal: Goal) -> Restored:
    """The files, where they are wanted and anything was written since. Raises Failed; then nothing has changed."""
    if wanted.files and goal.problem:
        hint = "The conversation alone can go back."
        raise failed("no_checkpoint", f"the files were not recorded then: {goal.problem}", hint)
    if not wanted.files or not goal.checkpoint_id:
        return Restored(undo_id="", done=CheckpointDiff())
    restore = RestoreCheckpoint(
        cwd=cwd,
        checkpoint_id=goal.checkpoint_id,
        session_id=session_id,
        restore_id=wanted.rewind_id,
        remove_others=wanted.remove_others,
    )
    return await mailbox.insist("checkpoints", restore, Restored)


def record(wanted: Rewind, goal: Goal, restored: Restored, left: str) -> TakenBack:
    """left: the entry the conversation stood at; "" where it stays there."""
    return TakenBack(
        rewind_id=wanted.rewind_id,
        checkpoint_id=goal.checkpoint_id if restored.undo_id else "",
        undo_id=restored.undo_id,
        left=left,
        told="" if left else note(goal, restored.done),
    )
