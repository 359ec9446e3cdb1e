"""`@path` on a line of its own in a text: that file takes the line's place, within limits that hold for all of it.

What may not be included stays a line, with the reason behind it; what is not there stays as it was: it may be no path.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from actors.texts.documents import SUFFIXES, Bounds, Refused, read

LINE = re.compile(r" {0,3}@(\S.*)")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
DEEPEST = 5
"""Files in one another."""
MOST_FILES = 32
"""In one text, with all that its includes include."""
MOST_CHARACTERS = 64 * 1024
"""Of all that is included in one text."""
MOST_LINES = 128
"""That are looked at: each takes a look at the disk, and a refusal is longer than its line."""


class Included:
    """One text with what it includes."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self.files: list[Path] = []
        """What was included, as it is named."""
        self._room = MOST_CHARACTERS
        self._lines = MOST_LINES

    def expanded(self, text: str, path: Path, inside: tuple[str, ...] = ()) -> str:
        """path: where the text is from. inside: the real paths of the files that it is being put into."""
        inside = (*inside, os.path.realpath(path))
        return "\n".join(self._line(line, name, path, inside) for line, name in _lines(text))

    def _line(self, line: str, name: str, path: Path, inside: tuple[str, ...]) -> str:
        if not name or self._lines <= 0:
            return line
        self._lines -= 1
        try:
            return self._included(path.parent / Path(name).expanduser(), inside)
        except Refused as refusal:
            return f"{line} (not included: {refusal})"
        except (OSError, ValueError, RuntimeError):  # no such file; no path at all; ~nobody
            return line

    def _included(self, path: Path, inside: tuple[str, ...]) -> str:
        """Raises Refused, and OSError where there is none."""
        if len(inside) > DEEPEST:
            raise Refused(f"files are included {DEEPEST} deep at most")
        if os.path.realpath(path) in inside:
            raise Refused("it includes itself")
        if len(self.files) >= MOST_FILES or self._room <= 0:
            raise Refused("too much is included already")
        if Path(os.path.realpath(path)).suffix.casefold() not in SUFFIXES:
            path.lstat()
            raise Refused(f"only texts are: {', '.join(sorted(SUFFIXES))}")
        text = read(path, self._bounds, self._room)
        self.files.append(path)
        self._room -= len(text)
        return self.expanded(text, path, inside)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Each line, and what it would include; "" for nothing."""
    for line, is_code in with_fences(text):
        included = None if is_code else LINE.fullmatch(line)
        yield line, included[1].rstrip() if included else ""


def with_fences(text: str) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it is in a code fence or the edge of one."""
    fence = ""
    for line in text.splitlines():
        found = FENCE.match(line)
        yield line, bool(fence or found)
        if fence:
            fence = "" if found and found[1].startswith(fence) and not line[found.end() :].strip() else fence
        elif found:
            fence = found[1]
