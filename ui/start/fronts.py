"""What the command line hands to the front of a session: Settings.front, plain structs; and the file of the screen."""

from typing import Any, Literal

import msgspec

from actors.settings.config import Settings
from ui.common.attached_files import AttachedFile

Output = Literal["text", "json", "stream-json"]
START_S = 900.0
"""From the start of a run without a screen to its first model request: a hook may be given 10 minutes."""


def geometry_path(settings: Settings) -> str:
    """The launcher's first frame and the supervisor use the same file."""
    return f"{settings.home}/run/{settings.run_id}.screen"


def encoded(front: msgspec.Struct) -> msgspec.Raw:
    return msgspec.Raw(msgspec.msgpack.encode(front))


class Front(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of an interactive session."""

    termios: tuple[int, int, int, int, int, int, tuple[bytes | int, ...]] | None = None
    """As tcgetattr gave it before the first frame."""
    plain: bool = False
    """As lines, in no mode of the terminal's but its own."""
    version: str = ""
    header: str = ""
    resumable: bool = True
    """The session can be gone on with: the demo's is thrown away."""
    prompt: str = ""
    """`trouper PROMPT`: sent at once."""
    files: tuple[AttachedFile, ...] = ()
    """For the first prompt."""
    choose: bool = False
    """`trouper -r`: the list of sessions is open from the start."""
    opener: str = ""
    """The pipe of ui.start.browser; "" for none."""

    @property
    def attributes(self) -> list[Any] | None:
        """For tcsetattr."""
        return None if self.termios is None else [*self.termios[:6], list(self.termios[6])]


class HeadlessFront(msgspec.Struct, frozen=True, kw_only=True):
    """Of one prompt without a screen."""

    prompt: str
    prompt_id: str
    """Made by the launcher, so that a restarted front sends the same prompt again, not a second one."""
    typed: str = ""
    """What of it the user has written: not what was piped in beside it."""
    files: tuple[AttachedFile, ...] = ()
    output: Output = "text"
    began: float | None = None
    """When the launcher did, by time.monotonic(), which all processes share: a front that is restarted gets no more
    time. None: now."""
    start_s: float = START_S
    """No later than so long after that a model has to be asked; 0: whenever."""
    timeout_s: float | None = None
    trajectory: str = ""
    """An absolute path, where the run is to be told as one; "" for nowhere."""
