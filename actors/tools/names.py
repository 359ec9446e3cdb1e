"""Patterns for names of files, as models write them: `*.py`, `src/**/test_*.{ts,tsx}`, `!*.md`. Pure.

Not ripgrep's own --glob: what that names is found even where it is ignored.
"""

import re
from fnmatch import fnmatchcase
from pathlib import PurePath

_BRACES = re.compile(r"(.*?)\{([^{}]*)\}(.*)", re.DOTALL)
_Segments = tuple[str, ...]


class Names:
    """Without a slash: of files in any folder; with one: relative to the folder that is searched."""

    def __init__(self, pattern: str) -> None:
        self._negated = pattern.startswith("!")
        self._patterns = [_segments(each) for each in _expanded(pattern.removeprefix("!"))] if pattern else []

    @property
    def types(self) -> list[str]:
        """For ripgrep: options that leave out many files that do not fit, and none that do."""
        last = [segments[-1] for segments in self._patterns]
        if self._negated or "**" in last:
            return []
        return [*(f"--type-add=wanted:{each}" for each in last), *(["--type=wanted"] if last else [])]

    def fit(self, path: PurePath) -> bool:
        """path: relative to the folder."""
        if not self._patterns:
            return True
        return any(_fits(path.parts, pattern) for pattern in self._patterns) is not self._negated


def _segments(pattern: str) -> _Segments:
    rooted = pattern if "/" in pattern.rstrip("/") else f"**/{pattern}"
    return tuple(segment for segment in rooted.split("/") if segment not in ("", "."))


def _expanded(pattern: str) -> list[str]:
    """Without braces."""
    found = _BRACES.fullmatch(pattern)
    if found is None:
        return [pattern]
    return [each for choice in found[2].split(",") for each in _expanded(f"{found[1]}{choice}{found[3]}")]


def _fits(parts: tuple[str, ...], pattern: _Segments) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_fits(parts[start:], pattern[1:]) for start in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])
