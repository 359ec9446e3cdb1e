"""The folder tools stay inside: where a path leads, and whether a file changed since it was read."""

import os
import stat
from dataclasses import dataclass, field, replace
from pathlib import Path

from actors.globs import covers
from actors.messages.tool import Grant
from actors.tools.errors import OutsideWorkspace

PROTECTED = (".git/hooks", ".git/config", ".trouper")
"""Of the workspace: files that run commands or loosen rules. Tools write neither them nor another repository's."""


Stamp = tuple[int, int, int]


def _stamp(info: os.stat_result) -> Stamp:
    return (info.st_ino, info.st_size, info.st_mtime_ns)


@dataclass(frozen=True)
class Workspace:
    root: Path
    """Absolute, symlinks resolved."""
    hidden: tuple[Path, ...] = ()
    """Not readable even inside; absolute, symlinks resolved."""
    paths: tuple[Path, ...] | None = None
    """Only these and what is below them, wherever they are; None: all of the root."""
    patterns: tuple[str, ...] = ()
    """Of files that are not read; as in Read(...) rules."""
    _seen: dict[Path, Stamp] = field(default_factory=dict)

    def granted(self, grant: Grant) -> "Workspace":
        """As one call may use it; what was seen of files is shared."""
        return replace(self, paths=tuple(map(Path, grant.paths)), patterns=grant.hidden)

    def locate(self, given: str) -> Path:
        """Where a path really leads, symlinks and `..` resolved; it need not exist. Raises OutsideWorkspace."""
        target = self._granted(given, self._resolved(given))
        if not self.is_readable(target) or not self.is_readable(self._as_written(given)):
            raise OutsideWorkspace(f"{given} may not be read: a rule of the user denies it. Do without it.")
        return target

    def locate_for_writing(self, given: str) -> Path:
        """Raises OutsideWorkspace."""
        return self._unprotected(given, self._granted(given, self._resolved(given)))

    def locate_for_editing(self, given: str) -> Path:
        """For what shows the file's text, too. Raises OutsideWorkspace."""
        return self._unprotected(given, self.locate(given))

    def locate_entry(self, given: str, *, change: bool = True) -> Path:
        """The file, folder or symlink of that name itself, to move, copy or delete it. Raises OutsideWorkspace."""
        _refuse_nul(given)
        written = self._as_written(given)
        target = self._granted(given, Path(os.path.realpath(written.parent)) / written.name)
        if self.root.is_relative_to(target):
            raise OutsideWorkspace(f"{given} is the workspace itself, or holds it. Name something inside it.")
        return self._unprotected(given, target) if change else target

    def is_readable(self, path: Path) -> bool:
        """Whether no rule denies it, and it is not ours. path: absolute."""
        if any(path.is_relative_to(hidden) for hidden in self.hidden):
            return False
        return not any(covers(pattern, path, self.root) for pattern in self.patterns)

    def _as_written(self, given: str) -> Path:
        return Path(os.path.normpath(self.root / _expanded(given)))

    def _resolved(self, given: str) -> Path:
        _refuse_nul(given)
        # realpath also follows a symlink whose target is missing, so a dangling one that leads out is found
        return Path(os.path.realpath(self.root / _expanded(given)))

    def _granted(self, given: str, target: Path) -> Path:
        led = "" if str(target) == given else f" (it leads to {target})"
        if self.paths is None and not target.is_relative_to(self.root):
            raise OutsideWorkspace(f"{given} is outside the workspace {self.root}{led}. Use a path inside it.")
        if self.paths is not None and not any(target.is_relative_to(path) for path in self.paths):
            raise OutsideWorkspace(f"{given}{led} is not among what was allowed for this call. Name it in a new call.")
        if any(target.is_relative_to(hidden) for hidden in self.hidden):
            raise OutsideWorkspace(f"{given} belongs to Trouper itself and is closed to tools.")
        return target

    def _unprotected(self, given: str, target: Path) -> Path:
        if _runs_commands(target):
            hint = "it can run commands or loosen rules. Ask the user to do it."
            raise OutsideWorkspace(f"{given} is protected and not written by tools: {hint}")
        return target

    def shown(self, path: Path) -> str:
        """Relative to the workspace, where it is in it."""
        return str(path.relative_to(self.root) if path.is_relative_to(self.root) else path)

    def open_folder(self, folder: Path) -> int:
        """A descriptor to work from, so that a folder swapped for a symlink meanwhile does no harm."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        if not self._is_still(descriptor, folder):
            os.close(descriptor)
            raise OutsideWorkspace(f"{folder} was replaced while it was being used. Try again.")
        return descriptor

    def open_file(self, path: Path) -> int:
        """For reading; regular files only. Raises OutsideWorkspace, OSError."""
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        if not self._is_still(descriptor, path):
            os.close(descriptor)
            raise OutsideWorkspace(f"{path} was replaced while it was being opened. Try again.")
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OutsideWorkspace(f"{self.shown(path)} is not a regular file.")
        return descriptor

    def note_seen(self, path: Path, info: os.stat_result) -> None:
        self._seen[path] = _stamp(info)

    def has_changed(self, path: Path, info: os.stat_result) -> bool:
        """Since this worker last read or wrote it; False when it never did."""
        return self._seen.get(path, _stamp(info)) != _stamp(info)

    @staticmethod
    def _is_still(descriptor: int, path: Path) -> bool:
        try:
            return Path(f"/proc/self/fd/{descriptor}").readlink() == path
        except FileNotFoundError:
            return True  # no /proc: a system other than Linux


def _refuse_nul(given: str) -> None:
    if "\0" in given:
        raise OutsideWorkspace("A path cannot contain a NUL byte.")


def _expanded(given: str) -> Path:
    try:
        return Path(given).expanduser()
    except RuntimeError:
        return Path(given)  # no such user: a file whose name begins with ~


def _runs_commands(path: Path) -> bool:
    """A repository's hooks and configuration, also of nested ones, worktrees and submodules; `.git` itself; ours."""
    parts = [part.casefold() for part in path.parts]
    if ".git" not in parts:
        return ".trouper" in parts
    inside = parts[parts.index(".git") + 1 :]
    return not inside or not {"hooks", "config", "config.worktree", "commondir", ".trouper"}.isdisjoint(inside)


def open_workspace(cwd: str, home: str) -> Workspace:
    """home, where keys, rules and sessions are, is closed to tools."""
    return Workspace(Path(cwd).resolve(), hidden=(Path(home).resolve(),))
