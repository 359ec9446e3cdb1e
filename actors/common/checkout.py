"""Which branch a folder is on and how much git knows there, read off .git without running git."""

import re
from pathlib import Path

from actors.common.small_files import read_regular

MOST = 4096
"""Bytes; a path has no more."""
INDEX = b"DIRC"
"""What git's index begins with; four bytes of version and four of the number of files come after it."""

BRANCH = re.compile(r"ref: refs/heads/([^\s\x00-\x20\x7f~^:?*\[\\]{1,255})")
"""Of HEAD, by git-check-ref-format(1): the model is told of it, so nothing else that was put there counts."""
COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


def git_branch(cwd: Path) -> str:
    """A branch, "detached at COMMIT", or "" outside a repository."""
    _, _, head = _find(cwd)
    if branch := BRANCH.fullmatch(head):
        return branch[1]
    return f"detached at {head[:8]}" if COMMIT.fullmatch(head) else ""


def git_places(cwd: Path) -> tuple[Path, Path] | None:
    """The top of the checkout that a folder is in, and the folder of git's own files; None outside a repository."""
    top, git, _ = _find(cwd)
    return (top, git) if top and git else None


def tracked_files(cwd: Path) -> int:
    """How many git knows of the repository that a folder is in; 0 where that cannot be told."""
    _, git, _ = _find(cwd)
    try:
        header = read_regular(git / "index", len(INDEX) + 8) if git else b""
    except OSError:
        return 0
    return int.from_bytes(header[8:12]) if header.startswith(INDEX) else 0


def _find(cwd: Path) -> tuple[Path | None, Path | None, str]:
    """The top of the checkout, the folder of git's own files, and its HEAD; "" outside a repository."""
    for folder in (cwd, *cwd.parents):
        git = folder / ".git"
        try:
            if git.is_file():  # a worktree: the file says where its folder is
                git = folder / _first_line(git).removeprefix("gitdir:").strip()
            return folder, git, _first_line(git / "HEAD")
        except (OSError, ValueError):  # ValueError: no path can have a zero byte
            continue
    return None, None, ""


def _first_line(path: Path) -> str:
    return read_regular(path, MOST).decode(errors="replace").split("\n")[0].strip()
