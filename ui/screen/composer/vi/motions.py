"""Where a motion leads to, from a place in a text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from ui.screen.composer.boundaries import after, before, line_end, line_start
from ui.screen.composer.vi.places import indented, is_empty_line, kind, lines_down, resting

Motion = Callable[[str, int, int | None], int]
"""A text, a place in it and the count that was typed. What cannot be done goes as far as it can."""


def left(text: str, at: int, count: int | None) -> int:
    start = line_start(text, at)
    for _ in range(count or 1):
        at = before(text, at) if at > start else at
    return at


def right(text: str, at: int, count: int | None) -> int:
    end = line_end(text, at)
    for _ in range(count or 1):
        at = after(text, at) if at < end else at
    return at


def word_right(text: str, at: int, count: int | None, *, big: bool = False) -> int:
    for _ in range(count or 1):
        at = past_blanks(text, past_word(text, at, big=big), at)
    return at


def past_word(text: str, at: int, *, big: bool = False) -> int:
    if at >= len(text):
        return at
    here = kind(text, at, big=big)
    while here != "blank" and at < len(text) and kind(text, at, big=big) == here:
        at = after(text, at)
    return at


def past_blanks(text: str, at: int, origin: int) -> int:
    """An empty line is a word, unless one comes from it."""
    while at < len(text) and kind(text, at) == "blank" and (at == origin or not is_empty_line(text, at)):
        at = after(text, at)
    return at


def word_left(text: str, at: int, count: int | None, *, big: bool = False) -> int:
    for _ in range(count or 1):
        at = before(text, at)
        while at > 0 and kind(text, at) == "blank" and not is_empty_line(text, at):
            at = before(text, at)
        while at > 0 and (here := kind(text, at, big=big)) != "blank":
            previous = before(text, at)
            if kind(text, previous, big=big) != here:
                break
            at = previous
    return at


def word_end(text: str, at: int, count: int | None, *, big: bool = False, stay: bool = False) -> int:
    """On its last character. stay: the end of a word that one is on counts."""
    for _ in range(count or 1):
        at = at if stay else after(text, at)
        stay = False
        while at < len(text) and kind(text, at) == "blank":
            at = after(text, at)
        at = past_word(text, at, big=big)
        at = before(text, at)
    return at


def start(text: str, at: int, count: int | None) -> int:  # noqa: ARG001
    return line_start(text, at)


def first_character(text: str, at: int, count: int | None) -> int:  # noqa: ARG001
    return indented(text, at)


def end(text: str, at: int, count: int | None) -> int:
    """On the last character."""
    return resting(text, line_end(text, lines_down(text, at, (count or 1) - 1) if count else at))


def line(text: str, at: int, count: int | None, *, otherwise: int) -> int:  # noqa: ARG001
    """That of this number from 1; otherwise: without one."""
    wanted = otherwise if count is None else count
    return indented(text, lines_down(text, 0, wanted - 1) if wanted > 0 else len(text))


def vertical(text: str, at: int, count: int | None, *, step: int) -> int:
    """To another line, for an operator that takes all of it."""
    return lines_down(text, at, step * (count or 1))


@dataclass(frozen=True)
class Find:
    """A search for a character within the line."""

    how: str
    """f, F, t or T."""
    character: str

    @property
    def turned(self) -> "Find":
        return Find(self.how.swapcase(), self.character)

    def leads_to(self, text: str, at: int, count: int, *, again: bool = False) -> int | None:
        """again: a t that has led to the place before the character goes on to the next one."""
        place, low, high = at, line_start(text, at), line_end(text, at)
        forward = self.how in "ft"
        if again and self.how in "tT":
            place = after(text, at) if forward else before(text, at)
        for _ in range(count):
            if forward:
                place = text.find(self.character, after(text, place), high)
            else:
                place = text.rfind(self.character, low, max(place, low))
            if place < 0:
                return None
        if self.how == "t":
            return before(text, place)
        return after(text, place) if self.how == "T" else place


MOTIONS: Mapping[str, Motion] = {
    "h": left,
    "l": right,
    "w": word_right,
    "W": partial(word_right, big=True),
    "b": word_left,
    "B": partial(word_left, big=True),
    "e": word_end,
    "E": partial(word_end, big=True),
    "0": start,
    "^": first_character,
    "$": end,
    "gg": partial(line, otherwise=1),
    "G": partial(line, otherwise=0),
    "j": partial(vertical, step=1),
    "k": partial(vertical, step=-1),
}
ON_LAST = frozenset("eE$")
"""The character they lead to is a part of what they go over."""
WHOLE_LINES = frozenset({"j", "k", "gg", "G"})
