"""Text objects: the word, the quotation, the bracketed part that a place is in. Each is where it begins and ends."""

import re

from ui.screen.composer.boundaries import after, before, line_end, line_start
from ui.screen.composer.vi.places import kind

Found = tuple[int, int] | None
PAIRS = {sign: pair for pair, names in {"()": "()b", "{}": "{}B", "[]": "[]", "<>": "<>"}.items() for sign in names}


def found(text: str, at: int, name: str, count: int) -> Found:
    """name: such as `iw`, `a"`, `i(`."""
    around, sign = name[0] == "a", name[1]
    if sign in "wW":
        return _words(text, at, count, around=around, big=sign == "W")
    if sign in PAIRS:
        return _brackets(text, at, count, PAIRS[sign], around=around)
    return _quoted(text, at, sign, around=around)


def _words(text: str, at: int, count: int, *, around: bool, big: bool) -> Found:
    low, high = line_start(text, at), line_end(text, at)
    if low == high:
        return None
    begin, end = _run(text, at, low, high, big=big)
    on_blank = kind(text, at) == "blank"
    for more in range(count):
        if more:
            end = _run(text, end, end, high, big=big)[1] if end < high else end
        if around and end < high and (on_blank or kind(text, end) == "blank"):
            end = _run(text, end, end, high, big=big)[1]
        elif around and not on_blank and begin > low and kind(text, before(text, begin)) == "blank":
            begin = _run(text, before(text, begin), low, high, big=big)[0]
    return begin, end


def _run(text: str, at: int, low: int, high: int, *, big: bool) -> tuple[int, int]:
    """The characters of one kind around `at`."""
    at = min(at, before(text, high))
    here, begin, end = kind(text, at, big=big), at, at
    while begin > low and kind(text, previous := before(text, begin), big=big) == here:
        begin = previous
    while end < high and kind(text, end, big=big) == here:
        end = after(text, end)
    return begin, end


def _quoted(text: str, at: int, quote: str, *, around: bool) -> Found:
    """In one line; the first one behind `at` where it is in none."""
    low, high = line_start(text, at), line_end(text, at)
    places = [low + it.end() - 1 for it in re.finditer(rf"(?<!\\){quote}", text[low:high])]
    before_it = max(sum(place < at for place in places) - 1, 0)
    number = places.index(at) // 2 * 2 if at in places else before_it
    if number + 1 >= len(places):
        return None
    begin, end = places[number], places[number + 1]
    if not around:
        return begin + 1, end
    behind = end + 1
    while behind < high and kind(text, behind) == "blank":
        behind += 1
    while behind == end + 1 and begin > low and kind(text, begin - 1) == "blank":
        begin -= 1
    return begin, behind


def _brackets(text: str, at: int, count: int, pair: str, *, around: bool) -> Found:
    begin = at
    for each in range(count):
        opening = _unmatched(text, begin - bool(each), pair, -1)
        if opening is None:
            return None
        begin = opening
    end = _unmatched(text, begin + 1, pair, 1)
    if end is None:
        return None
    return (begin, end + 1) if around else (begin + 1, end)


def _unmatched(text: str, at: int, pair: str, step: int) -> int | None:
    """The next bracket that has no partner on the way; one's own closing bracket at `at` is not on it."""
    wanted, other = (pair[0], pair[1]) if step < 0 else (pair[1], pair[0])
    depth = 0
    for place in range(at, -1 if step < 0 else len(text), step):
        if place >= len(text) or (step < 0 and place == at and text[place] == other):
            continue
        if text[place] == wanted and depth == 0:
            return place
        depth += (text[place] == other) - (text[place] == wanted)
    return None
