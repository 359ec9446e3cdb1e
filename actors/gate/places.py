"""Where a path leads, and the places that are closed to tools whatever the rules say."""

import os
import pwd
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

from actors.gate.decision import Context
from actors.globs import folded
from actors.secrets import SECRETS, SYSTEM_SECRETS

Access = Literal["read", "write"]
RUNS_COMMANDS = {"hooks", "config", "config.worktree", "commondir"}
"""Of a repository: what they say is run by whoever uses git there."""
REPOSITORY = ("HEAD", "objects", "refs")
"""What git takes a folder with these for, whatever its name."""
DEVICES = tuple(map(Path, ("/dev", "/proc", "/sys")))


@dataclass(frozen=True)
class Place:
    """A path that a call names."""

    given: str
    plain: Path
    """Absolute, `..` taken out as it is written, symlinks not resolved."""
    real: Path
    """Where it leads; it need not exist."""
    entry: Path
    """The name itself, in a folder whose symlinks are resolved: other than `real` where it is a symlink."""

    @cached_property
    def ways(self) -> tuple[Path, ...]:
        """However one looks at it."""
        return tuple({self.real, self.entry, self.plain})

    @property
    def is_folder(self) -> bool:
        return os.path.isdir(self.real)  # noqa: PTH112  # a Path raises for a name that is too long

    def is_inside(self, folder: Path) -> bool:
        return self.real.is_relative_to(folder) and self.entry.is_relative_to(folder)


def locate(given: str, base: Path) -> Place:
    """base: absolute, resolved. A NUL byte is left out: `closed` says it."""
    path = base / os.path.expanduser(given.replace("\0", ""))  # noqa: PTH111  # a Path refuses ~nobody
    real = Path(os.path.realpath(path))
    entry = real if path.name in ("", "..") else Path(os.path.realpath(path.parent)) / path.name
    return Place(given, Path(os.path.normpath(path)), real, entry)


def closed(place: Place, access: Access, context: Context) -> str:
    """Why nobody may; "" where rules decide."""
    if "\0" in place.given:
        return "a path cannot contain a NUL byte"
    for path in place.ways:
        parts = folded(path)
        if _begins(parts, folded(context.home)):
            return f"{place.given} belongs to Trouper itself"
        if any(_begins(parts, secret) for secret in _folded_secrets(_home())):
            return f"{place.given} is one of the usual places of credentials"
        if access == "write" and (why := _unwritable(path)):
            return f"{place.given}: {why}"
    return ""


def holds_closed(place: Place, context: Context) -> str:
    """Why what is at this place is not moved or deleted as a whole; "" where rules decide."""
    parts = folded(place.real)
    for within in (context.home, context.workspace / ".git", context.workspace / ".trouper", *_secrets(_home())):
        if folded(within) != parts and _begins(folded(within), parts):
            return f"{place.given} holds {within}, which tools do not change"
    return ""


def secrets_below(folder: Path) -> tuple[str, ...]:
    """As patterns."""
    return tuple(f"{secret}/**" for secret in _secrets(_home()) if _begins(folded(secret), folded(folder)))


def _unwritable(path: Path) -> str:
    if any(path.is_relative_to(devices) for devices in DEVICES):
        return "devices and the kernel's files are not written"
    parts = folded(path)
    if ".trouper" in parts:
        return "permissions and hooks are in .trouper; only the user changes them"
    below = parts[parts.index(".git") + 1 :] if ".git" in parts else None
    if below == () or RUNS_COMMANDS & set(below or ()) or _is_run_by_git(path):
        return "it decides what git runs; only the user changes it"
    return ""


def _is_run_by_git(path: Path) -> bool:
    """In a repository that is not called .git."""
    folders = [folder.parent for folder in (path, path.parent) if folder.name.casefold() in RUNS_COMMANDS]
    return any(all(os.path.lexists(folder / name) for name in REPOSITORY) for folder in folders)


def _begins(parts: tuple[str, ...], start: tuple[str, ...]) -> bool:
    return parts[: len(start)] == start


def _home() -> str:
    return str(Path.home())


@lru_cache(maxsize=8)
def _secrets(home: str) -> tuple[Path, ...]:
    """As they are named, and where they lead."""
    homes = {home, pwd.getpwuid(os.getuid()).pw_dir}
    named = [*(Path(each, name) for each in sorted(homes) for name in SECRETS), *map(Path, SYSTEM_SECRETS)]
    return tuple(dict.fromkeys(path for each in named for path in (each, Path(os.path.realpath(each)))))


@lru_cache(maxsize=8)
def _folded_secrets(home: str) -> tuple[tuple[str, ...], ...]:
    return tuple(folded(secret) for secret in _secrets(home))
