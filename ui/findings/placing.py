"""What of a finding is true of the file: a place is where its quote stands, and nowhere else. Pure."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable
from itertools import accumulate
from typing import NamedTuple

from ui.common.harmless import exposed
from ui.findings.finding import Dropped, Finding, Raw
from ui.findings.fingerprints import fingerprint, squeezed

LEAST, LEAST_LETTERS = 6, 3
"""Characters that are no blanks, and letters and digits of those: less than that stands everywhere and says nothing."""
MOST_SHOWN_LINES, MOST_SHOWN = 20, 2000
"""Lines and characters of a quote."""
MOST_PLACES = 10_000
NO_QUOTE, NOT_THERE = "quote that says nothing", "quote that is not in the file"


class Checked(NamedTuple):
    findings: tuple[Finding, ...]
    dropped: tuple[str, ...]
    """Why, for each."""


def check_all(raws: Iterable[Raw], sent: Collection[str], text_of: Callable[[str], str | None]) -> Checked:
    """All of an answer. sent: the paths of which something was in the question; of these alone it can know."""
    texts: dict[str, str | None] = {}
    findings, dropped = [], []
    for raw in raws:
        path = known_path(raw.path, sent)
        if path and path not in texts:
            texts[path] = text_of(path)
        found = check(raw, texts.get(path), path)
        if isinstance(found, Finding):
            findings.append(found)
        else:
            dropped.append(found.reason)
    return Checked(tuple(findings), tuple(dropped))


def known_path(said: str, known: Collection[str]) -> str:
    """The one that is meant, "" for none: exactly it, but for how models write the beginning and the separators."""
    for path in (said, said.removeprefix("./"), said.replace("\\", "/").removeprefix("./")):
        if path in known:
            return path
    return ""


def check(raw: Raw, text: str | None, path: str) -> Finding | Dropped:
    """text: of the file at this path as it was sent; None: it was not, or is no more, and nothing is placed."""
    if text is None or not path:
        return _finding(raw, None, fingerprint(raw.kind, raw.path, raw.quote))
    wanted = squeezed(raw.quote)
    if len(wanted) < LEAST or sum(map(str.isalnum, wanted)) < LEAST_LETTERS:
        return Dropped(NO_QUOTE)
    lines = text.split("\n")
    places = _places(lines, wanted)
    if not places:
        return Dropped(NOT_THERE)
    nearest = min(places, key=lambda place: (abs(place.first - (raw.first_line or 1)), place.first))
    return _placed(raw, path, lines, nearest)


class _Place(NamedTuple):
    first: int
    last: int
    """Lines, from 1 on."""


def _places(lines: list[str], wanted: str) -> list[_Place]:
    squeezed_lines = [squeezed(line) for line in lines]
    whole, ends = "".join(squeezed_lines), list(accumulate(map(len, squeezed_lines)))
    found: list[_Place] = []
    at = whole.find(wanted)
    while at >= 0 and len(found) < MOST_PLACES:
        found.append(_Place(bisect_right(ends, at) + 1, bisect_right(ends, at + len(wanted) - 1) + 1))
        at = whole.find(wanted, at + len(wanted))
    return found


def _placed(raw: Raw, path: str, lines: list[str], place: _Place) -> Finding:
    quoted = "\n".join(lines[place.first - 1 : place.last])
    same = sum(1 for other in _places(lines, squeezed(quoted)) if other.first < place.first)
    return _finding(raw, (path, place, _shown(quoted)), fingerprint(raw.kind, path, quoted, same))


def _shown(quoted: str) -> str:
    lines = quoted.split("\n")
    return exposed("\n".join(lines[:MOST_SHOWN_LINES])[:MOST_SHOWN])


def _finding(raw: Raw, placed: tuple[str, _Place, str] | None, fingerprint: str) -> Finding:
    path, place, quote = placed or ("", _Place(0, 0), "")
    return Finding(
        severity=raw.severity,
        title=raw.title,
        path=path,
        first_line=place.first,
        last_line=place.last,
        quote=quote,
        why=raw.why,
        fix=raw.fix,
        kind=raw.kind,
        placed=placed is not None,
        fingerprint=fingerprint,
    )
