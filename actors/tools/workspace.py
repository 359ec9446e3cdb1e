"""The folder tools stay inside: where a path leads, and whether a file changed since it was read."""

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from actors.tools.errors import OutsideWorkspace

PROTECTED = (".git/hooks", ".git/config", ".trouper")
"""Files that run commands or loosen rules; the tools do not write them."""


Stamp = tuple[int, int, int]


def _stamp(info: os.stat_result) -> Stamp:
    return (info.st_ino, info.st_size, info.st_mtime_ns)


@dataclass(frozen=True)
class Workspace:
    root: Path
    """Absolute, symlinks resolved."""
    hidden: tuple[Path, ...] = ()
    """Not readable even inside; absolute, symlinks resolved."""
    _seen: dict[Path, Stamp] = field(default_factory=dict)

    def locate(self, given: str) -> Path:
        """Where a path really leads, symlinks and `..` resolved; it need not exist. Raises OutsideWorkspace."""
        if "\0" in given:
            raise OutsideWorkspace("A path cannot contain a NUL byte.")
        # realpath also follows a symlink whose target is missing, so a dangling one that leads out is found
        target = Path(os.path.realpath(self.root / Path(given).expanduser()))
        if not target.is_relative_to(self.root):
            led = "" if str(target) == given else f" (it leads to {target})"
            raise OutsideWorkspace(f"{given} is outside the workspace {self.root}{led}. Use a path inside it.")
        for hidden in self.hidden:
            if target.is_relative_to(hidden):
                raise OutsideWorkspace(f"{given} belongs to Trouper itself and is closed to tools.")
        return target

    def locate_for_writing(self, given: str) -> Path:
        """Raises OutsideWorkspace."""
        target = self.locate(given)
        for name in PROTECTED:
            if target.is_relative_to(self.root / name):
                raise OutsideWorkspace(f"{given} is protected: {name} is not written by tools. Ask the user to do it.")
        return target

    def shown(self, path: Path) -> str:
        """Relative to the workspace."""
        return str(path.relative_to(self.root))

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


def open_workspace(cwd: str, home: str) -> Workspace:
    """home, where keys, rules and sessions are, is closed to tools."""
    return Workspace(Path(cwd).resolve(), hidden=(Path(home).resolve(),))
