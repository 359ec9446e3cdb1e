"""The folder tools stay inside: where a path leads, and whether that may be read or written."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

import msgspec

from actors.common import own_code
from actors.common.folders import worktree_places
from actors.common.globs import covers
from actors.confinement.errors import OutsideWorkspace
from actors.confinement.hidden_files import Followed
from actors.messages.conversation import Seen
from actors.messages.tool import Grant
from actors.tools.workspace.made_here import Made
from actors.tools.workspace.seen_files import Sight


class Workspace(msgspec.Struct, frozen=True):
    root: Path
    """Absolute, symlinks resolved."""
    hidden: tuple[Path, ...] = ()
    """Not readable even inside; absolute, symlinks resolved."""
    paths: tuple[Path, ...] | None = None
    """Only these and what is below them, wherever they are; None: all of the root."""
    deletable: tuple[Path, ...] | None = None
    """Only these may be deleted; None: whatever may be written."""
    in_hidden: bool = False
    """The root lies in what is hidden, and is usable nevertheless: a copy that Trouper has made there."""
    patterns: tuple[str, ...] = ()
    """Of files that are not read; as in Read(...) rules."""
    followed: Followed = msgspec.field(default_factory=Followed)
    moved: tuple[Path, ...] = ()
    """Where commands have put such files meanwhile."""
    protected: bool = True
    """What runs commands or loosens rules is not written."""
    own: tuple[Path, ...] = ()
    """What Trouper itself runs from, which is not written either."""
    made: Made = msgspec.field(default_factory=Made)
    """By the calls of this worker."""
    passing: tuple[Path, ...] = ()
    """What goes with the session. Absolute, resolved."""
    sight: Sight = msgspec.field(default_factory=Sight)
    """Of the call."""

    def granted(self, grant: Grant, seen: Iterable[Seen] | None = None) -> "Workspace":
        """As one call may use it; what was made of files is shared. seen: files that who calls knows; None: all."""
        moved = tuple(self.followed.places(grant.hidden))
        paths, deletable = tuple(map(Path, grant.paths)), tuple(map(Path, grant.deleted))
        sight = Sight(seen)
        return msgspec.structs.replace(
            self, paths=paths, deletable=deletable, patterns=grant.hidden, moved=moved, sight=sight
        )

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
        target = self._granted(given, _real(given, written.parent) / written.name)
        if self.root.is_relative_to(target):
            raise OutsideWorkspace(f"{given} is the workspace itself, or holds it. Name something inside it.")
        return self._unprotected(given, target) if change else target

    def locate_condemned(self, given: str) -> Path:
        """To delete it. Raises OutsideWorkspace."""
        target = self.locate_entry(given)
        if self.deletable is not None and target not in self.deletable:
            raise OutsideWorkspace(f"That this call deletes {given} was not allowed. Delete it in a new call.")
        return target

    def is_readable(self, path: Path) -> bool:
        """Whether no rule denies it, and it is not ours. path: absolute."""
        if self._is_hidden(path) or any(path.is_relative_to(moved) for moved in self.moved):
            return False
        return not any(covers(pattern, path, self.root) for pattern in self.patterns)

    def _is_hidden(self, path: Path) -> bool:
        if self.in_hidden and path.is_relative_to(self.root):
            return False
        return any(path.is_relative_to(hidden) for hidden in self.hidden)

    def is_held(self, info: os.stat_result) -> bool:
        """A command's sandbox found it where a rule hides it, wherever it is now."""
        return self.followed.holds(info, self.patterns)

    def _as_written(self, given: str) -> Path:
        return Path(os.path.normpath(self.root / _expanded(given)))

    def _resolved(self, given: str) -> Path:
        _refuse_nul(given)
        return _real(given, self.root / _expanded(given))

    def _granted(self, given: str, target: Path) -> Path:
        led = "" if str(target) == given else f" (it leads to {target})"
        if self.paths is None and not target.is_relative_to(self.root):
            raise OutsideWorkspace(f"{given} is outside the workspace {self.root}{led}. Use a path inside it.")
        if self.paths is not None and not any(target.is_relative_to(path) for path in self.paths):
            raise OutsideWorkspace(f"{given}{led} is not among what was allowed for this call. Name it in a new call.")
        if self._is_hidden(target):
            raise OutsideWorkspace(f"{given} belongs to Trouper itself and is closed to tools.")
        return target

    def _unprotected(self, given: str, target: Path) -> Path:
        if self.protected and _runs_commands(target):
            hint = "it can run commands or loosen rules. Ask the user to do it."
            raise OutsideWorkspace(f"{given} is protected and not written by tools: {hint}")
        for place in self.own:
            if target.is_relative_to(place) or place.is_relative_to(target):
                hint = f"the Trouper that runs here runs from {self.shown(place)}. {own_code.ELSEWHERE}"
                raise OutsideWorkspace(f"{given} is not changed by tools: {hint}")
        return target

    def shown(self, path: Path) -> str:
        """Relative to the workspace, where it is in it."""
        return str(path.relative_to(self.root) if path.is_relative_to(self.root) else path)

    def passes(self, path: Path) -> str:
        """That it goes with the session, for who puts something there; "" where it stays."""
        if path.is_relative_to(self.root) or not any(path.is_relative_to(folder) for folder in self.passing):
            return ""
        return (
            " It is in the session's own temporary folder, which is gone when the session ends and which the user "
            "does not see as /tmp: what is to stay belongs in the workspace."
        )

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

    @staticmethod
    def _is_still(descriptor: int, path: Path) -> bool:
        try:
            return Path(f"/proc/self/fd/{descriptor}").readlink() == path
        except FileNotFoundError:
            return True  # no /proc: a system other than Linux


def _refuse_nul(given: str) -> None:
    if "\0" in given:
        raise OutsideWorkspace("A path cannot contain a NUL byte.")


def _real(given: str, path: Path) -> Path:
    """Also of a symlink whose target is missing, so that a dangling one that leads out is found."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError) as error:
        raise OutsideWorkspace(f"{given}: nobody can say where it leads ({error}). Name another path.") from error


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


def open_workspace(cwd: str, home: str, followed: Followed | None = None, *, protected: bool = True) -> Workspace:
    """home, where keys, rules and sessions are, is closed to tools. followed: what was hidden from commands."""
    root, hidden = Path(cwd).resolve(), (Path(home).resolve(),)
    own = own_code.closed(root) if protected else ()
    copied = worktree_places.folder_of(root, hidden[0]) is not None  # its note is not to be seen in a sandbox
    followed = followed or Followed()
    return Workspace(root, hidden=hidden, in_hidden=copied, followed=followed, protected=protected, own=own)
