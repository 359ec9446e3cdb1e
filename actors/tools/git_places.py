"""Where a workspace's git keeps its files: what commands write, and what runs programs later and is protected."""

import os
from collections.abc import Iterator
from pathlib import Path

from actors.tools import git_folder
from actors.tools.errors import ToolFailed
from actors.tools.workspace import PROTECTED

RUNS_PROGRAMS = ("hooks", "config", "config.worktree")
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
    repository = linked(workspace)
    folders = [workspace / ".git", *([repository, *(repository / "worktrees").glob("*")] if repository else [])]
    modules = [folder for top in folders[:2] for folder in _submodules(top / "modules")]
    places = [folder / name for folder in (*folders, *modules) for name in RUNS_PROGRAMS]
    return [path for path in dict.fromkeys((*(workspace / name for name in PROTECTED), *places)) if path.exists()]


def _submodules(top: Path) -> Iterator[Path]:
    for number, (folder, below, files) in enumerate(os.walk(top)):
        if number >= MOST_FOLDERS:
            return
        below[:] = [name for name in below if name not in PRUNED]
        if "HEAD" in files:
            yield Path(folder)
