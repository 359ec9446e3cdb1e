"""A unified diff as compact rows: line numbers, ±, changed words marked, what is unchanged between hunks as one row."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from actors.common.plurals import how_many
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Spans
from ui.screen.transcript import word_marks

LIMIT = 20
"""Rows of one diff in the transcript."""
LONGEST = 1000
"""Characters of a line there: a line of a megabyte would fill the scrollback, and hold the screen up."""
DIGITS = 4
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_STYLES = {"+": "added", "-": "removed", " ": ""}
_NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True)
class Line:
    number: int
    """In the new file; of a removed line, in the old one."""
    sign: str
    text: str


@dataclass(frozen=True)
class Unchanged:
    lines: int


@dataclass(frozen=True)
class File:
    name: str
    """With its old one, where that is another."""


@dataclass(frozen=True)
class Other:
    """A line that belongs to no diff."""

    text: str


Part = Line | Unchanged | File | Other


class _Parser:
    """Hunks are as long as they say: a removed line may look like a file's header."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._old = self._new = 0
        self._old_left = self._new_left = 0
        self._in_file = False
        self._was = ""

    def take(self, line: str) -> None:
        if self._old_left > 0 or self._new_left > 0:
            self._inside(line)
        elif hunk := _HUNK.match(line):
            start = int(hunk[3])
            if self._in_file and start > self._new:
                self.parts.append(Unchanged(start - self._new))
            self._old, self._new, self._in_file = int(hunk[1]), start, True
            self._old_left, self._new_left = (int(count) if count else 1 for count in (hunk[2], hunk[4]))
        elif line.startswith("--- ") and not self._was:
            self._was, self._in_file = line[4:], False
        elif line.startswith("+++ ") and self._was:
            self.parts.append(File(_named(self._was, line[4:])))
            self._was = ""
        elif line not in {"", _NO_NEWLINE}:
            self.parts.append(Other(line))

    def _inside(self, line: str) -> None:
        sign = line[:1] or " "
        if sign not in _STYLES:
            if line != _NO_NEWLINE:
                self.parts.append(Other(line))
            return
        self.parts.append(Line(self._old if sign == "-" else self._new, sign, line[1:]))
        self._old += sign != "+"
        self._new += sign != "-"
        self._old_left -= sign != "+"
        self._new_left -= sign != "-"


def parse(unified: str) -> list[Part]:
    parser = _Parser()
    for line in unified.split("\n"):
        parser.take(line)
    return parser.parts


def is_whole(unified: str) -> bool:
    """It is a diff and nothing else: `whole_rows` shows all that it says."""
    parts = parse(unified)
    return bool(parts) and isinstance(parts[0], File) and not any(isinstance(part, Other) for part in parts)


def counts(unified: str) -> tuple[int, int]:
    """Lines added, lines removed."""
    signs = [line.sign for line in parse(unified) if isinstance(line, Line)]
    return signs.count("+"), signs.count("-")


def rows(unified: str, limit: int = LIMIT) -> list[Spans]:
    """Files are named where there are several; whatever is not a diff gives nothing."""
    parts = [part for part in parse(unified) if not isinstance(part, Other)]
    if sum(isinstance(part, File) for part in parts) < 2:
        parts = [part for part in parts if not isinstance(part, File)]
    digits = _digits(parts)
    shown = [_cut(part) for part in (parts if len(parts) <= limit else parts[: limit - 1])]
    painted = _rows(shown, digits)
    if len(shown) < len(parts):
        more = how_many(len(parts) - len(shown), "more line")
        painted.append([("dim", f"{'':>{digits + 1}} ⋯ {more} · ctrl+o")])
    return painted


def _cut(part: Part) -> Part:
    if isinstance(part, Line) and len(part.text) > LONGEST:
        return replace(part, text=f"{part.text[:LONGEST]}…")
    return part


def whole_rows(unified: str, width: int, title: str) -> Iterator[Spans]:
    """All of it, wrapped; a file is named unless it is the only one and the title ends with it."""
    parts = parse(unified)
    files = [part for part in parts if isinstance(part, File)]
    if len(files) == 1 and f" {title}".endswith(f" {files[0].name}"):
        parts.remove(files[0])
    digits = _digits(parts)
    for margin, *rest in _rows(parts, digits):
        yield from cells.behind(margin, cells.wrapping(rest, width - max(cells.width(margin[1]), 2)))


def _named(old: str, new: str) -> str:
    """As one reads it: without a/ and b/, and only once where nothing was renamed, made or removed."""
    was = old.split("\t")[0].removeprefix("a/")
    now = new.split("\t")[0].removeprefix("b/")
    if was in {now, "/dev/null"}:
        return now
    return f"{was} (removed)" if now == "/dev/null" else f"{was} → {now}"


def _digits(parts: Sequence[Part]) -> int:
    return max([DIGITS, *(len(str(part.number)) for part in parts if isinstance(part, Line))])


def _rows(parts: Sequence[Part], digits: int) -> list[Spans]:
    places = _pairs(parts)
    marked = word_marks.marked([(_text(parts[old]), _text(parts[new])) for old, new in places])
    pieces: dict[int, list[word_marks.Piece]] = {}
    for (old, new), marks in zip(places, marked, strict=True):
        if marks is not None:
            pieces[old], pieces[new] = marks
    return [_row(part, digits, pieces.get(at, [])) for at, part in enumerate(parts)]


def _pairs(parts: Sequence[Part]) -> list[tuple[int, int]]:
    """Places of removed lines, each with that of the added one which stands for it: the first for the first."""
    pairs: list[tuple[int, int]] = []
    removed: list[int] = []
    added = 0
    for at, part in enumerate(parts):
        sign = part.sign if isinstance(part, Line) else ""
        if sign == "-":
            removed = removed[added:] * (not added) + [at]
            added = 0
        elif sign == "+" and added < len(removed):
            pairs.append((removed[added], at))
            added += 1
        elif sign != "+":
            removed, added = [], 0
    return pairs


def _text(part: Part) -> str:
    return part.text if isinstance(part, Line) else ""


def _row(part: Part, digits: int, pieces: list[word_marks.Piece]) -> Spans:
    """pieces: of a line of which some words are marked."""
    match part:
        case Unchanged(lines=count):
            return [("", " " * (digits + 2)), ("dim", f"⋯ {count} unchanged")]
        case Line(number=number, sign=sign, text=text):
            style = _STYLES[sign]
            line = [(style, f"{sign} "), *((f"{style}-word" if new else style, piece) for new, piece in pieces)]
            return [("dim", f" {number:>{digits}} "), *(line if pieces else [(style, f"{sign} {text}".rstrip())])]
        case File(name=name):
            return [("", " "), ("strong", name)]
        case Other(text=text):
            return [("", ""), ("", text)]
