"""Text as terminal cells: width, wrapping, clipping; the pieces of harmless text."""

import re
from collections.abc import Iterable

import wcwidth

Span = tuple[str, str]
"""Style names separated by blanks, and text."""
Spans = list[Span]


GOES_ON = "↳"
"""In front of what is still the line above."""
_FLAGS = re.compile("(?:[\U0001f1e6-\U0001f1ff]{2}){4,}")
"""A row of flags: wcwidth looks back to its beginning at every letter of it."""


def width(text: str) -> int:
    """Cells; escape sequences count nothing."""
    if text.isascii() and text.isprintable():
        return len(text)
    short = _FLAGS.sub(lambda flags: flags[0][:2], text)
    return wcwidth.width(short) + len(text) - len(short)  # a flag is two letters and two cells


def graphemes(text: str) -> Iterable[str]:
    """What a person takes for one character."""
    return text if text.isascii() else wcwidth.iter_graphemes(text)


def boundary(text: str, at: int) -> int:
    """The first place at or behind `at` where a grapheme ends."""
    behind = 0
    for grapheme in graphemes(text):
        if behind >= at:
            break
        behind += len(grapheme)
    return behind


def clip(row: str, cells: int, end: str = "…") -> str:
    """A row with escape sequences, cut to so many cells."""
    if width(row) <= cells:
        return row
    if cells <= len(end):
        return wcwidth.clip(row, 0, max(cells, 0))
    return wcwidth.clip(row, 0, cells - width(end)) + end


def extent(row: str, cells: int) -> tuple[int, int]:
    """Screen rows a row takes when the terminal wraps it, and the cells used in the last of them."""
    if (total := width(row)) <= cells:
        return 1, total
    if row.isascii():
        rows = -(-total // cells)
        return rows, total - (rows - 1) * cells
    rows, used = 1, 0
    for grapheme in wcwidth.iter_graphemes(wcwidth.strip_sequences(row)):
        size = wcwidth.width(grapheme)
        if used + size > cells:  # a wide character does not fit in the last cell
            rows, used = rows + 1, 0
        used += size
    return rows, used


def height(row: str, cells: int) -> int:
    return extent(row, cells)[0]


def wrap(spans: Iterable[Span], cells: int) -> list[Spans]:
    """Words are joined across spans; indentation is kept after a newline and dropped after a wrap."""
    filler = _Filler(max(cells, 1))
    for style, text in spans:
        for piece in _PIECE.findall(text):
            filler.take(style, piece)
    return filler.finish()


def behind(margin: Span, wrapped: Iterable[Spans]) -> list[Spans]:
    """The rows of one line: each after the first says that it goes on, so that none passes for a line of its own.

    That takes two cells, also where the margin has less.
    """
    goes_on = ("dim", f"{GOES_ON} ".rjust(width(margin[1])))
    return [[margin if at == 0 else goes_on, *row] for at, row in enumerate(wrapped)]


_PIECE = re.compile(r"\n| +|[^ \n]+")


class _Filler:
    def __init__(self, cells: int) -> None:
        self._cells = cells
        self._rows: list[Spans] = []
        self._row: list[tuple[str, list[str]]] = []
        """A style and the pieces of its text: there may be any number that take no cell."""
        self._used = 0
        self._gap: Span = ("", "")
        self._word: Spans = []
        self._word_width = 0

    def take(self, style: str, piece: str) -> None:
        if piece == "\n":
            self._place()
            self._end_row()
        elif piece[0] == " ":
            self._place()
            self._gap = (style, self._gap[1] + piece)
        elif piece.isascii():
            self._add(style, piece, len(piece))
        else:
            for grapheme in wcwidth.iter_graphemes(piece):
                self._take_grapheme(style, grapheme, wcwidth.width(grapheme))

    def _take_grapheme(self, style: str, grapheme: str, size: int) -> None:
        if size > 1:  # a line may end on either side of a wide character
            self._place()
        self._add(style, grapheme, size)
        if size > 1:
            self._place()

    def finish(self) -> list[Spans]:
        self._place()
        self._end_row()
        return self._rows

    def _add(self, style: str, text: str, size: int) -> None:
        self._word.append((style, text))
        self._word_width += size

    def _place(self) -> None:
        """The word is complete: into this row if it fits, else into the next."""
        if not self._word:
            return
        gap = len(self._gap[1])
        if self._row and self._used + gap + self._word_width > self._cells:
            self._end_row()
            gap = 0
        if gap and gap + self._used < self._cells:
            self._put(*self._gap, gap)
        self._gap = ("", "")
        if self._used + self._word_width <= self._cells:
            for style, text in self._word:
                self._put(style, text, 0)
            self._used += self._word_width
        else:
            self._break_word()
        self._word, self._word_width = [], 0

    def _break_word(self) -> None:
        for style, text in self._word:
            if text.isascii():
                self._break_ascii(style, text)
                continue
            for grapheme in wcwidth.iter_graphemes(text):
                size = width(grapheme)
                if self._used + size > self._cells and self._row:
                    self._end_row()
                self._put(style, grapheme, size)

    def _break_ascii(self, style: str, text: str) -> None:
        """A row at a time: a word may have a megabyte."""
        at = 0
        while at < len(text):
            if self._used >= self._cells:
                self._end_row()
            part = text[at : at + self._cells - self._used]
            self._put(style, part, len(part))
            at += len(part)

    def _put(self, style: str, text: str, size: int) -> None:
        if self._row and self._row[-1][0] == style:
            self._row[-1][1].append(text)
        else:
            self._row.append((style, [text]))
        self._used += size

    def _end_row(self) -> None:
        self._rows.append([(style, "".join(pieces)) for style, pieces in self._row])
        self._row, self._used, self._gap = [], 0, ("", "")
