"""Places in a text that commands go by: the rest of the cursor, lines below, kinds of characters."""

from typing import Literal

from ui.screen.composer.boundaries import before, line_end, line_start
from ui.screen.composer.editor import FIRST_MARKER

Kind = Literal["blank", "word", "sign", "marker"]


def indented(text: str, at: int) -> int:
    """The first character of the line of `at` that is not blank; the last one where there is none."""
    start, end = line_start(text, at), line_end(text, at)
    line = text[start:end]
    if not line.strip():
        return resting(text, end)
    return start + len(line) - len(line.lstrip())


def resting(text: str, at: int) -> int:
    """Where a cursor between commands is, which stands on a character and not behind the last one of its line."""
    behind = at > 0 and (at >= len(text) or text[at] == "\n") and text[at - 1] != "\n"
    return before(text, at) if behind else at


def lines_down(text: str, at: int, count: int) -> int:
    """The start of the line so many below that of `at`, above where it is negative; the last or first at most."""
    at = line_start(text, at)
    for _ in range(abs(count)):
        if count < 0:
            at = line_start(text, max(at - 1, 0))
        elif (end := line_end(text, at)) < len(text):
            at = end + 1
    return at


def kind(text: str, at: int, *, big: bool = False) -> Kind:
    """Of the character at `at`, which there is; big: all that is not blank is alike."""
    character = text[at]
    if character.isspace():
        return "blank"
    if big or character.isalnum() or character == "_":
        return "word"
    return "marker" if ord(character) >= FIRST_MARKER else "sign"


def is_empty_line(text: str, at: int) -> bool:
    return line_start(text, at) == line_end(text, at)
