"""Where a path leads, and the places that are closed to tools whatever the rules say."""

import os
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

from actors.common.folders import worktree_places
from actors.common.globs import folded, folded_text
from actors.gate.decision import Context
from actors.gate.subjects.command_words import cut
from actors.settings import credential_files

Access = Literal["read", "write"]
RUNS_COMMANDS = {"hooks", "config", "config.worktree", "commondir"}
"""Of a repository: what they say is run by whoever uses git there."""
REPOSITORY = ("HEAD", "objects", "refs")
"""What git takes a folder with these for, whatever its name."""
LONGEST = 4096
"""Of a path, in bytes and with its end: PATH_MAX of Linux; macOS has 1024."""
DEVICES = (("/", "dev"), ("/", "proc"), ("/", "sys"))


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
    lost: str = ""
    """Why nobody can say where it leads; "" where it is known."""

    @cached_property
    def ways(self) -> tuple[Path, ...]:
        """However one looks at it."""
        return tuple({self.real, self.entry, self.plain})

    @property
    def shown(self) -> str:
        return cut(self.given)

    @property
    def is_folder(self) -> bool:
        return os.path.isdir(self.real)  # noqa: PTH112  # a Path raises for a name that is too long

    def is_inside(self, folder: Path) -> bool:
        return self.real.is_relative_to(folder) and self.entry.is_relative_to(folder)


@lru_cache(maxsize=4096)
def locate(given: str, base: Path) -> Place:
    """base: absolute, resolved. Looked up once for all that is asked about a call, see `judge`.

    What cannot be followed, as a link in /proc of another user's, is closed.
    """
    written = given[:LONGEST].replace("\0", "")
    plain = Path(os.path.normpath(base / written))
    if "\0" in given or len(given) > LONGEST:
        why = "it is longer than any path" if len(given) > LONGEST else "a path cannot contain a NUL byte"
        return Place(given, plain, plain, plain, why)
    try:
        path = base / os.path.expanduser(written)  # noqa: PTH111  # a Path refuses ~nobody
        real = Path(os.path.realpath(path))
        entry = real if path.name in ("", "..") else Path(os.path.realpath(path.parent)) / path.name
    except (OSError, ValueError, RuntimeError) as error:
        return Place(given, plain, plain, plain, f"nobody can say where it leads: {_reason(error)}")
    return Place(given, Path(os.path.normpath(path)), real, entry)


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or "it is no path"


def closed(place: Place, access: Access, context: Context) -> str:
    """Why nobody may; "" where rules decide."""
    if place.lost:
        return f"{place.shown}: {place.lost}"
    for path in place.ways:
        parts = folded(path)
        if _begins(parts, folded(context.home)) and not _is_in_copy(parts, context):
            return f"{place.shown} belongs to Trouper itself"
        if any(parts[:count] in of_length for count, of_length in _folded_secrets(_home(), context.workspace).items()):
            return (
                f"{place.shown} is one of the usual places of credentials, which no tool and no command names; "
                "a program that needs it can ask to run with unsandboxed=true"
            )
        if access == "write" and (why := _unwritable(path)):
            return f"{place.shown}: {why}"
    return ""


def _is_in_copy(parts: tuple[str, ...], context: Context) -> bool:
    """Of a repository, made to work in."""
    is_copy = worktree_places.folder_of(context.workspace, context.home) is not None
    return is_copy and _begins(parts, folded(context.workspace))


def holds_closed(place: Place, context: Context) -> str:
    """Why what is at this place is not moved or deleted as a whole; "" where rules decide."""
    parts = folded(place.real)
    workspace = context.workspace
    own = {str(path): folded(path) for path in (context.home, workspace / ".git", workspace / ".trouper")}
    for within, inner in (*own.items(), *_secrets(_home(), workspace).items()):
        if inner != parts and _begins(inner, parts):
            return f"{place.shown} holds {within}, which tools do not change"
    return ""


def secrets_below(folder: Path, context: Context) -> tuple[str, ...]:
    """As patterns."""
    if folded(folder) not in _above_secrets(_home(), context.workspace):
        return ()  # as almost every file
    secrets = _secrets(_home(), context.workspace).items()
    below = (secret for secret, parts in secrets if _begins(parts, folded(folder)))
    return tuple(f"{secret}/**" for secret in below if os.path.lexists(secret))


def _unwritable(path: Path) -> str:
    if path.parts[:2] in DEVICES:
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
    return os.path.expanduser("~")  # noqa: PTH111  # Path.home takes long, and this is asked about each place


@lru_cache(maxsize=8)
def _secrets(_home: str, workspace: Path) -> dict[str, tuple[str, ...]]:
    """As they are named, and where they and symlinks in them lead, each with its parts, folded."""
    leads = credential_files.leads()
    both = (path for lead in leads for path in (lead.named, lead.real))
    folders = (Path(lead.named) for lead in leads if lead.may_be_folder)
    linked = map(str, credential_files.linked(folders, workspace))
    return {path: folded_text(path) for path in dict.fromkeys((*both, *linked))}


@lru_cache(maxsize=8)
def _above_secrets(home: str, workspace: Path) -> set[tuple[str, ...]]:
    """The folders that they lie in, up to the root, and they themselves."""
    secrets = _secrets(home, workspace).values()
    return {secret[:count] for secret in secrets for count in range(len(secret) + 1)}


@lru_cache(maxsize=8)
def _folded_secrets(home: str, workspace: Path) -> dict[int, set[tuple[str, ...]]]:
    """By how many parts they have."""
    found: dict[int, set[tuple[str, ...]]] = {}
    for secret in _secrets(home, workspace).values():
        found.setdefault(len(secret), set()).add(secret)
    return found
