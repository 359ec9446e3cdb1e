"""Patterns for names of files, as models write them: `*.py`, `src/**/test_*.{ts,tsx}`, `!*.md`. Pure.

Not ripgrep's own --glob: what that names is found even where it is ignored.
"""

import re
from pathlib import PurePath

from actors.common import globs
from actors.confinement.errors import ToolFailed

MOST_PATTERNS = 200
"""That the braces of one make."""
_BRACES = re.compile(r"(.*?)\{([^{}]*)\}(.*)", re.DOTALL)
_Segments = tuple[str, ...]


class Names:
    """Without a slash: of files in any folder; with one: relative to the folder that is searched."""

    def __init__(self, pattern: str) -> None:
        """Raises ToolFailed."""
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
        """path: relative to the folder. Raises ToolFailed."""
        if not self._patterns:
            return True
        try:
            return any(globs.fits(pattern, path.parts) for pattern in self._patterns) is not self._negated
        except globs.TooLong as error:
            raise ToolFailed("The pattern has too many wildcards. Ask for one with fewer.") from error


def _segments(pattern: str) -> _Segments:
    rooted = pattern if "/" in pattern.rstrip("/") else f"**/{pattern}"
    return tuple(segment for segment in rooted.split("/") if segment not in ("", "."))


def _expanded(pattern: str) -> list[str]:
    """Without braces."""
    done: list[str] = []
    waiting = [pattern]
    while waiting:
        found = _BRACES.fullmatch(each := waiting.pop())
        if found is None:
            done.append(each)
        else:
            waiting += [f"{found[1]}{choice}{found[3]}" for choice in reversed(found[2].split(","))]
        if len(done) + len(waiting) > MOST_PATTERNS:
            raise ToolFailed(f"The braces make more than {MOST_PATTERNS} patterns of it. Ask for fewer at a time.")
    return done
