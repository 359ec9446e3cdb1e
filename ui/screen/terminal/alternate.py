"""The alternate screen, where the whole window is ours: rows in, escape sequences out. No I/O.

What was on the main screen is there again when it is left. Only the pager uses it.
"""

from collections.abc import Sequence

from ui.screen.terminal.renderer import SYNC_OFF, SYNC_ON

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"


class AlternateScreen:
    def __init__(self) -> None:
        self._shown: list[str] = []
        self._size = (0, 0)

    def frame(self, rows: Sequence[str], cursor: tuple[int, int], size: tuple[int, int]) -> str:
        """rows: none wider than the screen, as many as it has. size: columns and rows. Only what is new is written."""
        same = size == self._size and len(rows) == len(self._shown)
        entering = "" if self._shown else ENTER
        written = [
            f"\x1b[{at + 1};1H\x1b[0m\x1b[2K{row}"
            for at, row in enumerate(rows)
            if not (same and self._shown[at] == row)
        ]
        self._shown, self._size = list(rows), size
        return f"{SYNC_ON}{entering}{''.join(written)}\x1b[{cursor[0] + 1};{cursor[1] + 1}H{SYNC_OFF}"
