"""Text as terminal cells: width, wrapping, clipping; the pieces of harmless text."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

import wcwidth

Span = tuple[str, str]
"""Style names separated by blanks, and text."""
Spans = list[Span]


GOES_ON = "↳"
"""In front of what is still the line above."""
SHORT, AT_ONCE = 16, 4000
"""Characters: of plain text that is longer whole rows are cut, so much of it at a time."""
LONGEST_KEPT = 1000
"""Characters of a text whose width is kept."""
_FLAGS = re.compile("(?:[\U0001f1e6-\U0001f1ff]{2}){4,}")
"""A row of flags: wcwidth looks back to its beginning at every letter of it."""
JOINER, NO_JOINER = "\u200d", "\u200c"


def width(text: str) -> int:
    """Cells; escape sequences count nothing."""
    if text.isascii() and text.isprintable():
        return len(text)
    return _measured(text) if len(text) <= LONGEST_KEPT else _measure(text)


def _measure(text: str) -> int:
    short = _FLAGS.sub(lambda flags: flags[0][:2], text)
    return wcwidth.width(_parted(short)) + len(text) - len(short)  # a flag is two letters and two cells


def _parted(text: str) -> str:
    """As wide for wcwidth as it is, which takes any character behind a joiner for a part of what is in front of it."""
    if JOINER not in text:
        return text
    kept = ((one, one.rstrip(JOINER)) for one in wcwidth.iter_graphemes(text))
    return "".join(joined + NO_JOINER * (len(one) - len(joined)) for one, joined in kept)


_measured = lru_cache(maxsize=500)(_measure)
"""Most rows of a frame were in the one before."""


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
    row = _parted(row)
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
    return list(wrapping(spans, cells))


def wrapping(spans: Iterable[Span], cells: int) -> Iterator[Spans]:
    """The same, each row when it is asked for: of half a million characters no more is laid out than is shown."""
    filler = _Filler(max(cells, 1))
    for style, text in spans:
        if len(text) > SHORT and text.isascii() and "\n" not in text:
            for at in range(0, len(text), AT_ONCE):
                filler.take_words(style, text[at : at + AT_ONCE])
                yield from filler.full()
            continue
        for piece in _PIECE.findall(text):
            for part in (piece,) if piece.isascii() else _parts(piece):
                filler.take(style, part)
                if filler.rows:
                    yield from filler.full()
    filler.finish()
    yield from filler.full()


def behind(margin: Span, wrapped: Iterable[Spans]) -> Iterator[Spans]:
    """The rows of one line: each after the first says that it goes on, so that none passes for a line of its own.

    That takes two cells, also where the margin has less.
    """
    goes_on = ("dim", f"{GOES_ON} ".rjust(width(margin[1])))
    for at, row in enumerate(wrapped):
        yield [margin if at == 0 else goes_on, *row]


_PIECE = re.compile(r"\n| +|[^ \n]+")
_RUN = re.compile(r"[\x00-\x7f]{2,}")


def _parts(word: str) -> Iterator[str]:
    """What is plain at once, all else by graphemes: a mark belongs to the letter before it."""
    at = 0
    for run in _RUN.finditer(word):
        yield from wcwidth.iter_graphemes(word[at : run.start()])
        at = run.end() - (run.end() < len(word))
        yield word[run.start() : at]
    yield from wcwidth.iter_graphemes(word[at:])


class _Filler:
    def __init__(self, cells: int) -> None:
        self._cells = cells
        self.rows: list[Spans] = []
        """That are full."""
        self._row: list[tuple[str, list[str]]] = []
        """A style and the pieces of its text: there may be any number that take no cell."""
        self._used = 0
        self._gap: Span = ("", "")
        self._word: list[tuple[str, str, int]] = []
        """Its pieces, and the cells of each."""
        self._word_width = 0
        self._breaks = False
        """The word is longer than a row, so what comes of it goes into the rows at once."""

    def full(self) -> list[Spans]:
        rows, self.rows = self.rows, []
        return rows

    def take(self, style: str, piece: str) -> None:
        if piece == "\n":
            self._place()
            self._end_row()
        elif piece[0] == " ":
            self._place()
            self._gap = (style, self._gap[1] + piece)
        elif piece.isascii():
            self._add(style, piece, len(piece))
        elif (size := wcwidth.width(piece)) > 1:  # a line may end on either side of a wide character
            self._place()
            self._add(style, piece, size)
            self._place()
        else:
            self._add(style, piece, size)

    def take_words(self, style: str, text: str) -> None:
        """As piece by piece, but whole rows: ASCII without a newline. Its first and last word may be parts of one."""
        first = text.find(" ", len(text) - len(text.lstrip(" ")))
        last = text.rfind(" ") + 1
        words = text[first:last].rstrip(" ") if first >= 0 else ""
        if words:
            for piece in _PIECE.findall(text, 0, first):
                self.take(style, piece)
            self._place()
            self._fill(style, words)
            text = text[first + len(words) :]
        for piece in _PIECE.findall(text):
            self.take(style, piece)

    def _fill(self, style: str, words: str) -> None:
        """Behind a word, with the blanks between them. Each of these words is whole."""
        at = 0
        while len(words) - at > (room := self._cells - self._used):
            end = words.rfind(" ", at, at + room + 1)
            if fitting := words[at : max(end, at)].rstrip(" "):
                self._put(style, fitting, len(fitting))
            self._end_row()
            at = max(end, at)
            at += len(words) - at - len(words[at:].lstrip(" "))
            end = words.find(" ", at)
            word = words[at : end if end >= 0 else len(words)]
            if len(word) > self._cells:
                self._break(style, word, len(word))
                at += len(word)
        if at < len(words):
            self._put(style, words[at:], len(words) - at)

    def finish(self) -> None:
        self._place()
        self._end_row()

    def _add(self, style: str, text: str, size: int) -> None:
        if self._breaks:
            self._break(style, text, size)
            return
        self._word.append((style, text, size))
        self._word_width += size
        if self._word_width > self._cells:
            self._put_word()
            self._breaks = True

    def _place(self) -> None:
        """The word is complete: into this row if it fits, else into the next."""
        if self._word:
            self._put_word()
        self._breaks = False

    def _put_word(self) -> None:
        """Behind the blanks before it, or at the start of a row; what does not fit there is broken."""
        gap = len(self._gap[1])
        if self._row and self._used + gap + self._word_width > self._cells:
            self._end_row()
            gap = 0
        if gap and gap + self._used < self._cells:
            self._put(*self._gap, gap)
        self._gap = ("", "")
        put = self._put if self._used + self._word_width <= self._cells else self._break
        for style, text, size in self._word:
            put(style, text, size)
        self._word, self._word_width = [], 0

    def _break(self, style: str, text: str, size: int) -> None:
        """A row at a time: a word may have a megabyte."""
        if not text.isascii():
            if self._used + size > self._cells and self._row:
                self._end_row()
            self._put(style, text, size)
            return
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
        self.rows.append([(style, "".join(pieces)) for style, pieces in self._row])
        self._row, self._used, self._gap = [], 0, ("", "")
