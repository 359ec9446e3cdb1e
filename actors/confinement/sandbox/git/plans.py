"""The plan of a rebase that is not over yet: git runs its `exec` lines when somebody goes on with it."""

import re
from pathlib import Path

from actors.common.small_files import read_regular
from actors.confinement.sandbox.git import repository_places

PLAN = "rebase-merge/git-rebase-todo"
"""In git's own folder of a repository, and of each of its linked worktrees."""
EXEC = re.compile(r"[ \t]*(?:exec|x)[ \t]+(.+)")
MOST = 1 << 20
"""Bytes of it that are looked at: more counts as a line that runs something."""


def of(folder: Path) -> list[Path]:
    """Where they may be, in one of git's own folders."""
    return [folder / PLAN, *repository_places.within(folder, f"worktrees/*/{PLAN}")]


def programs(plan: Path) -> list[str]:
    """What it runs, in order."""
    try:
        text = read_regular(plan, MOST + 1)
    except OSError:
        return []  # no rebase is under way
    if len(text) > MOST:
        return ["(it is too long to look through)"]
    lines = text.decode(errors="replace").split("\n")
    return [found[1].strip() for line in lines if (found := EXEC.match(line))]
