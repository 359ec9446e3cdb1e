"""Where a workspace's git keeps its files: what commands write, and what runs programs later and is protected."""

import glob
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from actors.common import installed_programs
from actors.common.small_files import is_file, is_folder, is_there, read_regular
from actors.confinement import git_folder
from actors.confinement.errors import ToolFailed
from actors.confinement.protected_places import PROTECTED
from actors.confinement.sandbox.git.folders import Finder, is_bare
from actors.confinement.sandbox.git.questions import listed
from actors.confinement.sandbox.git.settings import Unreadable, entries, risky

RUNS_PROGRAMS = ("hooks", "config", "config.worktree", "commondir")
PRUNED = frozenset({"objects", "refs", "logs", "lfs"})
MOST_FOLDERS = 2000
"""Looked through for submodules."""
MOST_LOOKED_AT, MOST_NESTED = 400, 16
"""Folders looked at for nested repositories, and how many are protected: each is some mounts for every command."""
MOST = 65_536
"""Bytes of a file of settings that are looked at for hints."""
MOST_INCLUDED = 32
"""Files of the user's settings that are read."""
HINTS = (b"hookspath", b"include", b"templatedir")


def linked(workspace: Path) -> Path | None:
    """The repository that a workspace belongs to that is a linked worktree, if that knows it."""
    try:
        found = git_folder.find(workspace)
    except (ToolFailed, OSError):
        return None  # none, or one that only pretends
    is_worktree = found.top == workspace and found.folder.parent.name == "worktrees"
    return found.folder.parent.parent if is_worktree else None


def within(folder: Path, pattern: str) -> list[Path]:
    """Never fails: a folder's name may be too long, or its inside closed to us."""
    return [folder / name for name in sorted(glob.glob(pattern, root_dir=folder))]  # noqa: PTH207  # a Path's may raise


def folders(top: Path) -> list[Path]:
    """git's own, of the repository whose files are at `top`: what `.git` is or leads to, and the common one."""
    folder = _leads_to(top / ".git")
    return _with_common(folder) if folder else []


def all_folders(top: Path) -> list[Path]:
    """The same, and also of one that has no `.git` because it is itself git's own."""
    return folders(top) or (_with_common(top) if is_bare(top) else [])


def _with_common(folder: Path) -> list[Path]:
    common = _line(folder / "commondir")
    return list(dict.fromkeys((folder, *([real(folder / common)] if common else ()))))


def in_place(workspace: Path) -> list[Path]:
    """git's own folders inside the workspace: not to be moved away, and something else put there."""
    every = (folder for top in _tops(workspace) for folder in folders(top))
    return [folder for folder in dict.fromkeys(every) if folder.is_relative_to(workspace) and is_folder(folder)]


def protected(workspace: Path) -> list[Path]:
    """All that is there of it."""
    links = [top / ".git" for top in _tops(workspace) if is_file(top / ".git")]
    places = [*(workspace / name for name in PROTECTED), *links]
    return [path for path in dict.fromkeys((*places, *_running(workspace), *named(workspace))) if is_there(path)]


def missing(workspace: Path) -> list[Path]:
    """Of it, what cannot be protected before it is there, and that git itself does not make."""
    strays = [workspace / ".git" / name for name in ("commondir", "config.worktree")]
    if is_file(workspace / ".git"):
        strays = []
    every = dict.fromkeys((*strays, *_running(workspace), *named(workspace)))
    return [path for path in every if not os.path.lexists(path)]


def named(workspace: Path) -> list[Path]:
    """Folders of hooks and files of settings inside the workspace that git's settings name, there or not."""
    own = folders(workspace)
    if not own or not any(_hints(file) for file in (*(folder / "config" for folder in own), *_users_settings())):
        return []
    git = installed_programs.find("git", workspace)
    settings = _listed(git, workspace) if git else []
    found = (_path(workspace, file, key, value) for file, key, value in settings)
    above = [workspace, *own]
    inside = (path for path in found if path is not None and path.is_relative_to(workspace))
    return [path for path in dict.fromkeys(inside) if not any(folder.is_relative_to(path) for folder in above)]


def _listed(git: str, workspace: Path) -> list[tuple[Path, str, str]]:
    try:
        return listed(git, workspace)
    except ToolFailed:  # an included file that never ends, until it is replaced: what is said beside it
        files = [folder / "config" for folder in folders(workspace)]
        return [(file, *entry.partition("\n")[::2]) for file in files for entry in risky(_text(file))]


def _path(workspace: Path, file: Path, key: str, value: str) -> Path | None:
    """Hooks count from the top of the files, included files from the file that includes them."""
    if not value:
        return None
    if key in ("core.hookspath", "init.templatedir"):
        return real(workspace / os.path.expanduser(value))  # noqa: PTH111  # a Path refuses ~nobody
    if _is_include(key):
        return real(file.parent / os.path.expanduser(value))  # noqa: PTH111
    return None


def _is_include(key: str) -> bool:
    return key == "include.path" or (key.startswith("includeif.") and key.endswith(".path"))


def _users_settings() -> list[Path]:
    home = Path.home()
    configured = os.environ.get("XDG_CONFIG_HOME")
    return [home / ".gitconfig", Path(configured or home / ".config") / "git" / "config", Path("/etc/gitconfig")]


def users_hooks() -> list[str]:
    """Folders of hooks that the user's own settings place in every repository: they count from the top of its files.

    What these settings include counts whatever the condition, which may hold in some repository.
    """
    files, found = _users_settings(), dict[str, None]()
    for file in files:
        for key, value in _said(file):
            if key == "core.hookspath":
                found[os.path.expanduser(value)] = None  # noqa: PTH111  # a Path refuses ~nobody
            elif _is_include(key) and (included := _path(file.parent, file, key, value)) not in files:
                files += [included] if included and len(files) < MOST_INCLUDED else []
    return [path for path in found if path and not path.startswith("/")]


def _said(file: Path) -> list[tuple[str, str]]:
    try:
        return entries(_text(file))
    except Unreadable:
        return []


def _hints(file: Path) -> bool:
    text = _text(file).lower()
    return len(text) == MOST or any(hint in text for hint in HINTS)


def _text(file: Path) -> bytes:
    try:
        return read_regular(file, MOST)
    except OSError:
        return b""


def _running(workspace: Path) -> list[Path]:
    """Places of what runs programs, in all folders of git's that there are."""
    repository = linked(workspace)
    nested = [folder for top in _tops(workspace) for folder in folders(top)]
    own = [*nested, *([repository] if repository else [])]
    inside = [folder for folder in own if folder.is_relative_to(workspace) or folder == repository]
    worktrees = [folder for top in inside for folder in within(top, "worktrees/*")]
    modules = [folder for top in inside for folder in _submodules(top / "modules")]
    every = [folder for folder in dict.fromkeys((*inside, *worktrees, *modules)) if is_folder(folder)]
    return [folder / name for folder in every for name in RUNS_PROGRAMS]


def _tops(workspace: Path) -> list[Path]:
    """Of the workspace's repository and of those nested in it."""
    return [workspace, *[top for top in at_first(workspace)[1] if top != workspace][:MOST_NESTED]]


@cache
def at_first(workspace: Path) -> tuple[Finder, tuple[Path, ...]]:
    """Which repositories there were when the worker began, and who finds later ones: one look, for it takes time."""
    finder = Finder(workspace, MOST_LOOKED_AT)
    return finder, tuple(finder.tops())


def _leads_to(entry: Path) -> Path | None:
    if is_folder(entry):
        return real(entry)
    line = _line(entry)
    return real(entry.parent / line.removeprefix("gitdir:").strip()) if line.startswith("gitdir:") else None


def real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _line(file: Path) -> str:
    try:
        return read_regular(file, git_folder.MOST).decode(errors="replace").split("\n")[0].strip().replace("\0", "")
    except OSError:
        return ""


def _submodules(top: Path) -> Iterator[Path]:
    for folder, inside in Finder(top, MOST_FOLDERS, PRUNED).changed():
        if any(entry.name == "HEAD" for entry in inside):
            yield folder
