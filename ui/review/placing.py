"""Where in a change a finding stands: its quote is among the lines that were shown, or it is not believed. Pure."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from ui.findings.finding import Dropped, Finding, Raw
from ui.findings.placing import Checked, check, known_path
from ui.review.changes import FileChange, Line, Sign

CONTEXT = 3
"""Lines around a change that GitHub shows, and takes comments on."""
NUMBERED = re.compile(r"([ +-]?)\d{1,9}\|(.*)")
SIGNED = re.compile(r"([ +-])(.*)")


class _Side:
    """The lines of a file before the change, or after it, of those that were shown."""

    def __init__(self, lines: Iterable[Line], without: Sign) -> None:
        self._lines = [line for line in lines if line.sign != without]
        self.text = "\n".join(line.text for line in self._lines)

    def as_shown(self, raw: Raw) -> Raw:
        """With places among the shown lines."""
        first = bisect_left(self._lines, raw.first_line, key=lambda line: line.at) + 1
        return msgspec.structs.replace(raw, first_line=first, last_line=first)

    def as_numbered(self, finding: Finding) -> Finding:
        """With lines of the file as it is after the change."""
        first, last = (self._lines[at - 1].at for at in (finding.first_line, finding.last_line))
        return msgspec.structs.replace(finding, first_line=first, last_line=max(first, last))


def check_all(raws: Iterable[Raw], chunk: Sequence[FileChange]) -> Checked:
    """All of the answer about this chunk."""
    lines: dict[str, list[Line]] = {}
    for file in chunk:
        lines.setdefault(file.path, []).extend(line for hunk in file.hunks for line in hunk)
    checked = [_check(raw, lines) for raw in raws]
    return Checked(
        tuple(one for one in checked if isinstance(one, Finding)),
        tuple(one.reason for one in checked if isinstance(one, Dropped)),
    )


def _check(raw: Raw, lines: Mapping[str, list[Line]]) -> Finding | Dropped:
    """What was removed may be quoted, too: the finding then stands where that was."""
    path = known_path(raw.path, lines)
    if not path:
        return check(raw, None, "")
    dropped: list[Dropped] = []
    for without in ("-", "+"):
        side = _Side(lines[path], without)
        for quote in dict.fromkeys(_quotes(raw.quote, without)):
            found = check(side.as_shown(msgspec.structs.replace(raw, quote=quote)), side.text, path)
            if isinstance(found, Finding):
                return side.as_numbered(found)
            dropped.append(found)
    return dropped[0]


def _quotes(quote: str, without: Sign) -> Iterator[str]:
    """As it is; else without what models copy along with the lines of a change: their signs and numbers."""
    yield quote
    rows = [row for row in quote.split("\n") if row.strip()]
    for pattern in (NUMBERED, SIGNED):
        found = [shown for row in rows if (shown := pattern.fullmatch(row))]
        if len(found) == len(rows):
            yield "\n".join(shown[2] for shown in found if shown[1] != without)


def commentable(files: Iterable[FileChange]) -> dict[str, list[range]]:
    """By path the lines that GitHub takes comments on: those of the change as it is, with a little around each."""
    return {file.path: _ranges([line for hunk in file.hunks for line in hunk]) for file in files}


def _ranges(lines: Sequence[Line]) -> list[range]:
    near = {
        other.at
        for at, line in enumerate(lines)
        if line.sign != " "
        for other in lines[max(0, at - CONTEXT) : at + CONTEXT + 1]
        if other.sign != "-"
    }
    found: list[range] = []
    for number in sorted(near):
        if found and found[-1].stop == number:
            found[-1] = range(found[-1].start, number + 1)
        else:
            found.append(range(number, number + 1))
    return found
