"""What is asked about worktrees is done, each in a thread that is not left half-way."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import trio

from actors.checkpoints.worktrees import kept_work, making, merging, patching, problems, removing
from actors.checkpoints.worktrees.branches import orders
from actors.checkpoints.worktrees.keyed_folder import Held, OfHome
from actors.common.folders.worktree_places import Note
from actors.messages.base import Message
from actors.messages.checkpoint import (
    CommitChanges,
    CommitWork,
    DropKept,
    KeptDropped,
    KeptWorks,
    ListKept,
    ListWorktrees,
    MakeBranch,
    MakeWorktree,
    MergeWorktree,
    PatchOf,
    RemoveWorktree,
    WorktreeIs,
    WorktreeMade,
    WorktreeRemoved,
    Worktrees,
)
from actors.settings.config import Settings

MOST_AT_ONCE = 8
"""Threads; others wait, and no other request of the actor does."""
OfOne = PatchOf | MergeWorktree | RemoveWorktree | ListWorktrees | ListKept | DropKept
"""A person may ask this, about one that a killed program has left: it is not swept for that."""
Wanted = MakeWorktree | orders.Wanted | OfOne


class Requests:
    def __init__(self, settings: Settings, owner: int) -> None:
        """owner: the pid of who lives as long as this program does."""
        self._among = OfHome(Path(settings.home).resolve(), os.environ, owner)
        self._session = settings.session_id
        self._limiter = trio.CapacityLimiter(MOST_AT_ONCE)

    async def answer(self, wanted: Wanted) -> Message:
        """Raises Failed."""
        return await trio.to_thread.run_sync(partial(answer, self._among, wanted), limiter=self._limiter)

    async def sweep(self) -> None:
        """What programs have left that ended long ago; nobody waits for it."""
        await trio.to_thread.run_sync(removing.sweep, self._among, self._session, limiter=self._limiter)


def answer(among: OfHome, wanted: Wanted) -> Message:
    """Raises Failed."""
    with problems.explained():
        match wanted:
            case ListWorktrees():
                return Worktrees(worktrees=tuple(_listed(folder, note) for folder, note in among.notes()))
            case ListKept(cwd=cwd):
                return KeptWorks(works=kept_work.listed(among, Path(cwd)))
            case DropKept(key=key, cwd=cwd):
                return KeptDropped(commit=kept_work.drop(Path(cwd), key))
            case CommitChanges() | CommitWork() | MakeBranch():
                return orders.answer(among, wanted)
            case MakeWorktree():
                return _on(among, wanted.key, lambda held: _made(held, making.make(held, wanted)))
            case PatchOf(key=key):
                return _on(among, key, patching.patch)
            case MergeWorktree(key=key, paths=paths, seen=seen):
                return _on(among, key, lambda held: merging.merge(held, paths, seen))
            case RemoveWorktree(key=key, cwd=cwd):
                return _on(among, key, lambda held: WorktreeRemoved(ref=removing.remove(held, cwd)))


def _on(among: OfHome, key: str, act: Callable[[Held], Message]) -> Message:
    with among.held(key) as held:
        return act(held)


def _made(held: Held, note: Note) -> WorktreeMade:
    top = held.folder / note.name
    return WorktreeMade(top=str(top), cwd=str(top / note.below), base=note.base, left_out=note.left_out)


def _listed(folder: Path, note: Note) -> WorktreeIs:
    top = str(folder / note.name)
    return WorktreeIs(key=note.key, repository=note.repository, top=top, made_at=note.made_at)
