"""Which repository git would find from a folder: the one that the workspace is in, or another; and where it looks."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

from actors.common.lean.late_patterns import late_pattern
from actors.common.small_files import read_regular
from actors.gate.bash.language.name_lists import names
from actors.gate.decision import Context
from actors.gate.subjects.command_words import ELSEWHERE, UNKNOWN, plain
from actors.gate.subjects.places import LONGEST, locate
from actors.gate.subjects.subject import Command

FLAGS = names(
    "-u --set-upstream --tags --all -a -q --quiet -v --verbose --no-verify -f --force --force-with-lease --follow-tags "
    "--atomic -n --dry-run --rebase --ff-only --no-rebase --prune -p --progress"
)
"""Options of git that take no other word: what follows is a remote, and then come branches."""
OF_LFS = rb"\w+[^\S\n]*+=[^\S\n]*+\"?git-lfs (?:clean -- %f|filter-process)\"?[^\S\n]*+$"
NAMES_PROGRAMS = late_pattern(
    rb"(?:^|\])[^\S\n]*+(?!" + OF_LFS + rb")(?:external|command|textconv|clean|process)\b|\[\s*+include",
    re.IGNORECASE | re.MULTILINE,
)
"""In a file of git's settings: what it shows differences or reads files with, but for git-lfs; or more such files."""
MOST_SETTINGS = 65_536
"""Bytes of them."""


def is_of_workspace(folder: str | None, context: Context) -> bool:
    """folder: of a command, as it is written, relative to the workspace; None: nobody knows which.

    One that is not there yet may become anything.
    """
    if folder is None:
        return False
    real = locate(folder, context.workspace).real
    found = _found(real)
    return real.is_dir() and found == _found(context.workspace) and (found is None or found.name == ".git")


def names_programs(context: Context) -> bool:
    """Whether the settings of the workspace's own repository have git run programs while it looks."""
    found = _found(context.workspace)
    if found is None:
        return False
    folder = found if found.name == ".git" and found.is_dir() else _said(found, "gitdir:", found.parent)
    common = _said(folder / "commondir", "", folder)
    return any(_names_programs(file) for file in (common / "config", folder / "config.worktree"))


def _said(file: Path, before: str, otherwise: Path) -> Path:
    """The folder that a file of git's names."""
    try:
        line = os.fsdecode(read_regular(file, LONGEST)).partition("\n")[0].replace("\0", "")
    except OSError:
        return otherwise
    return file.parent / line.removeprefix(before).strip() if line.startswith(before) else otherwise


def _names_programs(file: Path) -> bool:
    try:
        text = read_regular(file, MOST_SETTINGS)
    except OSError:
        return os.path.lexists(file)
    return len(text) == MOST_SETTINGS or bool(NAMES_PROGRAMS.search(text))


def top_of_repository(context: Context) -> Path:
    """Of the files that the objects of the workspace's repository are about."""
    found = _found(context.workspace)
    return found.parent if found else context.workspace


def _found(folder: Path) -> Path | None:
    """Where git finds one: a folder with .git, or with the HEAD of a bare one, which is that."""
    entries = (above / name for above in (folder, *folder.parents) for name in (".git", "HEAD"))
    return next((entry for entry in entries if os.path.lexists(entry)), None)


def looked_into(commands: Iterable[Command], context: Context) -> tuple[tuple[str, ...], bool]:
    """Absolute folders in which a git of these may look for a repository; and whether it may be any other."""
    found: list[str] = []
    anywhere = False
    for command in commands:
        found += [str(place.real) for place in (*command.reads, *command.writes) if place.is_folder]
        starts = command.part.repositories
        words = plain(command.part.text) if starts else []
        anywhere = anywhere or None in starts or (command.part.network and not _says_where(words))
        for start in (start for start in starts if start is not None):
            folder = locate(start, context.workspace).real
            found += [str(folder), *(str(place) for word in words for place in _named(word, folder))]
    return tuple(dict.fromkeys(found)), anywhere


def _named(word: str, folder: Path) -> Iterator[Path]:
    """Where git takes a word for a repository on this machine."""
    path = unquote(word.removeprefix("file://")) if word.startswith("file://") else word.rpartition("=")[2]
    for end in ("", ".git"):
        real = Path(os.path.realpath(folder / (path.replace("\0", "") + end)))
        if path and real.is_dir():
            yield real


def _says_where(words: Sequence[str]) -> bool:
    """No word that nobody knows stands where it may be a remote."""
    rest = [word for word in words if word not in FLAGS]
    unknown = next((at for at, word in enumerate(rest) if word == ELSEWHERE or UNKNOWN & set(word)), None)
    return unknown is None or (unknown > 2 and not any(word.startswith("-") for word in rest[:unknown]))
