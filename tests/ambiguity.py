"""Whether a pattern can take more than linear time: its automaton is searched for words that it reads in many ways.

A backtracking matcher that fails has tried every way to read the text. Two ways from a state back to itself by one
word are exponential, a loop that can hand over to a later one anywhere in a word that both read is quadratic (Weber and
Seidl, "On the degree of ambiguity of finite automata", 1991). Nothing is run and no time is taken.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from tests.automaton import Automaton, automaton, components


@dataclass(frozen=True)
class Slow:
    how: str
    """exponential or quadratic"""
    word: str
    """Said again and again it keeps the pattern busy."""


def slow(pattern: re.Pattern[str] | re.Pattern[bytes], method: str) -> Slow | None:
    """Whether reading with this method (search, match, fullmatch) can take more than linear time."""
    read = automaton(pattern, method).failing()
    loops = [part for part in components(range(len(read.states)), read.follows) if read.loops(part)]
    for part in loops:
        if (word := _read_twice(read, part)) is not None:
            return Slow("exponential", word)
    for first in loops:
        for then in loops:
            if first is not then and (word := _handed_over(read, first, then)) is not None:
                return Slow("quadratic", word)
    return None


def _read_twice(read: Automaton, part: set[int]) -> str | None:
    pairs = [(one, other) for one in part for other in part]

    def follows(pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
        for one, by_one in read.edges(pair[0], part):
            for other, by_other in read.edges(pair[1], part):
                if by_one & by_other:
                    yield (one, other)

    for together in components(pairs, follows):
        same = [one for one, other in together if one == other]
        if same and any(one != other for one, other in together):
            return read.sample(read.states[same[0]])
    for state in part:
        for then in part:
            ways = [label for target, label in read.edges(state, part) if target == then]
            if any(one & other for at, one in enumerate(ways) for other in ways[:at]):
                return read.sample(read.states[then])
    return None


def _handed_over(read: Automaton, first: set[int], then: set[int]) -> str | None:
    for start in first:
        between = read.reached(start)
        for end in then:
            if end in between and (word := _triple(read, start, end, first, then)) is not None:
                return word
    return None


def _triple(read: Automaton, start: int, end: int, first: set[int], then: set[int]) -> str | None:
    """A word that leads from start to start, from start to end and from end to end."""
    waiting = deque([(start, start, end, "")])
    seen = {(start, start, end)}
    while waiting:
        stays, goes, ends, word = waiting.popleft()
        for a, by_a in read.edges(stays, first):
            for c, by_c in read.edges(ends, then):
                if not by_a & by_c:
                    continue
                for b, by_b in read.edges(goes, None):
                    label = by_a & by_b & by_c
                    if label and (a, b, c) == (start, end, end):
                        return word + read.sample(label)
                    if label and (a, b, c) not in seen:
                        seen.add((a, b, c))
                        waiting.append((a, b, c, word + read.sample(label)))
    return None
