"""Notes that wait for the end of code or a list, so that they split nothing, also over a death of the screen."""

from dataclasses import dataclass, field

from ui.screen.terminal.piece import Piece
from ui.screen.transcript.blocks import Note


@dataclass
class WaitingNotes:
    gone: int = 0
    """So many have waited and are in the scrollback, or go there now."""
    notes: list[Note] = field(default_factory=list)

    def passed(self, piece: Piece, *, amid: bool) -> list[Piece]:
        """What of it does not have to wait. amid: code, or a list."""
        if amid and isinstance(piece, Note):
            self.notes.append(piece)
            return []
        return [piece]

    def let_go(self) -> list[Note]:
        notes, self.notes = self.notes, []
        self.gone += len(notes)
        return notes

    def recall(self, notes: tuple[Note, ...], gone: int) -> None:
        """Those of an earlier life, as many as are not in the scrollback. gone: as it was then."""
        self.notes = [*notes[max(self.gone - gone, 0) :], *self.notes]
