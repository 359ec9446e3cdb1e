"""A branch in the user's repository that was not there: made, and never moved."""

from pathlib import Path

from actors.checkpoints.worktrees import kept_work, users_repository
from actors.checkpoints.worktrees.branches.handing_over import point, verify
from actors.checkpoints.worktrees.keyed_folder import OfHome
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.users_repository import NAME, OID
from actors.messages.checkpoint import MakeBranch

BRANCHES = "refs/heads/"


def make_branch(among: OfHome, wanted: MakeBranch) -> None:
    """Raises Failed where there is one of that name that leads elsewhere; GitFailed, OSError."""
    users, ref = users_repository.find(Path(wanted.cwd).resolve()), f"{BRANCHES}{wanted.name}"
    if not NAME.fullmatch(ref) or ".." in ref or ref.endswith((".lock", ".")) or not OID.fullmatch(wanted.commit):
        raise refused(f"{wanted.name!r} can be no branch.")
    refs = users.refs()
    if refs.get(ref, wanted.commit) != wanted.commit:
        raise refused(f"there is a branch {wanted.name} already.", f"Rename it: git branch -m {wanted.name} NAME")
    if other := next((name for name in refs if ref.startswith(f"{name}/") or name.startswith(f"{ref}/")), ""):
        raise refused(f"beside the branch {other.removeprefix(BRANCHES)} there can be no {wanted.name}.")
    point(users, ref, wanted.commit)
    with kept_work.reading(among, users) as git:
        verify(git, users, ref, wanted.commit)
