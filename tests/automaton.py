"""The position automaton of a regular expression (Glushkov, 1961), made from the tree of Python's own parser."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

SUBSETS = 2000
"""States of the determinised automaton after which a failing end is taken for granted."""
COPIES = 3
"""Of the body of a bounded repeat: what it does beyond them it does at most so often for each character."""
_CHARACTERS = {_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN}
_ENDINGS = {_constants.AT_END, _constants.AT_END_STRING}
Node = tuple[Any, Any]
"""Of Python's own tree: what it is, and of what."""
Pass = tuple[int, int]
"""What has to be before (characters or the beginning) and after (characters or the end) to come through for nothing."""


@dataclass
class Piece:
    """A part of a pattern. Sets of characters are bits of a number."""

    empty: list[Pass] = field(default_factory=list)
    first: list[tuple[int, int, int]] = field(default_factory=list)
    """Before, after (the character read), position."""
    last: list[tuple[int, int, int]] = field(default_factory=list)
    """Position, before (the character read), after."""


@dataclass
class Automaton:
    alphabet: list[str]
    end: int
    """The bit that stands for the end of the text."""
    states: list[int] = field(default_factory=list)
    """The characters that each has just read."""
    out: list[list[tuple[int, int]]] = field(default_factory=list)
    """State and characters."""
    accepts: list[int] = field(default_factory=list)
    """What may come after."""

    def edges(self, state: int, inside: set[int] | None) -> list[tuple[int, int]]:
        return [(to, label) for to, label in self.out[state] if inside is None or to in inside]

    def follows(self, state: int) -> Iterator[int]:
        return (to for to, _ in self.out[state])

    def loops(self, part: set[int]) -> bool:
        return len(part) > 1 or any(to in part for state in part for to in self.follows(state))

    def reached(self, start: int) -> set[int]:
        found, waiting = {start}, [start]
        while waiting:
            for to in self.follows(waiting.pop()):
                if to not in found:
                    found.add(to)
                    waiting.append(to)
        return found

    def sample(self, label: int) -> str:
        printable = [char for at, char in enumerate(self.alphabet) if label >> at & 1]
        return next((char for char in printable if char.isalnum()), printable[0] if printable else "")

    def failing(self) -> "Automaton":
        """Without the states that are as good as a success: whatever follows them is accepted."""
        fails = [self._can_fail(state) for state in range(len(self.states))]
        out = [[edge for edge in edges if fails[edge[0]]] if fails[at] else [] for at, edges in enumerate(self.out)]
        return replace(self, out=out)

    def _can_fail(self, start: int) -> bool:
        seen = {frozenset([start])}
        waiting = deque(seen)
        while waiting and len(seen) < SUBSETS:
            states = waiting.popleft()
            taken = 0
            for state in states:
                taken |= self.accepts[state]
            for bit in (1 << at for at in range(len(self.alphabet) + 1)):
                if bit & taken:
                    continue
                then = frozenset(to for state in states for to, label in self.out[state] if label & bit)
                if not then:
                    return True
                if then not in seen:
                    seen.add(then)
                    waiting.append(then)
        return bool(waiting)


def automaton(pattern: re.Pattern[str] | re.Pattern[bytes], method: str) -> Automaton:
    """That reads as this method of the pattern does: search has a state in front that reads anything."""
    return _Maker(pattern).made(method)


class _Maker:
    def __init__(self, pattern: re.Pattern[str] | re.Pattern[bytes]) -> None:
        self.tree = _parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
        self.is_text = isinstance(pattern.pattern, str)
        self.alphabet = _alphabet(pattern.pattern)
        self.chars = (1 << len(self.alphabet)) - 1
        self.end, self.begin = self.chars + 1, (self.chars + 1) << 1
        self.all = self.chars | self.end | self.begin
        self.positions: list[int] = []
        self.follow: list[tuple[int, int, int, int]] = []
        self.groups: dict[int, Any] = {}
        self.words = self._set((_constants.IN, [(_constants.CATEGORY, _constants.CATEGORY_WORD)]), pattern.flags)

    def made(self, method: str) -> Automaton:
        whole = self._sequence(self.tree, self.tree.state.flags)
        if method == "fullmatch":
            whole.last = [(at, before, after & self.end) for at, before, after in whole.last]
        if method == "search":
            start = self._position(self.chars)
            self.follow.append((start, start, self.all, self.all))
            self.follow += [(start, to, before, after) for before, after, to in whole.first]
            whole.last += [(start, before, after) for before, after in whole.empty]
        return self._split(whole)

    def _split(self, whole: Piece) -> Automaton:
        """A position whose ways out depend on the character it read becomes several states."""
        made = Automaton(self.alphabet, self.end)
        states: list[list[int]] = []
        for position, chars in enumerate(self.positions):
            parts = {chars}
            for before in {edge[2] for edge in self.follow if edge[0] == position} | {
                last[1] for last in whole.last if last[0] == position
            }:
                parts = {half for part in parts for half in (part & before, part & ~before) if half}
            states.append(list(range(len(made.states), len(made.states) + len(parts))))
            made.states += sorted(parts)
        made.out = [[] for _ in made.states]
        made.accepts = [0] * len(made.states)
        for start, to, before, after in self.follow:
            for one, other in product(states[start], states[to]):
                if made.states[one] & before and (label := made.states[other] & after):
                    made.out[one].append((other, label))
        for start, before, after in whole.last:
            for one in states[start]:
                if made.states[one] & before:
                    made.accepts[one] |= after
        return made

    def _position(self, chars: int) -> int:
        self.positions.append(chars)
        return len(self.positions) - 1

    def _one(self, chars: int) -> Piece:
        at = self._position(chars)
        return Piece([], [(self.all, self.all, at)], [(at, self.all, self.all)])

    def _set(self, node: Node, flags: int) -> int:
        state = _parser.State()
        state.flags = flags
        one = _compiler.compile(_parser.SubPattern(state, [node]), flags & ~re.DEBUG)
        texts = self.alphabet if self.is_text else [char.encode("latin-1") for char in self.alphabet]
        return sum(1 << at for at, char in enumerate(texts) if one.match(char))

    def _sequence(self, nodes: Iterable[Any], flags: int) -> Piece:
        piece = Piece([(self.all, self.all)])
        for node in nodes:
            piece = self._then(piece, self._node(node, flags))
        return piece

    def _then(self, one: Piece, other: Piece) -> Piece:
        self._link(one, other)
        return Piece(
            list(dict.fromkeys((a & c, b & d) for (a, b), (c, d) in product(one.empty, other.empty))),
            one.first + [(a & c, b & d, to) for (a, b), (c, d, to) in product(one.empty, other.first)],
            other.last + [(at, a & c, b & d) for (at, a, b), (c, d) in product(one.last, other.empty)],
        )

    def _link(self, one: Piece, other: Piece) -> None:
        for (start, a, b), (c, d, to) in product(one.last, other.first):
            if self.positions[start] & a & c and self.positions[to] & b & d:
                self.follow.append((start, to, a & c, b & d))

    def _either(self, pieces: Iterable[Piece]) -> Piece:
        made = Piece()
        for piece in pieces:
            made = Piece(made.empty + piece.empty, made.first + piece.first, made.last + piece.last)
        return made

    def _node(self, node: Node, flags: int) -> Piece:
        kind, value = node
        makers: dict[Any, Callable[[], Piece]] = {
            _constants.SUBPATTERN: lambda: self._group(value, flags),
            _constants.GROUPREF: lambda: self._group(self.groups[value], flags),
            _constants.BRANCH: lambda: self._either([self._sequence(branch, flags) for branch in value[1]]),
            _constants.MAX_REPEAT: lambda: self._repeat(value, flags, possessive=False),
            _constants.MIN_REPEAT: lambda: self._repeat(value, flags, possessive=False),
            _constants.POSSESSIVE_REPEAT: lambda: self._repeat(value, flags, possessive=True),
            _constants.ATOMIC_GROUP: lambda: self._atomic(value, flags),
            _constants.ASSERT: lambda: self._around(value, flags, negated=False),
            _constants.ASSERT_NOT: lambda: self._around(value, flags, negated=True),
            _constants.AT: lambda: self._place(value, flags),
        }
        return makers[kind]() if kind in makers else self._one(self._set(node, flags))

    def _group(self, value: tuple[Any, ...], flags: int) -> Piece:
        number, add, remove, body = value
        if number is not None:
            self.groups[number] = value
        return self._sequence(body, (flags | add) & ~remove)

    def _repeat(self, value: tuple[Any, ...], flags: int, *, possessive: bool) -> Piece:
        least, most, body = value
        unbounded = most == _constants.MAXREPEAT
        copies = min(max(least, 1) if unbounded else most, COPIES)
        piece = Piece([(self.all, self.all)])
        for copy in range(copies):
            one = self._sequence(body, flags)
            if unbounded and copy == copies - 1:
                self._link(one, one)
                if possessive:
                    one = self._held(one)
            if copy >= least:
                one.empty = [(self.all, self.all if not (unbounded and possessive) else ~self._starts(one))]
            piece = self._then(piece, one)
        return piece

    def _starts(self, piece: Piece) -> int:
        starts = 0
        for _, after, to in piece.first:
            starts |= self.positions[to] & after
        return starts

    def _held(self, piece: Piece) -> Piece:
        """What is repeated possessively ends only before what could not begin it again."""
        rest = ~self._starts(piece)
        return Piece(piece.empty, piece.first, [(at, before, after & rest) for at, before, after in piece.last])

    def _atomic(self, body: Iterable[Node], flags: int) -> Piece:
        *before, (kind, value) = list(body)
        if kind == _constants.MAX_REPEAT and len(value[2]) == 1:
            kind = _constants.POSSESSIVE_REPEAT
        return self._sequence([*before, (kind, value)], flags)

    def _around(self, value: tuple[Any, ...], flags: int, *, negated: bool) -> Piece:
        """One character before or after is exact; what is longer is read and leads nowhere, or passed over."""
        direction, body = value
        if len(body) == 1 and body[0][0] in _CHARACTERS:
            found = self._set(body[0], flags)
            found = self.all & ~found if negated else found
            return Piece([(found, self.all) if direction < 0 else (self.all, found)])
        if direction > 0:
            return Piece([(self.all, self.all)], self._sequence(body, flags).first)
        ends = self._set(body[-1], flags) if not negated and body[-1][0] in _CHARACTERS else self.all
        return Piece([(ends, self.all)])

    def _place(self, where: int, flags: int) -> Piece:
        newline = 1 << self.alphabet.index("\n") if flags & re.MULTILINE else 0
        if where in (_constants.AT_BEGINNING, _constants.AT_BEGINNING_STRING):
            return Piece([(self.begin | (newline if where == _constants.AT_BEGINNING else 0), self.all)])
        if where in _ENDINGS:
            return Piece([(self.all, self.end | (newline if where == _constants.AT_END else 0))])
        others = self.all & ~self.words
        if where == _constants.AT_BOUNDARY:
            return Piece([(self.words, others), (others, self.words)])
        return Piece([(self.words, self.words), (others, others)])


def _alphabet(pattern: str | bytes) -> list[str]:
    """A character for each set that the pattern can tell apart."""
    if isinstance(pattern, bytes):
        return [chr(code) for code in range(256)]
    named = {ord(char) for char in pattern}
    for code in re.findall(r"\\[xuU]([0-9a-fA-F]{2,8})", pattern):
        named.add(int(code, 16))
    beside = {code + step for code in named for step in (-1, 0, 1) if 0 <= code + step < 0x110000}
    return [chr(code) for code in sorted({*range(128), 0xE9, 0x2003, 0x2603, *beside})]


def components(states: Iterable[Any], follows: Callable[[Any], Iterable[Any]]) -> list[set[Any]]:
    """Of what leads to each other in a circle (Tarjan, 1972), without recursion."""
    index: dict[Any, int] = {}
    low: dict[Any, int] = {}
    path: list[Any] = []
    on_path: set[Any] = set()
    found: list[set[Any]] = []
    for start in states:
        if start in index:
            continue
        index[start] = low[start] = len(index)
        path.append(start)
        on_path.add(start)
        open_ones = [(start, iter(follows(start)))]
        while open_ones:
            state, rest = open_ones[-1]
            for to in rest:
                if to not in index:
                    index[to] = low[to] = len(index)
                    path.append(to)
                    on_path.add(to)
                    open_ones.append((to, iter(follows(to))))
                    break
                if to in on_path:
                    low[state] = min(low[state], index[to])
            else:
                open_ones.pop()
                if open_ones:
                    low[open_ones[-1][0]] = min(low[open_ones[-1][0]], low[state])
                if low[state] == index[state]:
                    part: set[Any] = set()
                    while state not in part:
                        part.add(last := path.pop())
                        on_path.discard(last)
                    found.append(part)
    return found
