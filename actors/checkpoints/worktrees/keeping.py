"""The work of a worktree is brought into the user's repository: objects first, read once more, then one ref.

Nothing is run there. Broken off at any point the same again completes it; what an earlier one of the same key has left
there stays in reach of the new ref.
"""

import tempfile
from pathlib import Path

from actors.checkpoints.repository import Repository
from actors.checkpoints.worktrees import commits, kept_work, users_repository
from actors.checkpoints.worktrees.branches import handing_over
from actors.checkpoints.worktrees.branches.handing_over import NAMES
from actors.checkpoints.worktrees.keyed_folder import Held
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.work import LONGEST_S, Work, opened, record_work, told
from actors.common.folders import removal
from actors.common.folders.worktree_places import GIT, Note

EXCHANGE = "exchange-"
"""Repositories for now."""


def keep(held: Held, note: Note) -> str:
    """The commit that a ref in the user's repository leads to from now on; "" where there is nothing to keep.

    Raises Failed, GitFailed, OSError: nothing may be removed.
    """
    users = users_repository.at(note)
    top = held.folder / note.name
    work = record_work(held.git(users.top), top, note.base, held.among)
    if work.lost:
        raise refused(
            f"what is in {top} cannot be kept as a whole ({'; '.join(told(work.lost)[:3])}).",
            "Move that elsewhere or delete it, then remove the worktree again.",
        )
    for left in held.folder.glob(f"{EXCHANGE}*"):
        removal.remove(left)
    with tempfile.TemporaryDirectory(prefix=EXCHANGE, dir=held.folder) as folder, opened(top) as root:
        incoming = held.git(users.top, Path(folder, "incoming"), bounded=True)
        incoming.create("")
        incoming.lend(users.objects, held.folder / GIT / "objects")
        if cut := users.shallow():
            (incoming.folder / "shallow").write_bytes(cut)
        commits.take_objects(root, incoming)
        earlier = users.refs().get(held.ref, "")
        commit = _commit(incoming, work, note, held, (root, earlier))
        if commit and commit != earlier:
            handing_over.hand_over(incoming, users, commit, note.start, Path(folder, "arrived"))
            handing_over.point(users, held.ref, commit)
            handing_over.verify(held.git(users.top, Path(folder, "seen")), users, held.ref, commit)
    return commit


def _commit(git: Repository, work: Work, note: Note, held: Held, found: tuple[int, str]) -> str:
    """found: a descriptor of the copy, and what an earlier worktree of this key has left; that itself, where it is all
    the same.
    """
    root, earlier = found
    ends = commits.tips(git, note.base, root)
    if work.commit == note.base and not ends:
        return earlier if earlier and kept_work.find(git, earlier) else ""
    head = commits.head(root)
    head = head if head in ends else note.base
    parents = list(dict.fromkeys((head, *ends)))
    if earlier:
        parents = git.run("merge-base", "--independent", *parents, earlier, longest_s=LONGEST_S).decode().split()
        parents.sort(key=lambda parent: (parent != head, parent == earlier))
        if parents == [earlier] and _tree(git, earlier) == _tree(git, work.commit):
            return earlier
    said = kept_work.message(held.key, base=note.base, start=note.start, head=head)
    named = (word for parent in parents for word in ("-p", parent))
    return git.run("commit-tree", _tree(git, work.commit), *named, given=said, variables=NAMES).decode().strip()


def _tree(git: Repository, commit: str) -> str:
    return git.run("rev-parse", "--verify", f"{commit}^{{tree}}").decode().strip()
