"""What becomes rows at any width."""

from typing import Protocol

from ui.screen.terminal.theme import Theme


class Piece(Protocol):
    """Pieces go to the scrollback for good; the latest are kept to draw the visible page again after a resize."""

    def rows(self, width: int, theme: Theme) -> list[str]: ...
