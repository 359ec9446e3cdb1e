"""A place in the blocks, row by row: how far one is, and what is one row on or back. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ui.screen.pager.block import Block, Kind
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme

LAID = 2000
"""Pieces whose rows are kept."""


@dataclass(frozen=True, order=True)
class Place:
    block: int
    piece: int = 0
    """0: its heading."""
    row: int = 0
    """-1: the last one of the piece."""


class Layout:
    """The blocks at one width; only what is looked at is laid out."""

    def __init__(self, blocks: Callable[[], Sequence[Block]], theme: Theme) -> None:
        self._blocks = blocks
        self._theme = theme
        self.width = 80
        self.folded_kinds: set[Kind] = set()
        self._turned: set[Block] = set()
        """Folded or unfolded by itself, against its kind."""
        self._laid: dict[object, list[str]] = {}

    @property
    def blocks(self) -> Sequence[Block]:
        return self._blocks()

    def resize(self, width: int) -> None:
        if width != self.width:
            self.width = width
            self._laid.clear()

    def forget(self) -> None:
        """Other blocks are there."""
        self._laid.clear()
        self._turned &= set(self.blocks)

    def is_folded(self, block: Block) -> bool:
        return (block.kind in self.folded_kinds) != (block in self._turned)

    def turn(self, block: Block) -> None:
        """Fold it, or unfold it."""
        self._turned ^= {block}

    def unfold(self, block: Block) -> None:
        if self.is_folded(block):
            self.turn(block)

    def turn_kind(self, kind: Kind) -> None:
        """Fold all of it, or unfold all; those that were turned by themselves, too."""
        self._turned -= {block for block in self._turned if block.kind == kind}
        self.folded_kinds ^= {kind}

    def rows(self, at: Place) -> list[str]:
        """Of its piece; none wider than the screen. A blank one comes before each block but the first."""
        block = self.blocks[at.block]
        folded = self.is_folded(block)
        key = (block, at.piece, folded, at.block == 0)
        if (rows := self._laid.get(key)) is None:
            rows = [block.folded(self._theme, self.width)] if folded else self._whole(block, at.piece)
            gap = [""] * (at.piece == 0 and at.block > 0 and not folded)
            if len(self._laid) > LAID:
                self._laid.clear()
            self._laid[key] = rows = [*gap, *rows]
        return rows

    def _whole(self, block: Block, piece: int) -> list[str]:
        rows = block.pieces[piece].rows(self.width, self._theme)
        return [cells.clip(row, self.width) for row in rows] or [""]

    def text(self, at: Place) -> str:
        return self.rows(at)[at.row]

    def valid(self, at: Place) -> Place:
        """The nearest place that is there now: blocks may have been folded, or have other rows."""
        block = min(max(at.block, 0), len(self.blocks) - 1)
        if block != at.block:
            return self.first(block) if at.block < 0 else self.end(block)
        piece = min(at.piece, self._pieces(block) - 1)
        if piece != at.piece:
            return Place(block)
        count = len(self.rows(Place(block, piece)))
        return Place(block, piece, min(at.row, count - 1) if at.row >= 0 else count - 1)

    def first(self, block: int) -> Place:
        return Place(block)

    def end(self, block: int) -> Place:
        return self.valid(Place(block, self._pieces(block) - 1, -1))

    def next(self, at: Place) -> Place | None:
        if at.row + 1 < len(self.rows(at)):
            return Place(at.block, at.piece, at.row + 1)
        if at.piece + 1 < self._pieces(at.block):
            return Place(at.block, at.piece + 1)
        return Place(at.block + 1) if at.block + 1 < len(self.blocks) else None

    def before(self, at: Place) -> Place | None:
        if at.row > 0:
            return Place(at.block, at.piece, at.row - 1)
        if at.piece > 0:
            return self.valid(Place(at.block, at.piece - 1, -1))
        return self.end(at.block - 1) if at.block > 0 else None

    def _pieces(self, block: int) -> int:
        one = self.blocks[block]
        return 1 if self.is_folded(one) else len(one.pieces)
