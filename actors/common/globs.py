"""Patterns of paths, as in Read(src/**): `*` and `?` stay in one segment, `**` is any number of them, hidden ones too.

A relative pattern begins at a root, `~` is the home folder; `p/**` and `p/` are p and all below it; all else, brackets
too, is just what it says. Nothing here looks at the disk.
"""

import fnmatch
import os
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

ANY_DEPTH = "**"
MOST_STEPS = 10_000
"""Of one path that is compared with one pattern: no rule and no path of people's come near it."""
WILD_STEPS = 100
"""What a segment with wildcards takes the first time."""


class TooLong(Exception):
    """All steps are taken."""


def mistake(pattern: str) -> str:
    """What is wrong with it; "" for nothing."""
    if any(ANY_DEPTH in segment and segment != ANY_DEPTH for segment in pattern.split("/")):
        return 'in a pattern "**" stands alone between slashes: write src/**/*.py, not src/**.py'
    return "a pattern cannot contain a NUL byte" if "\0" in pattern else ""


def matches(pattern: str, path: Path, root: Path) -> bool:
    """path is absolute and has no `..`. Raises TooLong."""
    return fits(_segments(pattern, str(root)), path.parts)


def covers(pattern: str, path: Path, root: Path) -> bool:
    """It matches, in whatever case, the path or a folder above it: for who wants to be sure that nothing slips by.

    What takes too many steps counts as covered; likewise below.
    """
    try:
        *_, reached = _reached(_segments(pattern, str(root), folded=True), folded(path))
    except TooLong:
        return True
    return bool(reached)


def may_match_below(pattern: str, path: Path, root: Path) -> bool:
    """There can be something in this folder that it matches."""
    segments, parts = _segments(pattern, str(root), folded=True), folded(path)
    try:
        return any(len(parts) in reached for reached in _reached(segments, parts))
    except TooLong:
        return True


def may_be_in(pattern: str, folder: Path, root: Path) -> bool:
    """It may be about the folder, or about something in it."""
    return covers(pattern, folder, root) or may_match_below(pattern, folder, root)


def fits(segments: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """The same for what is in its segments already; brackets mean what they mean to fnmatch. Raises TooLong."""
    *_, reached = _reached(segments, parts)
    return len(parts) in reached


def is_literal(pattern: str) -> bool:
    return not set("*?") & set(pattern)


@lru_cache(maxsize=4096)
def folded(path: Path) -> tuple[str, ...]:
    """Its parts for who makes no difference of case or of the way letters are composed, as some file systems do."""
    return tuple(map(_folded, path.parts))


def folded_text(path: str) -> tuple[str, ...]:
    """The same of a path that is no Path yet: it is normal."""
    names = path.lstrip("/")
    root = path[: len(path) - len(names)]
    return tuple(part for part in (root, *_folded(names).split("/")) if part)


def _folded(part: str) -> str:
    """Letters with accents may also be written in two characters each, and some file systems take both for one name."""
    return part.casefold() if part.isascii() else unicodedata.normalize("NFC", part.casefold())


def _reached(segments: tuple[str, ...], parts: tuple[str, ...]) -> Iterator[set[int]]:
    """How many parts of the path none of the segments can match, the first one, the first two, and so on.

    Ends where they can match no more. Raises TooLong.
    """
    reached, steps = {0}, 0
    yield reached
    for segment in segments:
        steps += len(reached) + WILD_STEPS * _is_wild(segment)
        if steps > MOST_STEPS:
            raise TooLong
        if segment == ANY_DEPTH:
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(parts) and _is_like(parts[at], segment)}
        yield reached
        if not reached:
            break


def _is_like(part: str, segment: str) -> bool:
    return fnmatch.fnmatchcase(part, segment) if _is_wild(segment) else part == segment


def _is_wild(segment: str) -> bool:
    return not {"*", "?", "["}.isdisjoint(segment)


@lru_cache(maxsize=4096)
def _segments(pattern: str, root: str, *, folded: bool = False) -> tuple[str, ...]:
    """As fnmatch reads them, to whom a bracket says something, too."""
    below = "/**" if pattern.endswith("/") and pattern.strip("/") else ""
    given = os.path.expanduser(pattern).replace("[", "[[]") + below  # noqa: PTH111  # a Path would lose its end
    whole = given if given.startswith("/") else re.sub(r"([*?[])", r"[\1]", root) + f"/{given}"
    parts = Path(os.path.normpath(re.sub("^/+", "/", whole))).parts
    return tuple(map(_folded, parts)) if folded else parts
