"""Where a workspace's git keeps its files: what commands write, and what runs programs later and is protected."""

import os
from collections.abc import Iterator
from pathlib import Path

from actors.tools import git_folder
from actors.tools.errors import ToolFailed
from actors.tools.workspace import PROTECTED

RUNS_PROGRAMS = ("hooks", "config", "config.worktree", "commondir")
PRUNED = frozenset({"objects", "refs", "logs", "lfs"})
MOST_FOLDERS = 2000
"""Looked through for submodules."""


def linked(workspace: Path) -> Path | None:
    """The repository that a workspace belongs to that is a linked worktree, if that knows it."""
    try:
        found = git_folder.find(workspace)
    except (ToolFailed, OSError):
        return None  # none, or one that only pretends
    is_worktree = found.top == workspace and found.folder.parent.name == "worktrees"
    return found.folder.parent.parent if is_worktree else None


def protected(workspace: Path) -> list[Path]:
    """All that is there of it."""
    places = [workspace / name for name in PROTECTED]
    return [path for path in dict.fromkeys((*places, *_running(workspace))) if path.exists()]


def missing(workspace: Path) -> list[Path]:
    """Of it, what cannot be protected before it is there, and that git itself does not make."""
    strays = [workspace / ".git" / name for name in ("commondir", "config.worktree")]
    return [path for path in dict.fromkeys((*strays, *_running(workspace))) if not os.path.lexists(path)]


def _running(workspace: Path) -> list[Path]:
    """Places of what runs programs, in all folders of git's that there are."""
    repository = linked(workspace)
    tops = [workspace / ".git", *([repository] if repository else [])]
    worktrees = [folder for top in tops for folder in (top / "worktrees").glob("*")]
    modules = [folder for top in tops for folder in _submodules(top / "modules")]
    folders = [folder for folder in (*tops, *worktrees, *modules) if folder.is_dir()]
    return [folder / name for folder in folders for name in RUNS_PROGRAMS]


def _submodules(top: Path) -> Iterator[Path]:
    for number, (folder, below, files) in enumerate(os.walk(top)):
        if number >= MOST_FOLDERS:
            return
        below[:] = [name for name in below if name not in PRUNED]
        if "HEAD" in files:
            yield Path(folder)
