"""Whether a deletion would lose anything of worth: what git tracks, what nobody knows, what cannot be made again.

Of no worth is what the session itself made, and what git ignores by rules that are older than the session, but for
files that are ignored because they are private or data. Whatever cannot be told is of worth. Nothing is run but git,
which only looks.
"""

import fnmatch
import os
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path

import msgspec
import trio

from actors.common.globs import TooLong, matches
from actors.confinement import git_folder
from actors.confinement.errors import ToolFailed
from actors.confinement.git_folder import Repository
from actors.tools.base import Worker
from actors.tools.git import git_runs
from actors.tools.workspace.folder import Workspace

MOST_ENTRIES = 50_000
"""Looked at for one call, and so long:"""
LOOKS_S = 3.0
MOST_TARGETS = 200
PATTERN = frozenset("*?[")
DEPENDENCIES = frozenset(
    ("node_modules", "bower_components", "site-packages", ".venv", "venv", ".tox", ".nox", "__pycache__", ".gradle")
)
"""Folders that a package manager or interpreter fills again, with other people's files of any name: taken whole."""
PRIVATE = (
    *(".env*", "*.env", ".npmrc", ".netrc", ".pypirc", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.kdbx", "id_*"),
    *("*credential*", "*secret*", "*.local", "*.local.*", "*.tfvars*", "*.tfstate*", ".vault*", ".htpasswd"),
    *("*.db", "*.db3", "*.sqlite*", "*.sql", "*.dump", "*.bak", "*.rdb", "*.mdb", "*.csv", "*.tsv", "*.xls*", "*.doc*"),
    *(
        "*.parquet",
        "*.feather",
        "*.npy",
        "*.npz",
        "*.h5",
        "*.hdf5",
        "*.pkl",
        "*.pt",
        "*.pth",
        "*.ckpt",
        "*.safetensors",
    ),
    *("*.gguf", "*.ipynb", "*.psd", "*.zip", "*.tar", "*.tgz", "*.tar.*", "*.code-workspace"),
)
"""Names of files that are ignored because they are secret, local or data, not because they can be made again."""
DATA = {
    *("data", "dataset", "datasets", "db", "uploads", "storage", "media", "backup", "backups", "secrets", "private"),
    *("notes", "models", "checkpoints", "volumes", "pgdata", ".idea", ".vscode", ".aws", ".ssh", ".terraform"),
}
"""The same of folders."""


class Found(msgspec.Struct):
    """The targets and all that is below them."""

    files: dict[Path, os.stat_result] = msgspec.field(default_factory=dict)
    """And folders that are taken whole."""
    folders: dict[Path, os.stat_result] = msgspec.field(default_factory=dict)


class Kept(Exception):
    """Why something must not go unasked, in words for people."""


async def why_kept(worker: Worker, paths: Sequence[str], since: float, moved_to: Sequence[str] = ()) -> str:
    """Why deleting these is asked about; "" where nothing of worth is lost.

    paths: absolute, with `*`, `?` and `**` for patterns. since: when the session began, in seconds since the epoch.
    moved_to: where something was moved by then.
    """
    try:
        found = await trio.to_thread.run_sync(_found, worker.workspace, paths)
        if moved_to:
            await trio.to_thread.run_sync(_check_moved, worker, found, frozenset(map(Path, moved_to)))
        if found.files:
            await _check(worker, found, since)
    except Kept as why:
        return str(why)
    except (ToolFailed, OSError) as error:
        return f"what is lost cannot be told: {error}"
    return ""


def _found(workspace: Workspace, paths: Sequence[str]) -> Found:
    """Without what goes with the session anyway. Raises Kept, OSError."""
    root = workspace.root
    lasting = [path for path in paths if not _passes(path, workspace)]
    targets = list(dict.fromkeys(target for path in lasting for target in _targets(root, path)))
    if len(targets) > MOST_TARGETS:
        raise Kept(f"it deletes more than {MOST_TARGETS} files or folders at once")
    found = Found()
    for target in targets:
        below = target.relative_to(root).parts if target.is_relative_to(root) else ()
        if not below or ".git" in below or ".trouper" in below:
            raise Kept(f"{_shown(target, root)} is more than a part of the workspace's files")
        for above in target.parents:
            if above != root and above.is_relative_to(root) and os.path.lexists(above / ".git"):
                raise Kept(f"{_shown(above, root)} is a repository of its own")
        for path, info in _walk(target):
            if path.name == ".git":
                raise Kept(f"{_shown(path.parent, root)} is a repository of its own")
            is_folder = stat.S_ISDIR(info.st_mode) and path.name not in DEPENDENCIES
            (found.folders if is_folder else found.files)[path] = info
            if len(found.files) + len(found.folders) > MOST_ENTRIES:
                raise Kept(f"it deletes more than {MOST_ENTRIES} files")
    return found


def _passes(path: str, workspace: Workspace) -> bool:
    """With the session, and nothing else is reached there: it is named, and no link leads out of it. Raises Kept."""
    if PATTERN & set(path) or not workspace.passes(Path(path)) or not os.path.lexists(path):
        return False
    for each, info in _walk(Path(path)):
        is_looked_into = each.name not in (".git", *DEPENDENCIES)
        if not is_looked_into or (stat.S_ISLNK(info.st_mode) and not workspace.passes(Path(os.path.realpath(each)))):
            return False
    return bool(workspace.passes(Path(os.path.realpath(path))))


def _known(path: str) -> Path:
    """The folder in front of a pattern, else all of it."""
    return Path(*takewhile(lambda part: not PATTERN & set(part), Path(path).parts))


def _targets(root: Path, path: str) -> Iterator[Path]:
    """What there is of it."""
    if not PATTERN & set(path):
        yield from [Path(path)] if os.path.lexists(path) else []
        return
    known = _known(path)
    if not known.is_relative_to(root):
        raise Kept(f"{path} is outside the workspace")
    for at, (below, _) in enumerate(_walk(known)):
        if at > MOST_ENTRIES:
            raise Kept(f"{path} could be any of more than {MOST_ENTRIES} files")
        if below != known and _is_named(path, below, root):
            yield below


def _is_named(pattern: str, path: Path, root: Path) -> bool:
    try:
        return matches(pattern, path, root)
    except TooLong as error:
        raise Kept(f"nobody can tell which files {pattern} names") from error


def _walk(path: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """It and all below it. Neither symlinks, nor `.git`, nor folders that are taken whole are gone into."""
    until = time.monotonic() + LOOKS_S
    waiting = [path] if os.path.lexists(path) else []
    while waiting:
        path = waiting.pop()
        info = path.lstat()
        yield path, info
        if stat.S_ISDIR(info.st_mode) and path.name not in (".git", *DEPENDENCIES):
            waiting += [path / name for name in os.listdir(path)]  # noqa: PTH208  # names alone, thousands of them
        if time.monotonic() > until:
            raise Kept("looking through what it deletes takes too long")


def _check_moved(worker: Worker, found: Found, moved_to: frozenset[Path]) -> None:
    """No time says what was in a folder that was moved, and in one that is taken whole nobody looks. Raises Kept."""
    root, made = worker.workspace.root, worker.workspace.made
    above = {folder for place in moved_to for folder in (place, *place.parents)}
    for path, info in found.files.items():
        into_whole = stat.S_ISDIR(info.st_mode) and path in above
        below = path in moved_to or not moved_to.isdisjoint(path.parents)
        if into_whole or (below and not made.has(path, info)):
            raise Kept(f"in this session something was moved to where {_shown(path, root)} is")


async def _check(worker: Worker, found: Found, since: float) -> None:
    """Raises Kept, ToolFailed, OSError."""
    root = worker.workspace.root
    strange = {path: info for path, info in found.files.items() if not worker.workspace.made.has(path, info)}
    try:
        repository = git_folder.find(root)
    except ToolFailed:
        _refuse_all(strange, root)
        return
    for status, path in await _not_ignored(worker, repository, found):
        if status != "?":
            raise Kept(f"{_shown(path, root)} is tracked by git")
        if not worker.workspace.made.has(path, path.lstat()):
            raise Kept(f"{_shown(path, root)} is not in git, and this session did not make it")
    await trio.to_thread.run_sync(_check_ignored, found, strange, repository, since, root)


def _refuse_all(strange: Iterable[Path], root: Path) -> None:
    for path in strange:
        raise Kept(f"{_shown(path, root)} was there before this session, and there is no repository")


async def _not_ignored(worker: Worker, repository: Repository, found: Found) -> list[tuple[str, Path]]:
    """Files of these that git tracks (H and other letters) or neither tracks nor ignores (?)."""
    tops = [path for path in (*found.files, *found.folders) if path.parent not in found.folders]
    wanted = [word for top in tops for word in git_runs.pathspec(top, repository)]
    listed = await git_runs.list_files(worker, repository, wanted)
    entries = [os.fsdecode(entry) for entry in listed.split(b"\0") if entry]
    return [(entry[0], repository.top / entry[2:]) for entry in entries]


def _check_ignored(
    found: Found, strange: dict[Path, os.stat_result], repository: Repository, since: float, root: Path
) -> None:
    """Files that git ignores and the session did not make. Raises Kept, OSError."""
    _check_rules(strange, repository, since, root)
    for path in strange:
        below = path.relative_to(repository.top).parts
        if DEPENDENCIES & set(below[:-1]):
            continue
        name = path.name.casefold()
        if any(fnmatch.fnmatchcase(name, each) for each in PRIVATE) or DATA & {part.casefold() for part in below[:-1]}:
            raise Kept(f"{_shown(path, root)} is ignored by git, but it may be data or a secret")
    for path, info in (*strange.items(), *found.folders.items()):
        alone = stat.S_ISDIR(info.st_mode) or info.st_nlink == 1
        if alone and info.st_mtime < since <= info.st_ctime:
            raise Kept(f"{_shown(path, root)} was moved there, or changed otherwise, since this session began")


def _check_rules(strange: Iterable[Path], repository: Repository, since: float, root: Path) -> None:
    """Rules that appeared or changed since the session began may be its own. No command can set a ctime."""
    folders = {above for path in strange for above in path.parents if above.is_relative_to(repository.top)}
    rules = [repository.folder / "info" / "exclude", *(folder / ".gitignore" for folder in sorted(folders))]
    for rule in rules if folders else ():
        if os.path.lexists(rule) and (rule.is_symlink() or rule.lstat().st_ctime >= since):
            raise Kept(f"{_shown(rule, root)}, by which git ignores it, was changed since this session began")


def _shown(path: Path, root: Path) -> str:
    return str(path.relative_to(root) if path.is_relative_to(root) else path)
