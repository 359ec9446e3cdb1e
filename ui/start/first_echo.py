"""What of the first keys the first frame itself can show: plain text in one row, and backspace. No I/O.

It shows nothing that the composer would show otherwise. What it does not understand ends it: that and all that follows
is for the composer alone.
"""

import codecs
import re
from functools import cache

from ui.start.first_frame import PROMPT

PLAIN = (
    r" -~\u00a1-\u00ac\u00ae-\u02ff"  # Latin
    r"\u0370-\u0377\u0384-\u0482\u048a-\u052f"  # Greek, Cyrillic
    r"\u2010-\u2027\u20a0-\u20bf\u2190-\u21ff\u2600-\u27bf"  # punctuation, currencies, arrows, signs
    r"\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60"  # Chinese, Japanese, Korean
    r"\U0001f300-\U0001f3fa\U0001f400-\U0001f64f\U0001f680-\U0001f6ff\U0001f900-\U0001f9ff"  # pictures
)
"""Ranges of characters that are one by themselves, whatever stands beside them."""
NARROW_BELOW = "\u2200"
"""Of those; some of the others take one cell, too."""
_REPORT = r"\x1b\[(?:[IO]|[<=>?][0-?]*[ -/]*[@-~]|\d+;\d+R)"
"""The terminal says something (focus, an answer): no text, and nothing changes by it."""
_BEGUN = r"\x1b(\[[0-?]*[ -/]*)?"


class Echo:
    def __init__(self, width: int) -> None:
        """width: columns of the terminal."""
        self.text = ""
        """In the composer's row."""
        self.over = False
        self._room = width - len(PROMPT) - 1  # the caret may stand behind the last cell
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._begun = ""
        """A sequence whose rest has not come."""

    def feed(self, data: bytes) -> None:
        """However the bytes were cut."""
        try:
            typed = self._begun + self._utf8.decode(data)
        except UnicodeDecodeError:
            self.over = True
            return
        at = 0
        while not self.over and at < len(typed) and (found := _known().match(typed, at)):
            self._take(found[0])
            at = found.end()
        self._begun = typed[at:]
        self.over = self.over or (bool(self._begun) and not re.fullmatch(_BEGUN, self._begun))

    def _take(self, typed: str) -> None:
        if typed in "\x08\x7f":
            self.text = self.text[:-1]
        elif not typed.startswith("\x1b"):
            longer = self.text + typed
            if _most_cells(longer) > self._room:
                self.over = True  # the composer knows where to wrap
            else:
                self.text = longer


def column(data: bytes, width: int) -> int:
    """Where the cursor is after all that, at most, from 0."""
    echo = Echo(width)
    echo.feed(data)
    return len(PROMPT) + _most_cells(echo.text)


@cache
def _known() -> re.Pattern[str]:
    """Compiled when something is typed: it is a millisecond of the start."""
    return re.compile(f"{_REPORT}|[\x08\x7f]|[{PLAIN}]")


def _most_cells(text: str) -> int:
    return sum(1 if character < NARROW_BELOW else 2 for character in text)
