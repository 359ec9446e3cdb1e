"""What is on the disk now behind a pattern of the shell, or below a folder: only what a symlink leads to.

All else is where its name says. What there is too much of raises TooLong.
"""

import fnmatch
import os
from collections.abc import Iterator
from pathlib import Path

from actors.gate.bash.language.surroundings import Steps

PATTERN = frozenset("*?[")


def linked(path: str, base: Path, steps: Steps) -> tuple[str, ...]:
    """What a pattern names now by way of symlinks; hidden files as the shell finds them. Absolute."""
    segments = (base / os.path.expanduser(path)).parts  # noqa: PTH111  # a Path refuses ~nobody
    first = next((at for at, segment in enumerate(segments) if PATTERN & set(segment)), len(segments))
    found = [(os.path.join(*segments[:first]), False)]  # noqa: PTH118  # Path would be slow
    for at in range(first, len(segments)):
        found = [one for folder, led in found for one in _matching(folder, segments[at], led, steps)]
    return tuple(path for path, led in found if led)


def without_brackets(path: Path) -> str:
    """As a pattern for `globs`: what is in brackets may be anything."""
    return str(Path(*("*" if "[" in segment else segment for segment in path.parts)))


def links_below(folder: Path, workspace: Path, steps: Steps) -> Iterator[str]:
    """All symlinks in it and in the folders of the workspace that these lead to."""
    waiting, seen = [str(folder)], set[str]()
    while waiting:
        at = os.path.realpath(waiting.pop())
        if at in seen or not Path(at).is_relative_to(workspace):
            continue
        seen.add(at)
        for entry in _entries(at, steps):
            if entry.is_symlink():
                yield entry.path
            if _is_folder(entry):
                waiting.append(entry.path)


def _matching(folder: str, segment: str, led: bool, steps: Steps) -> Iterator[tuple[str, bool]]:
    if not PATTERN & set(segment):
        path = os.path.join(folder, segment)  # noqa: PTH118
        yield path, led or os.path.islink(path)  # noqa: PTH114
        return
    for entry in _entries(folder, steps):
        if not _is_like(entry.name, segment):
            continue
        yield entry.path, led or entry.is_symlink()
        if segment == "**" and _is_folder(entry):
            yield from _matching(entry.path, segment, led or entry.is_symlink(), steps)


def _is_like(name: str, segment: str) -> bool:
    """What is in brackets may be anything: shells have more to say in them than we read."""
    if name.startswith(".") and not segment.startswith((".", "[", "?")):
        return False
    return "[" in segment or fnmatch.fnmatchcase(name, segment)


def _entries(folder: str, steps: Steps) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                steps.take()
                yield entry
    except (OSError, ValueError):
        return  # nobody else can look there either


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
