"""Which git repository a path belongs to, found without running git, and that it is no door to another one.

A file `.git`, or a file in it, can make any folder look like the repository that lies somewhere else. Only git's own
arrangements are followed: a linked worktree that its repository knows, a submodule of the repository around it.
"""

from pathlib import Path

import msgspec

from actors.common.small_files import read_regular
from actors.confinement.errors import ToolFailed

MOST = 4096
"""Bytes; a path has no more."""


class Repository(msgspec.Struct, frozen=True):
    top: Path
    """Of the files."""
    folder: Path
    """What `.git` is, or leads to."""


def find(path: Path) -> Repository:
    """path: absolute, symlinks resolved; it need not exist. Raises ToolFailed."""
    for top in (path, *path.parents):
        if (top / ".git").is_symlink() or (top / ".git").exists():
            return _checked(top)
    raise ToolFailed(f"{path} is in no git repository.")


def _checked(top: Path) -> Repository:
    git = top / ".git"
    folder = git.resolve()
    if git.is_symlink() and not folder.is_relative_to(top):
        raise _suspicious(git, folder)
    if folder.is_file():
        folder = _target(folder, _line(folder).removeprefix("gitdir:").strip())
        if not (_is_worktree(folder, git) or _is_submodule(folder, top)):
            raise _suspicious(git, folder)
    if (folder / "commondir").exists():
        common = _target(folder / "commondir", _line(folder / "commondir"))
        if folder.parent != common / "worktrees":
            raise _suspicious(folder / "commondir", common)
    return Repository(top, folder)


def _is_worktree(folder: Path, git: Path) -> bool:
    """Its repository knows it: one that was written to look at somebody else's has no such entry there."""
    back = folder / "gitdir"
    return folder.parent.name == "worktrees" and back.is_file() and _target(back, _line(back)) == git.resolve()


def _is_submodule(folder: Path, top: Path) -> bool:
    try:
        return folder.is_relative_to(find(top.parent).folder / "modules")
    except ToolFailed:
        return False


def _target(file: Path, written: str) -> Path:
    return (file.parent / written).resolve()


def _line(file: Path) -> str:
    try:
        return read_regular(file, MOST).decode(errors="replace").split("\n")[0].strip().replace("\0", "")
    except OSError as error:
        raise ToolFailed(f"cannot read {file}: {error.strerror or error}") from error


def _suspicious(link: Path, target: Path) -> ToolFailed:
    return ToolFailed(
        f"{link} leads to {target}, which is another repository and does not know this folder. "
        "Use bash with git, which asks the user."
    )
