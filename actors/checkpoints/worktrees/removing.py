"""A worktree goes, and so do those that nobody needs any more: the work is kept first, and then it is removed."""

import os
import time
from contextlib import suppress
from pathlib import Path

from actors.checkpoints.repository import GitFailed
from actors.checkpoints.worktrees import keeping, users_repository
from actors.checkpoints.worktrees.keyed_folder import LOCK, Held, OfHome
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.work import is_all, record_work
from actors.common import locks
from actors.common.folders.worktree_places import Note
from actors.errors import Failed

TRIES = 5
"""So often what is in it may change while it is kept."""
LEFT_S = 86_400.0
"""After so long a worktree is removed whose program has ended, with what git ignores; sooner where that is nothing."""


def remove(held: Held, cwd: str = "") -> str:
    """The ref of what is kept; "" where there was nothing. Raises Failed, GitFailed, OSError: then it stays.

    cwd: in the user's repository, for one that is gone already.
    """
    note = held.note
    if note is None:
        return _kept_earlier(held, Path(cwd)) if cwd else ""
    if (pid := held.user()) not in (0, held.among.owner):
        raise refused(f"process {pid} works with {held.key}.", "End that first, or remove it there.")
    _remove_inner(held, note)
    if not (held.folder / note.name).is_dir():
        held.give_up()  # somebody has removed it already
        held.finish_removal()
        return ""
    kept = keeping.keep(held, note)
    for _ in range(TRIES):
        again = keeping.keep(held, note)
        if again == kept:
            break
        kept = again
    else:
        raise refused(f"somebody is at work in {held.folder / note.name}.", "Stop that, then remove it again.")
    held.give_up()
    held.finish_removal()
    return held.ref if kept else ""


def _kept_earlier(held: Held, cwd: Path) -> str:
    """Who removed it may have been killed before it could say so."""
    try:
        users = users_repository.find(cwd.resolve())
    except Failed:
        return ""  # without a repository nothing is kept in it
    return held.ref if held.ref in users.refs() else ""


def sweep(among: OfHome, spared: str) -> None:
    """Those whose program has ended long ago, or just now where all of it is kept.

    spared: a session; what is its own, or below it, is left.
    """
    try:
        notes = among.notes()
    except OSError:
        return  # who asks for one is told
    for folder, note in sorted(notes, key=lambda one: -len(one[1].objects)):  # a copy of a copy before that
        if note.key == spared or note.key.startswith(f"{spared}."):
            continue
        with suppress(Failed, GitFailed, OSError):
            used = (folder / LOCK).stat()
            with among.held(note.key, wait=False) as held:
                if not held.user() and (used.st_mtime < time.time() - LEFT_S or _is_nobodys(held, note)):
                    remove(held)
                else:
                    os.utime(
                        folder / LOCK, ns=(used.st_atime_ns, used.st_mtime_ns)
                    )  # to be looked at is not to be used


def _is_nobodys(held: Held, note: Note) -> bool:
    """Nobody has its session, or one above that, and whoever goes on with it finds all of it again."""
    names = note.key.split(".")
    above = [".".join(names[:number]) for number in range(1, len(names) + 1)]
    if not all(locks.is_free(held.among.home / "run" / f"{name}.lock") for name in above):
        return False
    top = held.folder / note.name
    users = users_repository.at(note)
    return is_all(top, record_work(held.git(users.top), top, note.base, held.among))


def _remove_inner(held: Held, note: Note) -> None:
    """Copies of this copy read its objects, and what is kept of them is kept in it."""
    top = str(held.folder / note.name)
    for _, inner in held.among.notes():
        if inner.repository != top:
            continue
        if not inner.key.startswith(f"{held.key}."):
            raise refused(f"the worktree {inner.key} was made of it.", f"First: trouper worktrees remove {inner.key}")
        with held.among.held(inner.key) as below:
            remove(below)
