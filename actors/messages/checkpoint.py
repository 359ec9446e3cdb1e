"""What is asked of the checkpoints: a workspace's files as they were, and copies of a repository to work in."""

from typing import Literal

import msgspec

from actors.messages.base import Message

Moment = Literal["before", "after", "undo"]
"""Before the first call after a prompt that may write; when what follows from it is over; before a restore."""


class TakeCheckpoint(Message, frozen=True, kw_only=True):
    """Record the files of a workspace. Answered by Checkpoint; asked twice, it is the first one again.

    Fails with no_checkpoint, and why, where there is none to be had; the work goes on without.
    """

    cwd: str
    session_id: str
    prompt_id: str
    """The latest: a turn has a checkpoint for each of its prompts that something was written after."""
    moment: Moment = "before"
    """after: what came to be since "before" was made for that prompt, and goes when the files are restored."""


class Checkpoint(Message, frozen=True, kw_only=True):
    checkpoint_id: str
    ms: int = 0


MOST_NAMED = 200
"""Paths in one answer; the counts say how many there are."""


class ListCheckpoints(Message, frozen=True, kw_only=True):
    """Answered by Checkpoints, newest first."""

    cwd: str
    session_id: str = ""
    """ "": of every session in this workspace."""


class CheckpointSummary(msgspec.Struct, frozen=True, kw_only=True):
    checkpoint_id: str
    session_id: str
    moment: Moment
    at: float
    """Seconds since the epoch."""


class Checkpoints(Message, frozen=True, kw_only=True):
    checkpoints: tuple[CheckpointSummary, ...]
    bytes: int = 0
    """On disk, of this workspace."""


class BundleCheckpoints(Message, frozen=True, kw_only=True):
    """Write what is kept for a session as a git bundle, to go to another machine. Answered by Bundled.

    Fails with no_checkpoint where that cannot be had.
    """

    cwd: str
    session_id: str
    checkpoint_ids: tuple[str, ...] = ()
    """Those that its entries name; a copy of a session has those of the other."""
    path: str
    """Of the file to be written; none is where nothing is kept of what was named."""


class Bundled(Message, frozen=True, kw_only=True):
    checkpoints: int
    """How many of those that were named are in it."""


class TakeInCheckpoints(Message, frozen=True, kw_only=True):
    """Keep what a bundle from elsewhere has for this session and workspace. Answered by Done; twice is as good as once.

    Fails with bad_request where it is not as BundleCheckpoints writes it, with no_checkpoint where this workspace has
    none. Then nothing is kept of it.
    """

    cwd: str
    session_id: str
    path: str


class DiffCheckpoint(Message, frozen=True, kw_only=True):
    """What would a restore change? Answered by CheckpointDiff; nothing is changed. Fails as RestoreCheckpoint."""

    cwd: str
    checkpoint_id: str
    remove_others: bool = False
    """As of RestoreCheckpoint."""
    since: bool = False
    """The diff is wanted the other way round: from how it was to how it is."""


class CheckpointDiff(Message, frozen=True, kw_only=True):
    """Paths are relative to the workspace, for people. Of each kind at most MOST_NAMED are named."""

    restored: tuple[str, ...] = ()
    """Get back the content, kind or mode that they had."""
    removed: tuple[str, ...] = ()
    """Came to be since."""
    kept: tuple[str, ...] = ()
    """Came to be since, but by no turn of a session: they stay, unless remove_others says otherwise."""
    edited: tuple[str, ...] = ()
    """Of the restored and the removed: changed since a turn had ended, so by the user or another program."""
    not_restored: tuple[str, ...] = ()
    """And why: something of unknown content is in the way."""
    left_out: tuple[str, ...] = ()
    """And why: were not recorded then, so they stay as they are."""
    counts: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)
    """Of the six above."""
    diff: str = ""
    """Unified, from how it is to how it would be, unless `since` was asked; shortened."""

    @property
    def is_empty(self) -> bool:
        """The files are as they were, but for what stays anyway."""
        return not any(self.counts[:2])


class RestoreCheckpoint(Message, frozen=True, kw_only=True):
    """Bring the files back as they were then. How they are now is recorded first. Answered by Restored.

    Fails with no_checkpoint where it is not kept any more, or the files as they are cannot be recorded: then nothing
    has changed. Asked twice under one id it is one restore, also when the first was broken off.
    """

    cwd: str
    checkpoint_id: str
    session_id: str
    restore_id: str
    remove_others: bool = False
    """Also what came to be since and was made by no turn of a session."""


class Restored(Message, frozen=True, kw_only=True):
    undo_id: str
    """The checkpoint of how the files were before; "" where they were not touched."""
    done: CheckpointDiff
    """What was changed; without the diff."""


class Checkpointed(Message, frozen=True, kw_only=True):
    """The files were recorded before the first call after a prompt that may write; without, nothing was written."""

    prompt_id: str
    """Of the latest prompt then."""
    checkpoint_id: str = ""
    """ "": they could not be recorded, so what follows cannot be taken back."""
    problem: str = ""
    """Why not."""


class TakenBack(Message, frozen=True, kw_only=True):
    """The session was taken back to before a prompt, with its files, or only these, or that was taken back."""

    rewind_id: str
    checkpoint_id: str = ""
    """What the files were brought back to; "" where they stayed."""
    undo_id: str = ""
    """How they were before."""
    left: str = ""
    """As of Moved; "" where the conversation stayed."""
    told: str = ""
    """What the model is told of it with the next request; "" where the conversation went back with the files."""


class MakeWorktree(Message, frozen=True, kw_only=True):
    """A working copy of a repository, with a `.git` of its own and the files of one commit. Answered by WorktreeMade.

    Asked twice it is the first one again, with what was done in it since. Fails with no_worktree, and why, or with
    disk_full.
    """

    key: str
    """Names it: a session's id."""
    cwd: str
    """In the repository; where in the copy the same place is, the answer says."""
    base: str = ""
    """Any name of a commit; "" for HEAD."""
    with_changes: bool = False
    """And what is changed in the repository since, also new files that are not ignored: part of the base."""
    fresh: bool = False
    """Without what is kept of an earlier one of this key, which else is in it again, on the base of then."""


class WorktreeMade(Message, frozen=True, kw_only=True):
    top: str
    cwd: str
    """The place in it that matches the other one's."""
    base: str
    """The commit's whole id."""
    left_out: tuple[str, ...] = ()
    """What it is without, and why, for people and the model: submodules, contents that LFS keeps elsewhere."""


class PatchOf(Message, frozen=True, kw_only=True):
    """What was changed in a worktree since its base, committed there or not. Answered by Patch."""

    key: str


class Patch(Message, frozen=True, kw_only=True):
    base: str
    text: str
    """As `git apply` takes it, binary files included; "" where nothing is changed. Line ends are part of it."""
    files: tuple[str, ...] = ()
    id: str = ""
    """Of just these changes; of others it is another."""
    left_out: tuple[str, ...] = ()
    """What is in the worktree and not in the patch, and why; for people and the model."""


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    why: str
    """For people and the model."""


class MergeWorktree(Message, frozen=True, kw_only=True):
    """Bring the changes of a worktree into the files of the workspace it was made of. Answered by WorktreeMerged.

    Three ways, from its base: all of it or, where there is a conflict, nothing. The user's index, HEAD and stash stay.
    """

    key: str
    paths: tuple[str, ...] = ()
    """Only these, relative to the top; (): all."""
    seen: str = ""
    """`Patch.id` of what whoever allowed it has seen: where it is another by now nothing is merged, and it fails with
    no_worktree. "": whatever there is."""


class WorktreeMerged(Message, frozen=True, kw_only=True):
    files: tuple[str, ...] = ()
    """Changed in the workspace; with conflicts none is."""
    conflicts: tuple[Conflict, ...] = ()
    warnings: tuple[str, ...] = ()
    """For people and the model: what was not brought along, and files that other worktrees have changed, too."""


class RemoveWorktree(Message, frozen=True, kw_only=True):
    """Its work is first kept in the repository by a ref that nobody sees, if there is any. Answered by WorktreeRemoved.

    Where that fails it stays, and the request fails with no_worktree. One that is gone already is removed.
    """

    key: str
    cwd: str = ""
    """In the repository: of one that is gone already the answer then names what was kept there, too."""


class WorktreeRemoved(Message, frozen=True, kw_only=True):
    ref: str = ""
    """In the repository, such as refs/trouper/work/KEY; "" where there was nothing to keep."""


class ListKept(Message, frozen=True, kw_only=True):
    """Answered by KeptWorks: of worktrees that were removed, what refs keep in the repository that cwd is in."""

    cwd: str


class KeptWork(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    ref: str
    commit: str
    kept_at: float
    """Seconds since the epoch."""
    files: int
    """That were changed."""
    in_head: bool
    """Each of them is in the repository's HEAD, just as it was left."""


class KeptWorks(Message, frozen=True, kw_only=True):
    works: tuple[KeptWork, ...]


class DropKept(Message, frozen=True, kw_only=True):
    """Answered by KeptDropped: nothing keeps that work any more. Fails with no_worktree where nothing is kept."""

    key: str
    cwd: str


class KeptDropped(Message, frozen=True, kw_only=True):
    commit: str
    """git has it until it clears up."""


class CommitChanges(Message, frozen=True, kw_only=True):
    """What is changed in a repository and not committed, also new files, becomes a commit on top of HEAD that no
    branch has: of the same changes the same one. Answered by CommitMade: HEAD itself where nothing is. Fails with
    no_worktree.
    """

    cwd: str
    message: str


class CommitWork(Message, frozen=True, kw_only=True):
    """What a ref keeps of a worktree becomes one commit on top of another, three ways. Answered by CommitMade.

    Asked twice it is the same commit. The user's branches, HEAD, index and files stay. Fails with no_worktree.
    """

    key: str
    cwd: str
    onto: str
    """A commit's whole id."""
    message: str


class CommitMade(Message, frozen=True, kw_only=True):
    commit: str = ""
    """Its whole id; "" with conflicts. That which it was to be on top of, where that has it all."""
    conflicts: tuple[Conflict, ...] = ()
    as_kept: bool = False
    """Its files are those that the worktree had: nothing else was changed meanwhile."""
    left_out: tuple[str, ...] = ()
    """What is there and not in it, and why; for people."""


class MakeBranch(Message, frozen=True, kw_only=True):
    """Answered by Done, also where it is there and leads to that commit. Fails with no_worktree where it does not."""

    cwd: str
    name: str
    """Such as trouper/review-3fa9c2."""
    commit: str
    """Whole id."""


class ListWorktrees(Message, frozen=True, kw_only=True):
    """Answered by Worktrees: all that there are in TROUPER_HOME."""


class WorktreeIs(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    repository: str
    top: str
    made_at: float
    """Seconds since the epoch."""


class Worktrees(Message, frozen=True, kw_only=True):
    worktrees: tuple[WorktreeIs, ...]
