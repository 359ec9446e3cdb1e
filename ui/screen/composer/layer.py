"""What stands over the composer for a while and has the keys first: a list to complete from, a search."""

from typing import Protocol

from ui.screen.terminal.keys import Event
from ui.screen.terminal.theme import Theme


class Layer(Protocol):
    """It changes the composer's text and nothing else. At most one is open; no I/O."""

    @property
    def open(self) -> bool: ...

    def key(self, event: Event) -> bool:
        """While it is open. False: the key is not for it, and goes on to the composer."""

    def typed(self) -> None:
        """The composer may have changed by a key: time to open, to follow or to close."""

    def rows(self, width: int, room: int, theme: Theme) -> list[str]:
        """Drawn below the composer, at most `room` of them; none where it is not open."""
