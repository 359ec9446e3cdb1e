"""Between an agent, or a front, and the checkpoints: the files of a workspace as they were, and back to them."""

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
    """Unified, from how it is to how it would be; shortened."""

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
