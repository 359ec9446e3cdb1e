"""Which places in a folder the user has opened by rules that allow: their paths up to the first pattern.

A rule for everything opens nothing here: it names no place in the folder.
"""

import os
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path

from actors.common.globs import is_literal
from actors.settings.permissions import RuleLine, is_path, parse


def opened(folder: Path, rules: Iterable[RuleLine]) -> tuple[Path, ...]:
    """Absolute, there or not, each once. rules: checked when they were read."""
    named = (_named(line) for line in rules if line.verdict == "allow")
    return tuple(dict.fromkeys(path for path in named if path != folder and path.is_relative_to(folder)))


def _named(line: RuleLine) -> Path:
    given = parse(line.text, line.source)
    about_paths = given.scope in ("read", "write") or (given.scope == "bash" and is_path(given.pattern))
    if not about_paths or not given.pattern.startswith(("/", "~")):
        return Path()
    whole = Path(os.path.normpath("/" + os.path.expanduser(given.pattern).lstrip("/")))  # noqa: PTH111  # a Path raises
    return Path(*takewhile(is_literal, whole.parts))
