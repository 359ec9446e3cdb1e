"""What of a finding is true of the file: a place is where its quote stands, and nowhere else. Pure."""

import re
import unicodedata
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
GUTTER = re.compile(r"^[ \t]*[+-]?\d{1,8}[|:][ \t]?", re.MULTILINE)
"""Numbers of lines as they are sent before each; some models quote them, too."""
ELIDED = re.compile(r"^[ \t]*+(?:(?:#|//)[ \t]*+)?(?:\.{3}|…)[ \t]*+$", re.MULTILINE)
"""Where a model leaves lines out, although it was asked not to."""
ESCAPE = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[0abfnrtv])?")
LINE = re.compile(r":\d{1,8}(?:-\d{1,8})?$")


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
    written = said.replace("\\", "/").removeprefix("./")
    for path in (said, said.removeprefix("./"), written, LINE.sub("", written)):
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
    said, found = raw.first_line or 1, NO_QUOTE
    for quote in (raw.quote, GUTTER.sub("", raw.quote), raw.quote.strip(" \t\n.…")):
        parts = [part for part in map(_comparable, ELIDED.split(quote)) if _says_something(part)]
        if parts and (places := _places(text, parts)):
            return _placed(raw, path, text, min(places, key=lambda place: (abs(place.first - said), place.first)))
        found = NOT_THERE if parts else found
    return Dropped(found)


def is_safe(path: str) -> bool:
    """Does it lead down from where it begins, and can it be written in a report?"""
    parts = path.split("/")
    return all(part not in {"", ".", ".."} for part in parts) and not _is_broken(path)


def _is_broken(path: str) -> bool:
    """A name that is no UTF-8 has no URI, and no line of a report either."""
    return any("\ud800" <= character <= "\udfff" for character in path)


def _comparable(text: str) -> str:
    """Without what models change when they copy: blanks, escapes and invisible characters, the form of accents."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", exposed(text))
    return squeezed(ESCAPE.sub("", text))


def _says_something(comparable: str) -> bool:
    return len(comparable) >= LEAST and sum(map(str.isalnum, comparable)) >= LEAST_LETTERS


class _Place(NamedTuple):
    first: int
    last: int
    """Lines, from 1 on."""


NOWHERE = _Place(0, 0)


class _Compared(NamedTuple):
    whole: str
    ends: tuple[int, ...]
    """How much of it is in each line and those before."""


@lru_cache(maxsize=8)  # many findings of an answer are about few files
def _compared(text: str) -> _Compared:
    lines = [_comparable(line) for line in text.split("\n")]
    return _Compared("".join(lines), tuple(accumulate(map(len, lines))))


def _places(text: str, parts: list[str]) -> list[_Place]:
    """Of the first part, where all of them are there."""
    whole, ends = _compared(text)
    found: list[_Place] = []
    at = whole.find(parts[0]) if all(part in whole for part in parts) else -1
    while at >= 0 and len(found) < MOST_PLACES:
        found.append(_Place(bisect_right(ends, at) + 1, bisect_right(ends, at + len(parts[0]) - 1) + 1))
        at = whole.find(parts[0], at + len(parts[0]))
    return found


def _placed(raw: Raw, path: str, text: str, place: _Place) -> Finding:
    quoted = "\n".join(text.split("\n")[place.first - 1 : place.last])
    before = sum(1 for other in _places(text, [_comparable(quoted)]) if other.first < place.first)
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
