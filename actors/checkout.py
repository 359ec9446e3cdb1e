"""Which branch a folder is on, read off .git/HEAD without running git."""

from pathlib import Path

from actors.reading import read_regular

MOST = 4096
"""Bytes; a path has no more."""


def git_branch(cwd: Path) -> str:
    """A branch, "detached at COMMIT", or "" outside a repository."""
    for folder in (cwd, *cwd.parents):
        git = folder / ".git"
        try:
            if git.is_file():  # a worktree: the file says where its folder is
                git = folder / _first_line(git).removeprefix("gitdir:").strip()
            head = _first_line(git / "HEAD")
        except (OSError, ValueError):  # ValueError: no path can have a zero byte
            continue
        return head.removeprefix("ref: refs/heads/") if head.startswith("ref:") else f"detached at {head[:8]}"
    return ""


def _first_line(path: Path) -> str:
    return read_regular(path, MOST).decode(errors="replace").split("\n")[0].strip()
