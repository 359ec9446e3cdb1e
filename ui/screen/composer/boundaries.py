"""Where characters, words and lines of a text begin and end. A place is an index on a grapheme's boundary."""

import re

import wcwidth

from ui.screen.terminal import cells

_WORD = re.compile(r"\w+")


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


def word_start(text: str, at: int) -> int:
    """Of the last one that begins in front of `at`; else the start of the text."""
    starts = [word.start() for word in _WORD.finditer(text) if word.start() < at]
    return starts[-1] if starts else 0


def word_end(text: str, at: int) -> int:
    """Of the first one that ends behind `at`; else the end of the text."""
    return next((word.end() for word in _WORD.finditer(text) if word.end() > at), len(text))
