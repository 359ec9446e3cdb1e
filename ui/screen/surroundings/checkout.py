"""The branch that a folder is on, marked where what git knows there is not committed: read without running git."""

from pathlib import Path

from actors.common.checkout import git_branch, git_places
from ui.screen.surroundings import git_index

CHANGED = "*"


def branch_of(cwd: Path) -> str:
    """Such as main, main* or, outside a repository, ""."""
    branch, places = git_branch(cwd), git_places(cwd)
    return branch + CHANGED if branch and places and git_index.has_changes(*places) else branch
