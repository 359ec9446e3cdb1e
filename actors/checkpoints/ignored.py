"""What git leaves out of a workspace, by its .gitignore files and the user's own lists; git says it itself.

It is run with a directory and settings of ours: nothing that the workspace says is run, only its patterns are read.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from actors.checkpoints.repository import GitFailed, Repository
from actors.checkpoints.scan import UNSETTLED, Stamp, stamp_of
from actors.common.small_files import read_regular

MOST = 1_000_000
"""Bytes of a list of patterns."""


class Patterns:
    """Of one workspace."""

    def __init__(self, repository: Repository, cwd: Path, environ: Mapping[str, str]) -> None:
        self._repository = repository
        self._cwd = cwd
        self._own = _users_list(repository, environ)

    def sources(self) -> dict[str, Stamp]:
        """Of what git says, without the .gitignore files of the workspace itself: those that there are."""
        top, folder = _checkout(self._cwd)
        above = [at / ".gitignore" for at in self._cwd.parents if at.is_relative_to(top)]
        git = [folder / "index", _shared(folder) / "info" / "exclude"] if folder else []
        found = {str(top): UNSETTLED}  # which folder it is, not what is in it
        for path in (self._own, *above, *git):
            with suppress(OSError):
                found[str(path)] = stamp_of(path.stat())
        return found

    def passed(self) -> tuple[bytes, ...]:
        """What git ignores, relative to the workspace; folders end with a slash. Raises GitFailed, OSError."""
        top, folder = _checkout(self._cwd)
        found = self._ask(top, folder)
        if b"" in found:  # the workspace itself is ignored by the repository around it: then that has no say in it
            found = self._ask(self._cwd, None)
        return tuple(sorted(found))

    def tracked(self) -> list[bytes]:
        """What the user's git knows although it is ignored. Nothing where that cannot be told. Raises OSError."""
        top, folder = _checkout(self._cwd)
        index = folder / "index" if folder else None
        if index is None or not index.is_file():
            return []
        below = _below(top, self._cwd)
        where = ["--", f":(top,literal){os.fsdecode(below)}"] if below else []
        try:
            listed = self._repository.look(
                "ls-files", "-z", "--cached", "--ignored", "--exclude-standard", *where, top=top, index=index
            )
        except GitFailed:
            return []  # an index in parts, or of a newer git
        return [name[len(below) :] for name in listed.split(b"\0") if name.startswith(below) and name != below]

    def _ask(self, top: Path, folder: Path | None) -> set[bytes]:
        self._repository.set_patterns(_read(_shared(folder) / "info" / "exclude") if folder else b"")
        below = _below(top, self._cwd)
        where = ["--", f":(top,literal){os.fsdecode(below)}"] if below else []
        own = ["-c", f"core.excludesFile={self._own}"]
        told = ("status", "--porcelain", "-z", "--ignored=matching", "--untracked-files=all")
        listed = self._repository.look(*own, *told, *where, top=top)
        names = (line[3:] for line in listed.split(b"\0") if line.startswith(b"!! "))
        return {b"" if below.startswith(name) else name[len(below) :] for name in names}


def _below(top: Path, cwd: Path) -> bytes:
    """ "" or the way from there to the workspace, with a slash at its end."""
    return b"" if top == cwd else os.fsencode(cwd.relative_to(top)) + b"/"


def _users_list(repository: Repository, environ: Mapping[str, str]) -> Path:
    """As git finds it, https://git-scm.com/docs/gitignore."""
    base = environ.get("XDG_CONFIG_HOME") or os.path.join(environ.get("HOME", "/"), ".config")  # noqa: PTH118
    named = repository.users_setting("core.excludesFile", environ)
    return Path(named) if named else Path(base, "git", "ignore")


def _checkout(cwd: Path) -> tuple[Path, Path | None]:
    """The top of the checkout that a folder is in, and where git keeps its own files; without one the folder itself."""
    for folder in (cwd, *cwd.parents):
        git = folder / ".git"
        if git.is_dir() and (git / "HEAD").is_file():
            return folder, git
        if git.is_file():
            named = _read(git).removeprefix(b"gitdir:").strip()
            if named and b"\0" not in named:
                return folder, folder / os.fsdecode(named)
    return cwd, None


def _shared(folder: Path) -> Path:
    """What all worktrees of a repository have together."""
    named = _read(folder / "commondir").strip()
    return folder / os.fsdecode(named) if named and b"\0" not in named else folder


def _read(path: Path) -> bytes:
    try:
        return read_regular(path, MOST)
    except OSError:
        return b""
