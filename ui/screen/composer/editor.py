"""The text being composed: graphemes, undo, kill ring, vertical moves over wrapped rows. No I/O, no keys.

A big paste is one private-use character in the text, so that it moves and deletes as a whole; `expanded` gives it back.
So is an attached file: it goes with the prompt while its character is there.
"""

import re
from typing import Literal

import msgspec

from actors.common.plurals import how_many
from ui.common import harmless
from ui.common.attached_files import AttachedFile
from ui.screen.composer.boundaries import after, before, line_end, line_start, word_end, word_start
from ui.screen.composer.wrapping import Row, plain_rows
from ui.screen.terminal import cells

FIRST_MARKER = 0xF0000
"""Plane 15: such characters in what the user types are not kept."""
PASTE_LINES = 10
PASTE_CHARACTERS = 1000
"""A longer paste becomes a marker."""
UNDO_STEPS = 200
KILLS = 20
PUT_IN = ("insert", "paste", "attach", "yank", "recall")
GROUPED = ("insert", "recall")
"""In a row they are one step for undo."""
_PRIVATE = re.compile("[\U000f0000-\U0010ffff]")


class Draft(msgspec.Struct, frozen=True):
    """A composition with what its markers stand for."""

    text: str
    pastes: dict[str, str] = {}
    files: dict[str, AttachedFile] = {}


class Editor:
    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self.pastes: dict[str, str] = {}
        self.files: dict[str, AttachedFile] = {}
        self.marked = False
        """All of it: what is put in takes its place, any other key changes it."""
        self._undo: list[tuple[str, int]] = []
        self._redo: list[tuple[str, int]] = []
        self.kills: list[str] = []
        self._yanked: tuple[int, int] | None = None
        """Where the last yank went, while nothing else was done."""
        self._recalled = (0, 0)
        """Where the last recalled word went."""
        self._last = ""
        """What the last change was: typing and killing group."""
        self._column: int | None = None
        """Cells from the left that vertical moves aim for."""
        self._step: Literal["", "begun", "changed"] = ""
        """Changes are one step for undo, until it is ended."""

    # what others see

    @property
    def expanded(self) -> str:
        return self.spelled(self.text)

    @property
    def attached(self) -> tuple[AttachedFile, ...]:
        """The files whose markers are there."""
        return tuple(self.files[character] for character in dict.fromkeys(self.text) if character in self.files)

    @property
    def draft(self) -> Draft:
        return Draft(self.text, dict(self.pastes), dict(self.files))

    def shown(self, text: str) -> str:
        """Text with its markers as words."""
        return "".join(self.label(character) for character in text) if self.pastes or self.files else text

    def spelled(self, text: str) -> str:
        return "".join(self.pastes.get(character) or self.label(character) for character in text)

    def label(self, grapheme: str) -> str:
        marker, joined = grapheme[:1], grapheme[1:]
        if file := self.files.get(marker):
            return f"[{file.kind} #{list(self.files).index(marker) + 1} {file.told}]{joined}"
        if (pasted := self.pastes.get(marker)) is None:
            return grapheme
        lines = pasted.count("\n") + 1
        return f"[pasted {how_many(lines, 'line') if lines > 1 else how_many(len(pasted), 'character')}]{joined}"

    def layout(self, width: int) -> list[Row]:
        """Wrapped at blanks where there are some; never wider than width, at least one row."""
        rows: list[Row] = []
        start = 0
        for line in self.text.split("\n"):
            # a prompt of a megabyte that comes back is wrapped with every key
            plain = line.isascii() and line.isprintable()
            rows += plain_rows(line, start, width) if plain else self._rows(start, start + len(line), width)
            start += len(line) + 1
        return rows

    def _rows(self, start: int, stop: int, width: int) -> list[Row]:
        """Of the line text[start:stop]."""
        rows: list[Row] = []
        at, used, breakable = start, 0, -1
        for grapheme in cells.graphemes(self.text[start:stop]):
            size = cells.width(self.label(grapheme))
            if used + size > width and at > start:
                end = breakable if breakable > start else at
                rows.append(Row(start, end))
                if end < at and self._cells(self.text[end:at]) + size > width:  # what went on fills the row already
                    rows.append(Row(end, at))
                    end = at
                start, breakable = end, -1
                used = self._cells(self.text[start:at]) + size
            else:
                used += size
            at += len(grapheme)
            if grapheme == " ":
                breakable = at
        return [*rows, Row(start, stop)]

    def caret(self, width: int) -> tuple[int, int]:
        """Row and cell of the cursor."""
        rows = self.layout(width)
        row = max(number for number, row in enumerate(rows) if row.start <= self.cursor)
        return row, self._cells(self.text[rows[row].start : self.cursor])

    @property
    def is_typed_in(self) -> bool:
        """What was done last is typing, letter by letter: nothing was moved, pasted or brought back."""
        return self._last in ("insert", "delete", "kill", "complete")

    @property
    def is_recalling(self) -> bool:
        """What was done last is a word that was put in for this place, and the next one would replace it."""
        return self._last == "recall"

    # changes

    def insert(self, text: str) -> None:
        text = _PRIVATE.sub("�", harmless.sanitise(text))
        self._change("insert" if text != "\n" else "newline")
        self._put(text)

    def paste(self, text: str) -> None:
        text = _PRIVATE.sub("�", harmless.sanitise(text))
        self._change("paste")
        if len(text) > PASTE_CHARACTERS or text.count("\n") >= PASTE_LINES:
            marker = self._new_marker()
            self.pastes[marker] = text
            text = marker
        self._put(text)

    def attach(self, file: AttachedFile) -> None:
        self._change("attach")
        marker = self._new_marker()
        self.files[marker] = file
        self._put(f"{marker} ")

    def restore(self, draft: Draft) -> None:
        """In place of what is there."""
        self._change("replace")
        if (draft.pastes, draft.files) != (self.pastes, self.files):
            self._forget_markers()
        self.pastes, self.files = dict(draft.pastes), dict(draft.files)
        self.text, self.cursor = draft.text, len(draft.text)

    def put_before(self, draft: Draft) -> None:
        """In front of what is there, which the cursor stays behind."""
        self._change("replace")
        markers: dict[str, str] = {}
        for known in (*draft.pastes, *draft.files):
            marker = markers[known] = self._new_marker()
            if known in draft.pastes:
                self.pastes[marker] = draft.pastes[known]
            else:
                self.files[marker] = draft.files[known]
        text = "".join(markers.get(character, character) for character in draft.text)
        self.text = text + ("\n\n" if text and self.text else "") + self.text
        self.cursor = len(self.text)

    def replace(self, text: str) -> None:
        """Another text altogether; undo brings this one back."""
        self._change("replace")
        self.text, self.cursor = text, len(text)

    def complete(self, start: int, end: int, text: str) -> None:
        """A word's end put in; a blank at its end only where there is none yet."""
        self._change("complete")
        behind = self.text[end:]
        text = text[:-1] if text.endswith(" ") and behind[:1].isspace() else text
        self.text, self.cursor = self.text[:start] + text + behind, start + len(text)

    def mark(self, text: str) -> None:
        self.replace(text)
        self.marked = True

    def take_back(self, text: str) -> None:
        """What `shown` gave of the whole text, changed by somebody else: labels that are left are their markers."""
        text = _PRIVATE.sub("�", harmless.sanitise(text))
        for character in self.text:
            if character in self.pastes or character in self.files:
                text = text.replace(self.label(character), character, 1)
        if text != self.text:
            self.replace(text)

    def clear(self) -> None:
        """A new composition: nothing of the last one can be undone into it."""
        self._forget_markers()
        self.text, self.cursor, self.pastes, self.files = "", 0, {}, {}
        self._last, self._column, self.marked = "", None, False
        self._step = self._step and "begun"

    def exchange(self, start: int, end: int, text: str) -> None:
        """What is between these places for a text that may have markers; the cursor goes behind it."""
        self._change("exchange")
        self.text, self.cursor = self.text[:start] + self.text[end:], start
        self._put(text)

    def keep(self, text: str) -> None:
        self.kills = [*self.kills, text][-KILLS:]

    def begin_step(self) -> None:
        self._step = "begun"

    def end_step(self) -> None:
        self._step, self._last = "", ""

    def delete_back(self) -> None:
        self._cut(before(self.text, self.cursor), self.cursor)

    def delete_forward(self) -> None:
        self._cut(self.cursor, after(self.text, self.cursor))

    def kill_line(self) -> None:
        end = line_end(self.text, self.cursor)
        self._kill(self.cursor, end if end > self.cursor else after(self.text, end))

    def kill_line_back(self) -> None:
        start = line_start(self.text, self.cursor)
        self._kill(start if start < self.cursor else before(self.text, start), self.cursor)

    def kill_word_back(self) -> None:
        self._kill(word_start(self.text, self.cursor), self.cursor)

    def kill_word_forward(self) -> None:
        self._kill(self.cursor, word_end(self.text, self.cursor))

    def yank(self) -> None:
        if self.kills:
            self._change("yank")
            self._yanked = (self.cursor, self.cursor + len(self.kills[-1]))
            self._put(self.kills[-1])

    def yank_other(self) -> None:
        """Right after a yank: the kill before that one instead."""
        if self._yanked is None or not self.kills:
            return
        start, end = self._yanked
        self.kills.insert(0, self.kills.pop())
        self._change("yank")
        self.text, self.cursor = self.text[:start] + self.text[end:], start
        self._yanked = (start, start + len(self.kills[-1]))
        self._put(self.kills[-1])

    def recall(self, word: str) -> None:
        """What somebody has found for this place; right after another such word it takes its place."""
        replaced = self._recalled if self.is_recalling else None
        self._change("recall")
        start, end = replaced or (self.cursor, self.cursor)
        self.text, self.cursor = self.text[:start] + self.text[end:], start
        self._recalled = (start, start + len(word))
        self._put(word)

    def undo(self) -> None:
        self._travel(self._undo, self._redo)

    def redo(self) -> None:
        self._travel(self._redo, self._undo)

    # moves

    def left(self) -> None:
        self.go(before(self.text, self.cursor))

    def right(self) -> None:
        self.go(after(self.text, self.cursor))

    def word_left(self) -> None:
        self.go(word_start(self.text, self.cursor))

    def word_right(self) -> None:
        self.go(word_end(self.text, self.cursor))

    def line_start(self) -> None:
        self.go(line_start(self.text, self.cursor))

    def line_end(self) -> None:
        self.go(line_end(self.text, self.cursor))

    def up(self, width: int) -> bool:
        """False at the first row."""
        return self._vertical(width, -1)

    def down(self, width: int) -> bool:
        """False at the last row."""
        return self._vertical(width, 1)

    # inside

    def _new_marker(self) -> str:
        return chr(FIRST_MARKER + len(self.pastes) + len(self.files))

    def _forget_markers(self) -> None:
        """They are about to mean something else, or nothing: what has them cannot be undone into."""
        self.kills = [self.spelled(kill) for kill in self.kills]
        self._undo, self._redo = [], []

    def _put(self, text: str) -> None:
        before = self.text[: self.cursor] + text
        self.text = before + self.text[self.cursor :]
        self.cursor = len(before)
        if not self.text.isascii():  # a combining character may have joined what stands next to it
            self.cursor = cells.boundary(self.text, self.cursor)

    def _cut(self, start: int, end: int) -> str:
        if start == end:
            return ""
        self._change("delete")
        cut = self.text[start:end]
        self.text, self.cursor = self.text[:start] + self.text[end:], start
        self._put("")
        return cut

    def _kill(self, start: int, end: int) -> None:
        grows = self._last == "kill" and bool(self.kills)
        back = end == self.cursor
        if cut := self._cut(start, end):
            if grows:
                self.kills[-1] = cut + self.kills[-1] if back else self.kills[-1] + cut
            else:
                self.kills = [*self.kills, cut][-KILLS:]
            self._last = "kill"

    def _change(self, kind: str) -> None:
        """Before every change: remember for undo."""
        if self._step != "changed" and (kind not in GROUPED or self._last != kind):
            self._undo = [*self._undo, (self.text, self.cursor)][-UNDO_STEPS:]
        self._step = self._step and "changed"
        self._redo = []
        if self.marked and kind in PUT_IN:
            self.text, self.cursor = "", 0
        self.marked = False
        self._last, self._column = kind, None
        self._yanked = None

    def _travel(self, source: list[tuple[str, int]], target: list[tuple[str, int]]) -> None:
        if source:
            target.append((self.text, self.cursor))
            self.text, self.cursor = source.pop()
            self.marked = False
            self._last, self._column, self._yanked = "", None, None
            self._step = self._step and "begun"

    def go(self, to: int) -> None:
        self.cursor, self.marked = to, False
        self._last, self._column, self._yanked = "", None, None

    def _vertical(self, width: int, step: int) -> bool:
        rows = self.layout(width)
        row, cell = self.caret(width)
        column = cell if self._column is None else self._column
        target = row + step
        if not 0 <= target < len(rows):
            return False
        last = target == len(rows) - 1 or rows[target + 1].start > rows[target].end
        self.go(self._at_cell(rows[target], column, reach_end=last))
        self._column = column
        return True

    def _at_cell(self, row: Row, column: int, *, reach_end: bool) -> int:
        """reach_end: behind the last character is still this row, not the start of the next."""
        at, used = row.start, 0
        for grapheme in cells.graphemes(self.text[row.start : row.end]):
            size = cells.width(self.label(grapheme))
            behind = at + len(grapheme)
            if used + size > column or (behind == row.end and not reach_end):
                break
            at, used = behind, used + size
        return at

    def _cells(self, text: str) -> int:
        return sum(cells.width(self.label(grapheme)) for grapheme in cells.graphemes(text))
