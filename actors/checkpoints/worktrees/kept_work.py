"""What is kept of a worktree that was removed: a commit with its files, whose message says what it began with."""

import re

import msgspec

from actors.checkpoints.repository import GitFailed, Repository
from actors.checkpoints.worktrees.users_repository import OID

SAYS = re.compile(r"^Base: ([0-9a-f]{40})\nStart: ([0-9a-f]{40})\nHead: ([0-9a-f]{40})$", re.MULTILINE)


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Commits."""

    commit: str
    """With the files as they were."""
    base: str
    start: str
    head: str
    """What its branch was at."""


def message(key: str, *, base: str, start: str, head: str) -> bytes:
    return f"Work of {key!r}, kept by Trouper\n\nBase: {base}\nStart: {start}\nHead: {head}\n".encode(errors="replace")


def find(git: Repository, commit: str) -> Kept | None:
    """None where nothing of ours is kept there, or not whole. Raises OSError."""
    if not OID.fullmatch(commit):
        return None
    try:
        said = SAYS.search(git.run("cat-file", "commit", commit).decode(errors="replace"))
        if said is None:
            return None
        base, start, head = said.groups()
        for one in (base, start, head):
            git.run("merge-base", "--is-ancestor", one, commit)
    except GitFailed:
        return None
    return Kept(commit=commit, base=base, start=start, head=head)
