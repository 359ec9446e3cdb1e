"""Places in a text: where characters, words and lines begin and end. A place is an index on a grapheme's boundary."""

from typing import Literal

import wcwidth

from ui.screen.composer.editor import FIRST_MARKER
from ui.screen.terminal import cells

Kind = Literal["blank", "word", "sign", "marker"]


def after(text: str, at: int) -> int:
    """Behind the character that begins at `at`; the end of the text stays."""
    if text.isascii():
        return min(at + 1, len(text))
    return at + len(next(iter(cells.graphemes(text[at:])), ""))


def before(text: str, at: int) -> int:
    """Where the character in front of `at` begins; the start of the text stays."""
    return wcwidth.grapheme_boundary_before(text, at) if at > 0 else 0


def line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Before its newline."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


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
