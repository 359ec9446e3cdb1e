"""Where each task works and with what: checked before anything is begun, and what of it makes the task's key."""

import hashlib
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import msgspec

from actors.common.installed_programs import find
from actors.messages.tool import Mode
from actors.settings.config import Settings, duration
from ui.batch.task import BatchFront, Isolation, Task
from ui.common.attached_files import AttachedFile, NotAttachable, look_at_all
from ui.common.modes import LOOKING
from ui.common.usage_errors import Usage

WIDTH: dict[Mode, int] = {"plan": 0, "research": 0, "default": 1, "accept-edits": 2, "auto": 3}
"""How much runs unasked in each mode."""
REACHES_THE_WEB: tuple[Mode, ...] = ("plan", "auto")
"""Modes in which a page is read unasked."""
FETCHES_NOTHING = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
"""A repository may say that objects are missing, and by which program they are had."""
GIT_S = 20.0
CHARACTERS = 16
"""Of a key: so many that no two tasks of a batch have the same."""


def placed(tasks: Iterable[Task], settings: Settings, isolation: Isolation | None) -> tuple[Task, ...]:
    """With whole paths, whole commits, and how each is isolated. Raises Usage."""
    commits = _Commits()
    return tuple(_placed(task, settings, isolation, commits) for task in tasks)


def _placed(task: Task, settings: Settings, isolation: Isolation | None, commits: "_Commits") -> Task:
    mode = task.mode or settings.mode
    if WIDTH[mode] > WIDTH[settings.mode]:
        raise Usage(
            f'task "{task.id}": mode "{mode}" is wider than "{settings.mode}", which is the batch\'s. '
            f"A task can only narrow it: start the batch with --mode {mode}."
        )
    if isinstance(task.timeout, str) and not duration(task.timeout):
        raise Usage(f'task "{task.id}": timeout is "{task.timeout}"; it can be seconds, or such as "90s" or "10m".')
    repo = _resolved(task, Path(settings.cwd, task.repo)) if task.repo else None
    folder = _resolved(task, (repo or Path(settings.cwd)) / task.cwd)
    if not folder.is_dir():
        raise Usage(f'task "{task.id}": there is no folder {folder}.')
    if repo and not folder.is_relative_to(repo):
        raise Usage(f'task "{task.id}": its cwd {folder} is outside of its repo {repo}.')
    if mode == "plan" and settings.mode not in REACHES_THE_WEB:
        task = msgspec.structs.replace(task, mode="research")  # the same without the web
    writes = mode not in LOOKING
    wanted = task.isolation or isolation or ("worktree" if task.repo or task.commit else None)
    commit = "" if wanted == "none" or (wanted is None and not writes) else commits.of(task, folder)
    if wanted == "worktree" and not commit:
        raise Usage(f'task "{task.id}": {folder} is in no git repository with a commit, so it can have no worktree.')
    if wanted == "none" and task.commit:
        raise Usage(f'task "{task.id}": a commit is for a worktree of it, and its isolation is "none".')
    chosen: Isolation = "worktree" if commit else "none"
    return msgspec.structs.replace(task, cwd=str(folder), repo="", commit=commit, isolation=chosen)


def _resolved(task: Task, folder: Path) -> Path:
    """Raises Usage for what can be no path, and for links that lead to themselves."""
    try:
        return folder.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise Usage(f'task "{task.id}": there is no folder {folder}: {error}.') from error


class _Commits:
    """git is asked once for all tasks of one folder and commit: they may be thousands, and all of one base."""

    def __init__(self) -> None:
        self._known: dict[tuple[Path, str], str] = {}

    def of(self, task: Task, folder: Path) -> str:
        """Whole id of its base; "" where there is no repository, or no commit yet. Raises Usage."""
        if not any((above / ".git").exists() for above in (folder, *folder.parents)):
            if task.commit:
                raise Usage(f'task "{task.id}": {folder} is in no git repository, so there is no commit {task.commit}.')
            return ""
        asked = folder, task.commit or "HEAD"
        if asked not in self._known:
            git = find("git", folder)
            self._known[asked] = _asked(git, *asked) if git else ""
        found = self._known[asked]
        if task.commit and not found:
            raise Usage(f'task "{task.id}": {folder} has no commit {task.commit}.')
        return found


def _asked(git: str, folder: Path, name: str) -> str:
    """This runs nothing that the repository names: git only looks up a name."""
    environ = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | FETCHES_NOTHING
    asked = [git, "-c", "core.fsmonitor=false", "rev-parse", "--verify", "--quiet", "--end-of-options"]
    try:
        ran = subprocess.run(
            [*asked, f"{name}^{{commit}}"], cwd=folder, env=environ, capture_output=True, timeout=GIT_S, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):  # ValueError: a NUL in it
        return ""
    return ran.stdout.decode(errors="replace").strip() if ran.returncode == 0 else ""


def attached(task: Task) -> tuple[AttachedFile, ...]:
    """Of one that is placed. Raises Usage."""
    try:
        return look_at_all(Path(task.cwd) / name for name in task.attach)
    except NotAttachable as error:
        raise Usage(f'task "{task.id}": cannot attach {error}') from error


def key_of(task: Task, settings: Settings, front: BatchFront) -> str:
    """Of one that is placed: another one where anything is different that its result may depend on.

    With more to spend it is the same: it goes on.
    """
    spec = msgspec.structs.replace(
        task,
        tags=(),
        max_cost=None,
        max_tokens=None,
        model=task.model or settings.model,
        mode=task.mode or settings.mode,
        effort=task.effort or settings.effort,
        max_turns=task.max_turns or front.max_turns,
        timeout=timeout_s(task, front),
    )
    return hashlib.sha256(msgspec.json.encode(spec)).hexdigest()[:CHARACTERS]


def timeout_s(task: Task, front: BatchFront) -> float | None:
    """None: it may take as long as it takes."""
    if isinstance(task.timeout, str):
        return duration(task.timeout)
    return task.timeout or front.timeout_s
