"""Which lines of a text are not those of a former one. Pure, and as fast on texts that are made to be slow.

Not difflib, which takes hours for lines that are all alike; where this finds nothing that both have, all of it counts.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

DEPTH = 12
"""Times that what lies between two lines that both have is looked at anew."""
Span = tuple[int, int, int, int]
"""Lines of the former text and of this one, from 0, the last not included."""


def changed(former: Sequence[str], now: Sequence[str]) -> list[tuple[int, int]]:
    """First and last line of each place in `now`, from 1. Where lines are gone those around the gap."""
    found: list[tuple[int, int]] = []
    waiting: list[tuple[Span, int]] = [((0, len(former), 0, len(now)), DEPTH)]
    while waiting:
        span, depth = waiting.pop()
        a, a_end, b, b_end = _trimmed(former, now, span)
        if a == a_end and b == b_end:
            continue
        common = _common(former[a:a_end], now[b:b_end]) if depth and a < a_end and b < b_end else []
        if not common:
            found.append((b + 1, b_end) if b < b_end else (max(b, 1), min(b + 1, max(len(now), 1))))
            continue
        last = (a, b)
        for at, to in [*common, (a_end - a, b_end - b)]:
            waiting.append(((last[0], a + at, last[1], b + to), depth - 1))
            last = (a + at + 1, b + to + 1)
    return sorted(found)


def _trimmed(former: Sequence[str], now: Sequence[str], span: Span) -> Span:
    a, a_end, b, b_end = span
    while a < a_end and b < b_end and former[a] == now[b]:
        a, b = a + 1, b + 1
    while a < a_end and b < b_end and former[a_end - 1] == now[b_end - 1]:
        a_end, b_end = a_end - 1, b_end - 1
    return a, a_end, b, b_end


def _common(former: Sequence[str], now: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that are once in each, as many as are in the same order in both: a patience diff."""
    times, times_now = Counter(former), Counter(now)
    places = {line: at for at, line in enumerate(former) if times[line] == 1}
    pairs = [(places[line], to) for to, line in enumerate(now) if times_now[line] == 1 and line in places]
    tops: list[int] = []
    piles: list[int] = []
    before: list[int] = []
    for index, (at, _) in enumerate(pairs):
        pile = bisect_left(tops, at)
        tops[pile : pile + 1] = [at]
        piles[pile : pile + 1] = [index]
        before.append(piles[pile - 1] if pile else -1)
    longest: list[tuple[int, int]] = []
    index = piles[-1] if piles else -1
    while index >= 0:
        longest.append(pairs[index])
        index = before[index]
    return longest[::-1]
