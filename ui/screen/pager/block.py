"""A block of the pager: a heading that stays when it is folded, and below it all that there is, in lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from actors.common.plurals import how_many
from ui.common import harmless
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Span, Spans
from ui.screen.terminal.piece import Piece
from ui.screen.terminal.theme import Theme
from ui.screen.transcript import diff
from ui.screen.transcript.blocks import CallRow

Kind = Literal["prompt", "thinking", "call", "answer", "note", "question"]
LONGEST = 2000
"""Characters that are laid out at once: of a longer line as much as is seen."""


@dataclass(frozen=True)
class Line:
    """One line of a text, or a piece of a very long one, behind a margin."""

    text: str
    style: str = ""
    margin: str = "  "

    def rows(self, width: int, theme: Theme) -> list[str]:
        wrapped = cells.wrap([(self.style, self.text)], max(width - max(len(self.margin), 2), 1))
        return [theme.row(row) for row in cells.behind(("dim", self.margin), wrapped)]


@dataclass(frozen=True)
class Code:
    """A line of an answer's code; wrapped, since nothing is copied from the rows here."""

    spans: Sequence[Span]
    gap: bool

    def rows(self, width: int, theme: Theme) -> list[str]:
        wrapped = cells.behind(("", ""), cells.wrap(self.spans, max(width - 2, 1)))
        return [*([""] if self.gap else []), *(theme.row(row) for row in wrapped)]


@dataclass(frozen=True)
class WholeDiff:
    unified: str

    def rows(self, width: int, theme: Theme) -> list[str]:
        return [theme.row(row) for row in diff.whole_rows(self.unified, width, "")]


@dataclass(frozen=True)
class Heading:
    sign: Span
    name: str
    title: str = ""
    outcome: Sequence[Span] = ()
    time: str = ""

    def rows(self, width: int, theme: Theme) -> list[str]:
        outcome: Spans = list(self.outcome)
        return [CallRow(self.sign, self.name, self.title, outcome, self.time).row(width, theme)]


@dataclass(frozen=True)
class Part:
    """What belongs together in a block, such as the output of a call."""

    source: str
    """Exactly as it was said."""
    pieces: Sequence[Piece]


@dataclass(frozen=True, eq=False)
class Block:
    kind: Kind
    head: Piece
    parts: Sequence[Part] = ()

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """The heading first."""
        return [self.head, *(piece for part in self.parts for piece in part.pieces)]

    @property
    def source(self) -> str:
        return "\n\n".join(part.source for part in self.parts)

    def source_at(self, piece: int) -> str:
        """Of the part that this one of the pieces is of; of all at the heading."""
        end = 1
        for part in self.parts:
            end += len(part.pieces)
            if 1 <= piece < end:
                return part.source
        return self.source

    def folded(self, theme: Theme, width: int) -> str:
        """Its heading, with how much is not seen."""
        hidden = len(self.pieces) - 1
        more = f"  … {how_many(hidden, 'line')}" if hidden else ""
        room = max(width - cells.width(more), 1)
        row = cells.clip(self.head.rows(room, theme)[0], room)
        return cells.clip(row + theme.paint("dim", more), width)


_ENDS = re.compile(r"\r\n|\n|\r")


def lines(text: str, style: str = "", margin: str = "  ") -> list[Piece]:
    return [
        Line(piece, style, margin)
        for line in _ENDS.split(text.rstrip("\r\n"))
        for piece in _pieces(harmless.sanitise(line))
    ]


def _pieces(line: str) -> list[str]:
    return [line[at : at + LONGEST] for at in range(0, len(line), LONGEST)] or [""]


def part(text: str, style: str = "", margin: str = "  ") -> Part:
    return Part(text, lines(text, style, margin))
