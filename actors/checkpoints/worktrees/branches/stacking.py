"""What is kept of a worktree becomes one commit on top of another, three ways: all of it, or nothing and why."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from actors.checkpoints.repository import Import, Repository
from actors.checkpoints.snapshot import above, for_people
from actors.checkpoints.worktrees import kept_work, three_ways, users_repository
from actors.checkpoints.worktrees.branches.handing_over import NAMES, hand_over
from actors.checkpoints.worktrees.keyed_folder import OfHome, name_of
from actors.checkpoints.worktrees.present import Conflicting, Now
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.users_repository import OID
from actors.checkpoints.worktrees.work import WORK_REF, Changes, Entry, tree
from actors.messages.checkpoint import CommitMade, CommitWork, Conflict

CLOSED = {b".git", b".trouper"}
"""What decides what is run; only the user changes it."""
MODES = {"120000": 0o120777, "100755": 0o100755, "100644": 0o100644}


def commit(among: OfHome, wanted: CommitWork) -> CommitMade:
    """Raises Failed, GitFailed, OSError."""
    users = users_repository.find(Path(wanted.cwd).resolve())
    with kept_work.reading(among, users) as git, tempfile.TemporaryDirectory(dir=git.folder) as folder:
        kept = kept_work.find(git, users.refs().get(f"{kept_work.REFS}{name_of(wanted.key)}", ""))
        if kept is None or not OID.fullmatch(wanted.onto):
            raise refused(f"nothing is kept of {wanted.key} in {users.top}.", "See: trouper worktrees kept")
        before, after = tree(git, kept.base), tree(git, kept.commit)
        changed = {path: after.get(path) for path in before | after if before.get(path) != after.get(path)}
        there = tree(git, wanted.onto)
        results, conflicts = _merged(git, before, changed, there)
        if conflicts:
            told = (Conflict(path=for_people(path), why=why) for path, why in sorted(conflicts.items()))
            return CommitMade(conflicts=tuple(told))
        if not results:
            return CommitMade(commit=wanted.onto)
        with Import(git) as into:
            into.change(WORK_REF, wanted.onto, results)
            into.finish()
        made = _commit(git, wanted, kept.commit)
        hand_over(git, users, made, wanted.onto, Path(folder, "arrived"))
        as_kept = all(there.get(path) == before.get(path) for path in before | there)
    return CommitMade(commit=made, as_kept=as_kept)


def _merged(
    git: Repository, before: Mapping[bytes, Entry], changed: Changes, there: Mapping[bytes, Entry]
) -> tuple[Changes, dict[bytes, str]]:
    """What of the tree that is there becomes something else; and paths that cannot, and why."""
    folders = {folder[:-1] for path in there for folder in above(path)}
    results: Changes = {}
    conflicts: dict[bytes, str] = {}
    with git.blobs() as blobs:
        for path, entry in sorted(changed.items()):
            try:
                _refuse(path, entry, there, folders)
                at = there.get(path)
                now = Now(MODES[at[0]], blobs.read(at[1])) if at and at[0] in MODES else None
                result = three_ways.merge(git, blobs, before.get(path), entry, now)
            except Conflicting as conflict:
                conflicts[path] = str(conflict)
                continue
            if result is not None:
                results[path] = _stored(git, result)
    return results, conflicts


def _refuse(path: bytes, entry: Entry | None, there: Mapping[bytes, Entry], folders: set[bytes]) -> None:
    """Raises Conflicting."""
    if not CLOSED.isdisjoint(path.lower().split(b"/")):
        raise Conflicting("it decides what may run; only the user changes it")
    if entry is not None and (path in folders or any(folder[:-1] in there for folder in above(path))):
        raise Conflicting("a file on one side, and a folder on the other")


def _stored(git: Repository, result: three_ways.Result) -> Entry | None:
    if result.data is None:
        return None
    oid = git.run("hash-object", "-w", "--stdin", given=result.data).decode().strip()
    return Now(result.mode, b"").kind, oid


def _commit(git: Repository, wanted: CommitWork, kept: str) -> str:
    """Asked twice it is the same commit: its time is that of the work."""
    at = git.run("log", "-1", "--format=%ct", kept).decode().strip()
    times = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{at} +0000")
    tree_id = git.run("rev-parse", "--verify", f"{git.commit_of(WORK_REF)}^{{tree}}").decode().strip()
    said = wanted.message.encode(errors="replace")
    return git.run("commit-tree", tree_id, "-p", wanted.onto, given=said, variables=NAMES | times).decode().strip()
