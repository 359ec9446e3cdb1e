"""Between who starts an agent that writes and the checkpoints: copies of a repository to work in, and patches back."""

import msgspec

from actors.messages.base import Message


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
