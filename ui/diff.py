"""A unified diff as compact rows: line numbers, ±, what is unchanged between two hunks as one row."""

import re
from dataclasses import dataclass

from ui.cells import Spans

LIMIT = 20
"""Rows of one diff in the transcript."""
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_STYLES = {"+": "added", "-": "removed", " ": ""}


@dataclass(frozen=True)
class Line:
    number: int
    """In the new file; of a removed line, in the old one."""
    sign: str
    text: str


@dataclass(frozen=True)
class Unchanged:
    lines: int


def parse(unified: str) -> list[Line | Unchanged]:
    """File headers are left out; whatever is not a diff gives nothing."""
    parsed: list[Line | Unchanged] = []
    old = new = 0
    inside = False
    for line in unified.split("\n"):
        if hunk := _HUNK.match(line):
            start = int(hunk[2])
            if inside and start > new:
                parsed.append(Unchanged(start - new))
            old, new, inside = int(hunk[1]), start, True
        elif inside and line[:1] in _STYLES and line:
            sign = line[0]
            parsed.append(Line(old if sign == "-" else new, sign, line[1:]))
            old += sign != "+"
            new += sign != "-"
        elif line.startswith(("diff ", "--- ", "+++ ")):
            inside = False
    return parsed


def counts(unified: str) -> tuple[int, int]:
    """Lines added, lines removed."""
    signs = [line.sign for line in parse(unified) if isinstance(line, Line)]
    return signs.count("+"), signs.count("-")


def rows(unified: str, limit: int = LIMIT) -> list[Spans]:
    lines = parse(unified)
    digits = max((len(str(line.number)) for line in lines if isinstance(line, Line)), default=1)
    shown = lines if len(lines) <= limit else lines[: limit - 1]
    painted = [_row(line, max(digits, 4)) for line in shown]
    if len(shown) < len(lines):
        painted.append([("dim", f"{'':>{max(digits, 4) + 1}} ⋯ {len(lines) - len(shown)} more lines")])
    return painted


def _row(line: Line | Unchanged, digits: int) -> Spans:
    match line:
        case Unchanged(lines=count):
            return [("dim", f"{'':>{digits + 1}} ⋯ {count} unchanged")]
        case Line(number=number, sign=sign, text=text):
            return [("dim", f" {number:>{digits}} "), (_STYLES[sign], f"{sign} {text}".rstrip())]
