"""One text in a file, read for the model: a regular file, inside its bounds, hidden by no rule, cut where it is long.

A link is followed only where what it leads to may be read itself. See DECISIONS: what the model is told from files.
"""

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import msgspec

from actors.common.globs import covers
from actors.common.small_files import read_regular
from actors.settings import credential_files
from actors.settings.permissions import RuleLine, parse

MOST = 64 * 1024
"""Bytes of one file."""
CUT = "\n(cut off here)"
SUFFIXES = frozenset((".md", ".mdc", ".mdx", ".markdown", ".txt", ".rst", ".adoc"))
"""Of files that are written to be read by anybody: what a text may include, so that no line of one can fetch a key."""


class Refused(Exception):
    """It may not be read; in words that say why, without what is in it."""


class Bounds(msgspec.Struct, frozen=True):
    """What may be read of one source of texts."""

    workspace: Path
    """Patterns of rules are relative to it."""
    folder: Path | None
    """Nothing outside it; None: anywhere, for the user's own words."""
    hidden: tuple[str, ...] = ()
    """Patterns of what may not be read unasked."""
    owners: frozenset[int] | None = None
    """Whose files count; None: anybody's."""
    closed: bool = True
    """Places of credentials are; but not in the user's own words, where the folder says it all."""


def hidden_by(rules: Iterable[RuleLine]) -> tuple[str, ...]:
    """The patterns of what may not be read unasked."""
    parsed = (parse(line.text, line.source) for line in rules if line.verdict != "allow")
    return tuple(rule.pattern or "**" for rule in parsed if rule.scope == "read")


def read(path: Path, bounds: Bounds, most: int = MOST) -> str:
    """Raises Refused, and OSError where it cannot be read."""
    real = Path(os.path.realpath(path))
    if bounds.folder is not None and not real.is_relative_to(os.path.realpath(bounds.folder)):
        raise Refused(f"it leads out of {bounds.folder}")
    real.lstat()  # most are not there, and looking at the rest takes longer
    if why := _why_not(path, real, bounds):
        raise Refused(why)
    data = read_regular(real, most + 1, bounds.owners, follow=False)
    return data[:most].decode(errors="replace").strip() + (CUT if len(data) > most else "")


def read_or_none(path: Path, bounds: Bounds, most: int = MOST) -> str:
    """ "" where there is none, or where it may not be read."""
    try:
        return read(path, bounds, most)
    except (OSError, ValueError, Refused):  # ValueError: no path can have a zero byte
        return ""


def _why_not(path: Path, real: Path, bounds: Bounds) -> str:
    if any(covers(pattern, one, bounds.workspace) for pattern in bounds.hidden for one in (path, real)):
        return "a rule hides it"
    if (
        bounds.closed
        and bounds.folder is not None
        and any(real.is_relative_to(each) for each in _closed(str(Path.home())))
    ):
        return "credentials are kept there"
    return ""


@lru_cache(maxsize=4)
def _closed(_user_home: str) -> tuple[Path, ...]:
    """The places of credentials, as they are named and where they lead: 10 ms where there are many home folders."""
    named = credential_files.places()
    return tuple(dict.fromkeys((*named, *(Path(os.path.realpath(each)) for each in named))))


def plain(text: str) -> str:
    """In one line, without what a terminal or a reader might take for something else."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())
