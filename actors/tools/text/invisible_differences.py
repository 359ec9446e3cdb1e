"""In what two lines differ that look the same, or nearly so: blanks, marks, letters that are drawn alike. Pure."""

import itertools
import re
import unicodedata

from actors.common.plurals import how_many

ALIKE = str.maketrans(
    "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f"
    "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "-" * 7 + "'" * 4 + '"' * 4 + " " * 13,
)
"""Dashes, quotes and spaces that models write in their plain form."""
_NOT_DRAWN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_BLANK = re.compile("[\\s\u200b\ufeff]*")
_WORDS = re.compile(r"\s+|\S+")
_COUNTED = {" ": "space", "\t": "tab"}
_NAMED = {"": "nothing", "\r": "CR (\\r)", "\ufeff": "a byte order mark (BOM, U+FEFF)"}


def look(line: str) -> str:
    """The same for lines that look the same; the width of blanks does not count."""
    if not line.isascii():
        line = _NOT_DRAWN.sub("", unicodedata.normalize("NFKC", line.translate(ALIKE)))
    return " ".join(line.split())


def indent(line: str) -> str:
    """The blanks that it begins with."""
    found = _BLANK.match(line)
    return found[0] if found else ""


def trail(line: str) -> str:
    """The blanks that it ends with."""
    return indent(line[::-1])[::-1]


def difference(have: str, wanted: str) -> list[str]:
    """Of a line of the file from the one that was given: what of it is not seen."""
    first, last = (indent(have), indent(wanted)), (trail(have), trail(wanted))
    said = [_instead("it begins with", *first)]
    core, given = have[len(first[0]) :], wanted[len(first[1]) :]
    said.append(_inside(core[: len(core) - len(last[0])], given[: len(given) - len(last[1])], len(first[0])))
    said.append(_instead("it ends with", *last))
    return [each for each in said if each]


def _instead(what: str, have: str, wanted: str) -> str:
    return f"{what} {_named(have)}, not with {_named(wanted)}" if have != wanted else ""


def _inside(have: str, wanted: str, column: int) -> str:
    """The first difference, if it is not seen."""
    for word, given in zip(_WORDS.findall(have), _WORDS.findall(wanted), strict=False):
        if word != given and word.isspace() and given.isspace():
            return f"at column {column + 1} it has {_named(word)}, not {_named(given)}"
        if word != given:
            at = next((index for index, pair in enumerate(zip(word, given, strict=False)) if pair[0] != pair[1]), None)
            at = min(len(word), len(given)) if at is None else at
            one, other = word[at : at + 1], given[at : at + 1]
            is_seen = (one + other).isascii() and (one + other).isprintable()
            return "" if is_seen else f"at column {column + at + 1} it has {_named(one)}, not {_named(other)}"
        column += len(word)
    return ""


def _named(text: str) -> str:
    runs = [(character, len(list(run))) for character, run in itertools.groupby(text)]
    return " and ".join(_run(character, count) for character, count in runs[:4]) or _NAMED[""]


def _run(character: str, count: int) -> str:
    if character in _COUNTED:
        return how_many(count, _COUNTED[character])
    times = f"{count} x " if count > 1 else ""
    if character in _NAMED:
        return f"{times}{_NAMED[character]}"
    if "\ud800" <= character <= "\udfff":
        return f"{times}a byte that is not UTF-8"
    if character.isascii() and character.isprintable():
        return f"{times}`{character}`"
    return f"{times}U+{ord(character):04X} {unicodedata.name(character, 'CONTROL CHARACTER')}"
