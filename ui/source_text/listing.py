"""The names of the files in a folder that ignore files leave, by ripgrep, which follows no symlink.

Ripgrep reads ignore files as they are: of a pipe it would wait for a writer, of a device it would see no end. So these
are looked at before, by their kind and size.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from actors.common import installed_programs
from actors.confinement.sandbox import environment
from ui.common.harmless import exposed_line
from ui.source_text.looking_git import GitFailed, LookingGit, TooMuch, read
from ui.source_text.source_file import CannotCollect

OPTIONS = (
    *("--files", "--no-config", "--hidden", "--null", "--no-require-git", "--no-messages", "--no-follow"),
    "--color=never",
    *(f"--glob=!{name}" for name in (".git", ".hg", ".svn", ".jj", ".bzr", "node_modules", "__pycache__", ".venv")),
)
"""The last are never what somebody wrote here, also where no ignore file says so."""
IGNORE_FILES = frozenset((".gitignore", ".ignore", ".rgignore"))
OF_GIT = ".git/info/exclude"
MOST_OF_IGNORE_FILE = 1024 * 1024
"""Bytes."""
MOST_BYTES = 32 * 1024 * 1024
"""Of all names."""
WITHIN_S = 120.0
INDEX_S = 10.0
"""For git's index: what is not known by then is not counted."""
NONE_OR_NOT_ALL = (0, 1, 2)
"""Exit codes of ripgrep: also where there are no files, and where a folder is closed to us."""


def names(root: Path, below: Sequence[str]) -> set[bytes]:
    """Relative to the root. below: relative, too; none: all. Raises CannotCollect."""
    rg = installed_programs.ripgrep(root)
    if not rg:
        raise CannotCollect("ripgrep (rg) is missing, by which files are found. Reinstall Trouper.")
    for path in _ignore_files(root):
        _check(path)
    argv = [rg, *OPTIONS, "--", *(f"./{each}" for each in below or ("",))]
    try:
        here = environment.for_commands(os.environ)
        listed = read(argv, root, here, most=MOST_BYTES, within_s=WITHIN_S, fine=NONE_OR_NOT_ALL)
    except TooMuch as error:
        raise CannotCollect(f"There are too many files in {root}. Name a folder of it.") from error
    except GitFailed as error:
        raise CannotCollect(f"The files of {root} cannot be listed: {error}") from error
    return {name.removeprefix(b"./") for name in listed.split(b"\0") if name}


def tracked(root: Path, below: Sequence[str]) -> set[bytes]:
    """What git has in its index, in the same form; nothing where there is no git."""
    try:
        git = LookingGit(root)
        wanted = [(root / each).relative_to(git.top).as_posix() for each in below or ("",)]
        pathspecs = [] if "." in wanted else [f":(top,literal){each}" for each in wanted]
        listed = git.run("ls-files", "-z", "--full-name", "--", *pathspecs, most=MOST_BYTES, within_s=INDEX_S)
    except GitFailed:
        return set()
    prefix = b"" if root == git.top else os.fsencode(root.relative_to(git.top)) + b"/"
    return {name.removeprefix(prefix) for name in listed.split(b"\0") if name}


def _ignore_files(root: Path) -> Iterator[str]:
    """All that may be read for a folder, also above it, where it may be a folder of a repository."""
    for above in (root, *root.parents):
        yield from (f"{above}/{name}" for name in (*IGNORE_FILES, OF_GIT))
    waiting = [str(root)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.name in IGNORE_FILES:
                        yield entry.path
                    elif entry.name == ".git":
                        yield f"{entry.path}/info/exclude"
                    elif entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:
            continue  # closed to us, and so to ripgrep; or its path is longer than the system takes


def _check(path: str) -> None:
    """Raises CannotCollect."""
    try:
        found = os.stat(path)  # noqa: PTH116  # a Path of each takes as long as all else
    except OSError:
        return  # it is not there, or leads nowhere
    is_file = stat.S_ISREG(found.st_mode)
    if stat.S_ISDIR(found.st_mode) or (is_file and found.st_size <= MOST_OF_IGNORE_FILE):
        return
    why = "is longer than 1 MB" if is_file else "is a device or a pipe"
    raise CannotCollect(f"{exposed_line(path)} {why}, so what it wants ignored is not known. Remove it.")
