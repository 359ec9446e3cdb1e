"""What a model answers, as findings: lenient where models are sloppy, bounded and harmless in what comes out. Pure."""

import re
from collections.abc import Iterator
from json import JSONDecoder

from ui.common.harmless import exposed, exposed_line
from ui.findings.finding import SEVERITIES, Dropped, Raw, Severity
from ui.findings.rules import kind_of

SCHEMA_TEXT = """\
Answer with one JSON object and nothing else:
{"findings": [{"severity": "critical|high|medium|low|info", "kind": "a-short-slug such as sql-injection", "cwe": 89,
"title": "one line", "path": "the path as it was given", "first_line": 1, "last_line": 1,
"quote": "one to five whole lines, copied from the file exactly as they are, with nothing left out",
"why": "what is wrong, and what follows from it", "fix": "what to change"}]}
The quote is looked up in the file, and a finding whose quote is not there is thrown away. Leave "cwe" out where there
is none. Without findings: {"findings": []}
"""
MOST_FINDINGS = 1000
"""Of one answer."""
MOST_CHARACTERS = 4_000_000
"""Of an answer: none is as long that was not made to be."""
MOST_BROKEN = 100
"""After so many that cannot be read the rest is not tried: each costs a look at all that follows."""
LONGEST_TITLE, LONGEST_TEXT, LONGEST_PATH, LONGEST_QUOTE = 200, 4000, 1024, 4000
"""Characters."""
LAST_LINE = 10_000_000
CUT = " […]"
NO_LIST, UNREADABLE, INCOMPLETE, TOO_MANY = (
    "answer without a list of findings",
    "not readable as JSON",
    "without severity or title",
    "more than an answer may have",
)

LIST = re.compile(r'"findings"\s*:\s*\[')
BARE_LIST = re.compile(r"\[\s*(?=\{)")
BETWEEN = re.compile(r"[\s,]*")
NEXT = re.compile(r"\}\s*,\s*(?=\{)")
ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\')
FENCE = re.compile(r"\A```[^\n`]*\n([^`]*)\n```\Z")
"""Around all of a text."""
ALIASES: dict[str, Severity] = {
    "blocker": "critical", "severe": "critical", "error": "high", "major": "high", "important": "high",
    "moderate": "medium", "warning": "medium", "minor": "low", "trivial": "info", "informational": "info",
    "note": "info", "none": "info", **{each: each for each in SEVERITIES},
}  # fmt: skip


def parse(text: str) -> tuple[tuple[Raw, ...], tuple[str, ...]]:
    """All that can be read, and for each that cannot why: a reason of a few."""
    found = list(_each(text[:MOST_CHARACTERS]))
    raws = tuple(one for one in found if isinstance(one, Raw))
    dropped = tuple(one.reason for one in found if isinstance(one, Dropped))
    return raws[:MOST_FINDINGS], dropped + (TOO_MANY,) * (len(raws) - MOST_FINDINGS)


def _each(text: str) -> Iterator[Raw | Dropped]:
    text = ESCAPE.sub(_mended, text)
    opening = LIST.search(text)
    if opening is None and (opening := BARE_LIST.search(text)) is None:
        yield Dropped(NO_LIST)
    broken = 0
    while opening is not None and broken < MOST_BROKEN:
        at = opening.end()
        while (value := _value(text, at)) is not None:
            read, at = value
            yield read
            broken += read == Dropped(UNREADABLE)
            if broken == MOST_BROKEN:
                break
        opening = LIST.search(text, at)


def _mended(found: re.Match[str]) -> str:
    """Models write patterns and paths into strings as they are: what is no escape is a backslash."""
    return found[0] if len(found[0]) > 1 else r"\\"


def _value(text: str, at: int) -> tuple[Raw | Dropped, int] | None:
    """The next one of a list, and where it ends; None at the end of the list, or where it was cut off between two."""
    between = BETWEEN.match(text, at)
    at = between.end() if between else at
    if at >= len(text) or text[at] == "]":
        return None
    try:
        value, end = DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        following = NEXT.search(text, at)
        return Dropped(UNREADABLE), following.end() if following else len(text)
    return _raw(value), end


def _raw(value: object) -> Raw | Dropped:
    if not isinstance(value, dict):
        return Dropped(INCOMPLETE)
    severity = ALIASES.get(_text(value, "severity", 40).strip().casefold())
    title = _cut(exposed_line(" ".join(_text(value, "title", LONGEST_TITLE).split())), LONGEST_TITLE)
    if severity is None or not title:
        return Dropped(INCOMPLETE)
    first = _line(value.get("first_line") or value.get("line"))
    return Raw(
        severity=severity,
        title=title,
        path=exposed_line(_text(value, "path", LONGEST_PATH)),
        first_line=first,
        last_line=max(first, _line(value.get("last_line"))),
        quote=_text(value, "quote", LONGEST_QUOTE),
        why=_cut(exposed(_text(value, "why", LONGEST_TEXT)).strip(), LONGEST_TEXT),
        fix=_cut(FENCE.sub(r"\1", exposed(_text(value, "fix", LONGEST_TEXT)).strip()), LONGEST_TEXT),
        kind=kind_of(_text(value, "kind", 100), _text(value, "cwe", 20)),
    )


def _text(value: dict[str, object], name: str, most: int) -> str:
    """Its first characters, one more than is kept, so that the cut shows. Lines may be a list."""
    match value.get(name):
        case str() as text:
            pass
        case list() as parts:
            text = "\n".join(part for part in parts if isinstance(part, str))
        case int() | float() as number if not isinstance(number, bool):
            text = str(number)
        case _:
            return ""
    return text[: most + 1].encode("utf-8", "replace").decode()


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - len(CUT)] + CUT


def _line(value: object) -> int:
    match value:
        case bool():
            return 0
        case int() as number:
            pass
        case str() as text if text.isascii() and text.isdigit() and len(text) < 10:
            number = int(text)
        case _:
            return 0
    return number if 0 < number <= LAST_LINE else 0


def _int(digits: str) -> int:
    """Bounded: Python refuses to read thousands of digits."""
    return int(digits) if len(digits) < 10 else 0


DECODER = JSONDecoder(strict=False, parse_int=_int)
