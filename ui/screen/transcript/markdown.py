"""Markdown as it streams: a splitter that looks at each complete line once and closes blocks from the prefix alone.

A closed block never changes, so it goes to the scrollback for good; the final rendering is the same splitter fed once.
See ui/DECISIONS: streaming equals final.
"""

import re
from dataclasses import dataclass
from typing import Literal

from ui.screen.transcript import code

State = Literal["none", "para", "list", "fence", "long", "plain"]

_FENCE = re.compile(r" {0,3}(`{3,}+|~{3,}+)([^`]*)$")
_HEADING = re.compile(r" {0,3}#{1,6}(?:\s|$)")
_RULE = re.compile(r" {0,3}([-*_])(?: *\1){2,} *$")
_ITEM = re.compile(r"( {0,3})([-*+]|\d{1,9}[.)])( +|$)")
_INTERRUPTING_ITEM = re.compile(r" {0,3}([-*+]|1[.)]) +\S")
"""Only such a list may follow a paragraph without a blank line (CommonMark)."""


LONGEST_TAIL = 20_000
"""Characters of an open block that is laid out for every frame; of a paragraph or an item that is longer each line
is shown as it is written, as soon as it is there: nobody waits for its end, and no frame lays a megabyte out.
"""
TAIL_LINES = 100
"""Shown of a longer one: more than a screen has."""


@dataclass(frozen=True)
class Prose:
    """One closed block as markdown source."""

    source: str
    gap: bool
    """A blank row comes before it."""
    end: int
    """Offset in the message behind it."""


@dataclass(frozen=True)
class CodeLine:
    """One line of a fenced block: no indent, no box, never wrapped by us."""

    spans: tuple[tuple[str, str], ...]
    gap: bool
    end: int


Chunk = Prose | CodeLine


class MarkdownStream:
    def __init__(self, *, plain: bool = False) -> None:
        """plain: every line is shown as it is written."""
        self._state: State = "plain" if plain else "none"
        self._partial = ""
        """The line that is not complete yet."""
        self._block: list[str] = []
        """Lines of the open paragraph or list item."""
        self._block_at = 0
        """Offset of its beginning."""
        self._offset = 0
        """Behind the last complete line."""
        self._started = False
        self._blank = False
        """In a list: blank lines since the last one with text."""
        self._gap = False
        self._item_indent = 0
        self._fence = ""
        self._lexer = code.LineLexer("")

    @property
    def is_amid(self) -> bool:
        """A part of the open block is closed already: of code each line is, of a list each item."""
        return self._state in {"fence", "list", "long"}

    def feed(self, text: str) -> list[Chunk]:
        """The blocks this closes."""
        *lines, self._partial = (self._partial + text).split("\n")
        chunks: list[Chunk] = []
        for line in lines:
            self._line(line, chunks)
            self._offset += len(line) + 1
        return chunks

    def finish(self) -> list[Chunk]:
        """The message is complete."""
        chunks: list[Chunk] = []
        if self._partial:
            line, self._partial = self._partial, ""
            self._line(line, chunks)
            self._offset += len(line)
        if self._state in {"para", "list"}:
            self._close(chunks)
        self._state = "none"
        return chunks

    def tail(self) -> list[Chunk]:
        """The open block as it would be if the message ended here."""
        if not self._partial and not self._block:
            return []
        if bool(self._block) * (self._offset - self._block_at) + len(self._partial) > LONGEST_TAIL:
            return self._end()
        fork = MarkdownStream.__new__(MarkdownStream)
        fork.__dict__.update(self.__dict__)  # copy.copy takes five times as long
        fork._lexer, fork._block = self._lexer.fork(), [*self._block]
        return fork.finish()

    def _end(self) -> list[Chunk]:
        """The last lines as they are: the layout of the whole would be made anew for every frame."""
        lines = [*"".join(self._block[-TAIL_LINES:]).split("\n"), self._partial][-TAIL_LINES:]
        end = self._offset + len(self._partial)
        return [CodeLine((("", line[-LONGEST_TAIL // TAIL_LINES :]),), gap=False, end=end) for line in lines]

    def _line(self, line: str, chunks: list[Chunk]) -> None:
        match self._state:
            case "none":
                self._open(line, chunks)
            case "para":
                self._paragraph_line(line, chunks)
            case "list":
                self._list_line(line, chunks)
            case "fence":
                self._fence_line(line, chunks)
            case "long" if not line.strip():
                self._state = "none"
            case "long" | "plain":
                chunks.append(CodeLine((("", line),), gap=False, end=self._offset + len(line) + 1))

        if self._state in {"para", "list"} and self._offset + len(line) - self._block_at > LONGEST_TAIL:
            self._give_up(chunks)

    def _give_up(self, chunks: list[Chunk]) -> None:
        """On the layout of the open block, which goes on as it is written."""
        end = self._block_at
        for line in self._block:
            end += len(line)
            chunks.append(CodeLine((("", line.rstrip("\n")),), self._gap, end))
            self._gap = False
        self._state, self._block, self._blank = "long", [], False

    def _open(self, line: str, chunks: list[Chunk]) -> None:
        if not line.strip():
            return
        self._gap, self._started = self._started, True
        if fence := _FENCE.match(line):
            self._state, self._fence = "fence", fence[1]
            self._lexer = code.LineLexer(fence[2].strip().split(" ")[0])
        elif _HEADING.match(line) or _RULE.match(line):
            chunks.append(Prose(line + "\n", self._gap, self._offset + len(line) + 1))
        elif item := _ITEM.match(line):
            self._open_item(line, item)
        else:
            self._state, self._block, self._block_at = "para", [line + "\n"], self._offset

    def _paragraph_line(self, line: str, chunks: list[Chunk]) -> None:
        if not line.strip():
            self._block.append("\n")
            self._close(chunks)
        elif _FENCE.match(line) or _HEADING.match(line) or _INTERRUPTING_ITEM.match(line):
            self._close(chunks)
            self._open(line, chunks)
        else:
            self._block.append(line + "\n")

    def _list_line(self, line: str, chunks: list[Chunk]) -> None:
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip():
            self._blank = True
            self._block.append("\n")
        elif indent >= self._item_indent:
            self._blank = False
            self._block.append(line + "\n")
        elif (item := _ITEM.match(line)) and not _RULE.match(line):
            gap = self._blank
            self._close(chunks)
            self._gap = gap
            self._open_item(line, item)
        elif self._blank or _FENCE.match(line) or _HEADING.match(line) or _RULE.match(line):
            self._close(chunks)
            self._open(line, chunks)
        else:
            self._block.append(line + "\n")  # goes on with the item's paragraph

    def _open_item(self, line: str, item: re.Match[str]) -> None:
        self._state, self._block, self._block_at, self._blank = "list", [line + "\n"], self._offset, False
        padding = len(item[3])
        self._item_indent = len(item[1]) + len(item[2]) + (padding if 1 <= padding <= 4 else 1)

    def _fence_line(self, line: str, chunks: list[Chunk]) -> None:
        if (closing := line.strip()) and closing[0] * len(closing) == closing and closing.startswith(self._fence):
            self._state = "none"
            return
        chunks.append(CodeLine(tuple(self._lexer.line(line)), self._gap, self._offset + len(line) + 1))
        self._gap = False

    def _close(self, chunks: list[Chunk]) -> None:
        """The open block ends before the current line."""
        chunks.append(Prose("".join(self._block), self._gap, self._offset))
        self._state, self._block, self._blank = "none", [], False
