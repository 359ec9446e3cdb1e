"""What of a finding is true of the file: a place is where its quote stands, and nowhere else. Pure."""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from ui.common.harmless import exposed, exposed_line
from ui.findings.finding import Dropped, Finding, Raw
from ui.findings.fingerprints import fingerprint, squeezed

LEAST, LEAST_LETTERS = 6, 3
"""Characters that are no blanks, and letters and digits of those: what is shorter stands everywhere."""
MOST_SHOWN_LINES, MOST_SHOWN = 20, 2000
"""Lines and characters of a quote."""
MOST_PLACES = 1000
NO_QUOTE, NOT_THERE = "quote that says nothing", "quote that is not in the file"
GUTTER = re.compile(r"^[ \t]*\d{1,8}[|:][ \t]?", re.MULTILINE)
"""Numbers of lines as they are sent before each; some models quote them, too."""


class Checked(NamedTuple):
    findings: tuple[Finding, ...]
    dropped: tuple[str, ...]
    """Why, for each."""


def check_all(raws: Iterable[Raw], sent: Collection[str], text_of: Callable[[str], str | None]) -> Checked:
    """All of an answer.

    sent: the paths of which something was in the question; of others it can know nothing.
    text_of: as `check` wants it; asked once for each file that is spoken of.
    """
    texts: dict[str, str | None] = {}
    checked = []
    for raw in raws:
        path = known_path(raw.path, sent)
        if path and path not in texts:
            texts[path] = text_of(path)
        checked.append(check(raw, texts.get(path), path))
    findings = tuple(one for one in checked if isinstance(one, Finding))
    return Checked(findings, tuple(one.reason for one in checked if isinstance(one, Dropped)))


def known_path(said: str, known: Collection[str]) -> str:
    """The one that is meant, "" for none: exactly it, but for how models write its beginning and its separators."""
    for path in (said, said.removeprefix("./"), said.replace("\\", "/").removeprefix("./")):
        if path in known:
            return path
    alike = [path for path in known if exposed_line(path) == said] if said else []
    return alike[0] if len(alike) == 1 else ""


def check(raw: Raw, text: str | None, path: str) -> Finding | Dropped:
    """text: of the file at this path, as it was sent; None where it was not, or is no more. path: relative.

    Without a text, or with a path that leads anywhere but down, the finding stays, and is not placed.
    """
    if text is None or not is_safe(path):
        return _finding(raw, fingerprint(raw.kind, "", f"{raw.path}\n{raw.quote}"))  # of none that is placed
    if not _says_something(raw.quote):
        return Dropped(NO_QUOTE)
    for quote in (raw.quote, GUTTER.sub("", raw.quote)):
        if _says_something(quote) and (places := _places(text, squeezed(quote))):
            said = raw.first_line or 1
            return _placed(raw, path, text, min(places, key=lambda place: (abs(place.first - said), place.first)))
    return Dropped(NOT_THERE)


def is_safe(path: str) -> bool:
    """Does it lead down from where it begins, and can it be written in a report?"""
    parts = path.split("/")
    return all(part not in {"", ".", ".."} for part in parts) and not _is_broken(path)


def _is_broken(path: str) -> bool:
    """A name that is no UTF-8 has no URI, and no line of a report either."""
    return any("\ud800" <= character <= "\udfff" for character in path)


def _says_something(quote: str) -> bool:
    characters = squeezed(quote)
    return len(characters) >= LEAST and sum(map(str.isalnum, characters)) >= LEAST_LETTERS


class _Place(NamedTuple):
    first: int
    last: int
    """Lines, from 1 on."""


NOWHERE = _Place(0, 0)


class _Squeezed(NamedTuple):
    whole: str
    ends: tuple[int, ...]
    """How much of it is in each line and those before."""


@lru_cache(maxsize=8)  # many findings of an answer are about few files
def _squeezed(text: str) -> _Squeezed:
    lines = [squeezed(line) for line in text.split("\n")]
    return _Squeezed("".join(lines), tuple(accumulate(map(len, lines))))


def _places(text: str, wanted: str) -> list[_Place]:
    whole, ends = _squeezed(text)
    found: list[_Place] = []
    at = whole.find(wanted)
    while at >= 0 and len(found) < MOST_PLACES:
        found.append(_Place(bisect_right(ends, at) + 1, bisect_right(ends, at + len(wanted) - 1) + 1))
        at = whole.find(wanted, at + len(wanted))
    return found


def _placed(raw: Raw, path: str, text: str, place: _Place) -> Finding:
    quoted = "\n".join(text.split("\n")[place.first - 1 : place.last])
    before = sum(1 for other in _places(text, squeezed(quoted)) if other.first < place.first)
    return _finding(raw, fingerprint(raw.kind, path, quoted, before), path, place, _shown(quoted))


def _shown(quoted: str) -> str:
    return exposed("\n".join(quoted.split("\n")[:MOST_SHOWN_LINES])[:MOST_SHOWN])


def _finding(raw: Raw, fingerprint: str, path: str = "", place: _Place = NOWHERE, quote: str = "") -> Finding:
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
        placed=bool(path),
        fingerprint=fingerprint,
    )
