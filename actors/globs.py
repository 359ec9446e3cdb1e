"""Patterns of paths, as in Read(src/**): `*` and `?` stay in one segment, `**` is any number of them, hidden ones too.

A relative pattern begins at a root, `~` is the home folder; `p/**` and `p/` are p and all below it; all else, brackets
too, is just what it says. Nothing here looks at the disk.
"""

import fnmatch
import os
import re
from functools import lru_cache
from pathlib import Path

ANY_DEPTH = "**"


def mistake(pattern: str) -> str:
    """What is wrong with it; "" for nothing."""
    if any(ANY_DEPTH in segment and segment != ANY_DEPTH for segment in pattern.split("/")):
        return 'in a pattern "**" stands alone between slashes: write src/**/*.py, not src/**.py'
    return "a pattern cannot contain a NUL byte" if "\0" in pattern else ""


def matches(pattern: str, path: Path, root: Path) -> bool:
    """path is absolute and has no `..`."""
    return len(path.parts) in _reached(_segments(pattern, str(root)), path.parts)


def covers(pattern: str, path: Path, root: Path) -> bool:
    """It matches, in whatever case, the path or a folder above it: for who wants to be sure that nothing slips by."""
    return bool(_reached(_segments(pattern, str(root), folded=True), folded(path)))


def may_match_below(pattern: str, path: Path, root: Path) -> bool:
    """There can be something in this folder that it matches."""
    segments, parts = _segments(pattern, str(root), folded=True), folded(path)
    return any(len(parts) in _reached(segments[:count], parts) for count in range(len(segments) + 1))


def fits(segments: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """The same for what is in its segments already; brackets mean what they mean to fnmatch."""
    return len(parts) in _reached(segments, parts)


def is_literal(pattern: str) -> bool:
    return not set("*?") & set(pattern)


@lru_cache(maxsize=4096)
def folded(path: Path) -> tuple[str, ...]:
    """Its parts for who makes no difference of case, as some file systems do."""
    return tuple(part.casefold() for part in path.parts)


def _reached(segments: tuple[str, ...], parts: tuple[str, ...]) -> set[int]:
    """How many parts of the path all of the segments together can match."""
    reached = {0}
    for segment in segments:
        if not reached:
            break
        if segment == ANY_DEPTH:
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(parts) and _is_like(parts[at], segment)}
    return reached


def _is_like(part: str, segment: str) -> bool:
    return fnmatch.fnmatchcase(part, segment) if set("*?[") & set(segment) else part == segment


@lru_cache(maxsize=4096)
def _segments(pattern: str, root: str, *, folded: bool = False) -> tuple[str, ...]:
    """As fnmatch reads them, to whom a bracket says something, too."""
    below = "/**" if pattern.endswith("/") and pattern.strip("/") else ""
    given = os.path.expanduser(pattern).replace("[", "[[]") + below  # noqa: PTH111  # a Path would lose its end
    whole = given if given.startswith("/") else re.sub(r"([*?[])", r"[\1]", root) + f"/{given}"
    parts = Path(os.path.normpath(re.sub("^/+", "/", whole))).parts
    return tuple(part.casefold() for part in parts) if folded else parts
