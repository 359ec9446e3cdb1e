"""Where a text has lines that look like those that were given, and what is not seen of the difference. Pure."""

import bisect
import json
from collections.abc import Callable, Sequence
from itertools import takewhile

from actors.common.plurals import how_many
from actors.tools import limits
from actors.tools.text import line_ends
from actors.tools.text.invisible_differences import difference, indent, look, trail
from actors.tools.text.line_ends import Line

NAMED = 6
"""Lines whose differences are named."""
SHOWN = 400
"""Characters of a text that is given back as it would have to be written."""


class Lookalike:
    """What the text has, given lines that it has not."""

    def __init__(self, lines: Sequence[Line], wanted: Sequence[Line]) -> None:
        self._lines = lines[: limits.NEAR_LINES]
        self._wanted = wanted
        self._have = [look(text) for text, _ in self._lines]
        self._look = [look(text) for text, _ in wanted]

    def places(self, *, whole: bool = False) -> list[int]:
        """Indices of the lines where what looks the same begins. whole: not inside a line."""
        count = len(self._look)
        starts = range(len(self._have) - count + 1) if any(self._look) else range(0)
        if whole:
            return [index for index in starts if self._have[index : index + count] == self._look]
        if count == 1:
            return [index for index in starts if self._look[0] in self._have[index]]
        return [index for index in starts if self._is_at(self._have[index : index + count])]

    def _is_at(self, have: list[str]) -> bool:
        first, *between, last = self._look
        return have[0].endswith(first) and have[1:-1] == between and have[-1].startswith(last)

    def found(self, place: int) -> list[Line]:
        """The part of the text that looks like what was given."""
        lines = list(self._lines[place : place + len(self._wanted)])
        last = len(lines) - 1
        lines[last] = (_up_to(lines[last][0], self._wanted[last][0]), self._wanted[last][1] and lines[last][1])
        lines[0] = (_from(lines[0][0], self._wanted[0][0]), lines[0][1])
        return lines

    def said(self, place: int) -> list[str]:
        """What is not seen of the difference there, line by line."""
        pairs = list(zip(self.found(place), self._wanted, strict=True))
        unlike = [
            f"line {number}: {'; '.join(parts)}"
            for number, (have, wanted) in enumerate(pairs, start=place + 1)
            if (parts := difference(have[0], wanted[0]))
        ]
        rest = [f"and {how_many(len(unlike) - NAMED, 'more line')}"] if len(unlike) > NAMED else []
        return [*_ends(pairs, place), *unlike[:NAMED], *rest]

    def run(self) -> tuple[int, int]:
        """Where most of the first lines look the same, and how many; (0, 0) where not even the first does."""
        best = (0, 0)
        for index, line in enumerate(self._have):
            if self._look[0] and line.endswith(self._look[0]):
                pairs = zip(self._have[index + 1 :], self._look[1:], strict=False)
                count = 1 + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
                best = max(best, (index, count), key=lambda found: found[1])
        return best


def alike(lines: Sequence[Line], wanted: Sequence[Line], *, plain: bool) -> str:
    """Where the text looks like what is not in it, and how to give that. plain: line ends are not told apart."""
    looking = Lookalike(lines, wanted)
    places = looking.places()
    if not places:
        return ""
    place, found = places[0], looking.found(places[0])
    which = f"lines {place + 1}-{place + len(found)} look" if len(found) > 1 else f"line {place + 1} looks"
    others = f" (and {how_many(len(places) - 1, 'other place')})" if len(places) > 1 else ""
    said = [f"But {which} the same{others}:", *looking.said(place), _exactly(found, plain=plain)]
    return "\n".join(filter(None, said))


def parted(lines: Sequence[Line], wanted: Sequence[Line], what: str) -> str:
    """Where the text begins like what is not in it, and then goes on otherwise. what: is not in it."""
    blank = next((index for index, (text, _) in enumerate(wanted) if text.strip()), 0)
    start, count = Lookalike(lines, wanted[blank:]).run()
    which = f"Lines {start + 1}-{start + count} are" if count > 1 else f"Line {start + 1} is"
    if count and blank + count == len(wanted):
        return f"{which} as in {what}, but not after {how_many(blank, 'blank line')}." if blank else ""
    if not count:
        return ""
    then, rest = lines[start + count : start + count + 1], lines[start + count + 1 :]
    has_more = bool(rest or (then and then[0][0]))
    goes_on = (
        f"then comes\n{start + count + 1:>6}\t{then[0][0][: limits.LINE_CHARS]}" if has_more else "then the file ends"
    )
    said = Lookalike(lines, wanted[blank : blank + count]).said(start)
    instead = f"where {what} has\n      \t{wanted[blank + count][0]}"
    return "\n".join([f"{which} as in {what}, but {goes_on}", instead, *said])


def _exactly(lines: Sequence[Line], *, plain: bool) -> str:
    text = "".join(f"{line}{(end and chr(10)) if plain else end}" for line, end in lines)
    is_shown = len(text) <= SHOWN and not any("\ud800" <= character <= "\udfff" for character in text)
    return f"Give it exactly so (as JSON): {json.dumps(text)}" if is_shown else ""


def _ends(pairs: Sequence[tuple[Line, Line]], place: int) -> list[str]:
    if not any(have[1] and wanted[1] and have[1] != wanted[1] for have, wanted in pairs):
        return []
    said = []
    for end, name, written in (("\r\n", "CRLF", "\\r\\n"), ("\n", "LF alone", "\\n")):
        numbers = [number for number, (have, _) in enumerate(pairs, start=place + 1) if have[1] == end]
        said += [f"{line_ends.named(numbers)} with {name}: write {written} there"] if numbers else []
    return said


def _up_to(have: str, wanted: str) -> str:
    """Its beginning, to the end of what looks so."""
    sought = look(wanted)
    end = _first(len(have), lambda end: sought in look(have[:end]))
    end += len(indent(have[end:])) if trail(wanted) else 0
    return have[:end]


def _from(have: str, wanted: str) -> str:
    """Its end, from the beginning of what looks so."""
    sought = look(wanted)
    if not sought:
        return trail(have) if wanted else ""
    start = max(0, _first(len(have), lambda start: sought not in look(have[start:])) - 1)
    start -= len(trail(have[:start])) if indent(wanted) else 0
    return have[start:]


def _first(most: int, holds: Callable[[int], bool]) -> int:
    return bisect.bisect_left(range(most), True, key=holds)
