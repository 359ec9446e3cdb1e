"""What the launcher hands to the screen: the terminal as it was, the header it painted, the first prompt."""

from typing import Any

import msgspec

from ui.attachments import AttachedFile


class Front(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of an interactive session."""

    termios: tuple[int, int, int, int, int, int, tuple[bytes | int, ...]] | None = None
    """As tcgetattr gave it before the first frame."""
    version: str = ""
    header: str = ""
    resumable: bool = True
    """The session can be gone on with: the demo's is thrown away."""
    prompt: str = ""
    """`trouper PROMPT`: sent at once."""
    files: tuple[AttachedFile, ...] = ()
    """For the first prompt."""

    @property
    def attributes(self) -> list[Any] | None:
        """For tcsetattr."""
        return None if self.termios is None else [*self.termios[:6], list(self.termios[6])]
