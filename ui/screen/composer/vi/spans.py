"""Which part of a text an operator is about."""

from dataclasses import dataclass

from ui.screen.composer.boundaries import after, line_end, line_start
from ui.screen.composer.vi import objects
from ui.screen.composer.vi.grammar import LINES, Command
from ui.screen.composer.vi.motions import MOTIONS, ON_LAST, WHOLE_LINES, Find, past_blanks, past_word, word_end
from ui.screen.composer.vi.places import indented, kind, lines_down


@dataclass(frozen=True)
class Span:
    begin: int
    end: int
    lines: bool = False
    """Whole ones, without the newline of the last."""


def target(text: str, at: int, command: Command, last: Find | None) -> int | None:
    """Where its motion leads. last: the search that ; and , repeat. None: nowhere."""
    match command.motion:
        case ";" | ",":
            find = last.turned if last is not None and command.motion == "," else last
            return None if find is None else find.leads_to(text, at, command.times, again=True)
        case "f" | "F" | "t" | "T":
            return Find(command.motion, command.character).leads_to(text, at, command.times)
        case motion:
            return MOTIONS[motion](text, at, command.count)


def span(text: str, at: int, command: Command, last: Find | None) -> Span | None:
    """What its operator goes over; None: nothing."""
    motion = command.motion
    if motion == LINES:
        return Span(line_start(text, at), line_end(text, lines_down(text, at, command.times - 1)), lines=True)
    if motion[0] in "ia":
        return _object(text, at, command)
    if motion in ("w", "W"):
        return Span(at, _behind_words(text, at, command))
    to = target(text, at, command, last)
    if to is None:
        return None
    low, high = sorted((at, to))
    if motion in WHOLE_LINES:
        stays = motion in "jk" and line_start(text, at) == line_start(text, to)
        return None if stays else Span(line_start(text, low), line_end(text, high), lines=True)
    if motion in ON_LAST or (motion in "ft;," and to > at):
        return Span(low, after(text, high) if high < line_end(text, high) else high)
    return _before_line(text, Span(low, high))


def _before_line(text: str, it: Span) -> Span:
    """What ends at the start of a line ends with the one before, and is all of it from its first word on."""
    if it.end != line_start(text, it.end) or it.begin >= it.end:
        return it
    return Span(
        line_start(text, it.begin) if (whole := it.begin <= indented(text, it.begin)) else it.begin, it.end - 1, whole
    )


def _behind_words(text: str, at: int, command: Command) -> int:
    """The last of them leads to no other line; to change one is to leave the blanks behind it."""
    big = command.motion == "W"
    if command.operator == "c" and at < len(text) and kind(text, at) != "blank":
        return after(text, word_end(text, at, command.count, big=big, stay=True))
    for _ in range(command.times - 1):
        at = past_blanks(text, past_word(text, at, big=big), at)
    at = past_word(text, at, big=big)
    end = line_end(text, at)
    while at < end and kind(text, at) == "blank":
        at = after(text, at)
    return at


def _object(text: str, at: int, command: Command) -> Span | None:
    found = objects.found(text, at, command.motion, command.times)
    if found is None:
        return None
    begin, end = found
    inside = command.motion[0] == "i" and command.motion[1] in objects.PAIRS
    if inside and text[begin:end].startswith("\n") and not text[line_start(text, end) : end].strip():
        return Span(begin + 1, max(line_start(text, end) - 1, begin + 1), lines=True)  # brackets on lines of their own
    return Span(begin, end)
