"""What the terminal is told beside what it shows: a title, that something goes on, and that somebody is waited for.

The title is OSC 0 with XTerm's stack (`CSI 22;0t`, `CSI 23;0t`), progress ConEmu's OSC 9;4, a notification iTerm2's
OSC 9; the last two only where they are known to mean that: elsewhere the one would be taken for the other.
"""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from supervisor.terminal import PROGRESS_OFF, TITLE_OFF
from ui.common import harmless
from ui.screen.terminal import cells

BELL = "\a"
LONGEST = 60
"""Cells of a title or a notification."""
PUSH_TITLE, GOES_ON = "\x1b[22;0t", "\x1b]9;4;3\a"
_NO_TITLE = ("linux", "vt", "dumb", "unknown", "cons25")
_WITH_PROGRESS = ("ghostty", "WezTerm")
_WITH_NOTICES = ("iTerm.app", "ghostty", "WezTerm")
_ITERM_PROGRESS = (3, 6, 6)
"""Older ones take progress for a notification."""


@dataclass(frozen=True)
class Understood:
    """By a terminal."""

    title: bool = False
    progress: bool = False
    notices: bool = False
    bell: bool = False
    system: bool = False
    """The machine it is on has notifications, and it has none: macOS."""


def understood(environ: Mapping[str, str], platform: str = sys.platform) -> Understood:
    name, program = environ.get("TERM", ""), environ.get("TERM_PROGRAM", "")
    inside = "TMUX" in environ or name.startswith(("screen", "tmux"))  # whose own terminal hears only titles and bells
    version = tuple(int(number) for number in re.findall(r"\d+", environ.get("TERM_PROGRAM_VERSION", ""))[:3])
    progress = program in _WITH_PROGRESS or "WT_SESSION" in environ or environ.get("ConEmuANSI") == "ON"
    progress |= program == "iTerm.app" and version >= _ITERM_PROGRESS
    notices = (program in _WITH_NOTICES or name == "xterm-kitty") and not inside
    remote = "SSH_TTY" in environ or "SSH_CONNECTION" in environ
    return Understood(
        title=bool(name) and not name.startswith(_NO_TITLE),
        progress=progress and not inside,
        notices=notices,
        bell=True,
        system=platform == "darwin" and not notices and not remote,
    )


class Told:
    """It knows what was told last: nothing is told twice."""

    def __init__(self, understands: Understood) -> None:
        self._understands = understands
        self.title = ""
        """"" as long as the terminal has its own."""
        self.goes_on = False

    def news(self, title: str, *, goes_on: bool) -> str:
        """What is to be written for it. goes_on: something is being worked at."""
        said = ""
        title = _short(title)
        if self._understands.title and title != self.title:
            said += ("" if self.title else PUSH_TITLE) + f"\x1b]0;{title}\a"
            self.title = title
        if self._understands.progress and goes_on != self.goes_on:
            said += GOES_ON if goes_on else PROGRESS_OFF
            self.goes_on = goes_on
        return said

    def call(self, why: str) -> str:
        """Somebody who looks elsewhere."""
        notice = f"\x1b]9;{cells.clip(harmless.one_line(why), LONGEST)}\a" if self._understands.notices else ""
        return notice + BELL * self._understands.bell

    def taken_back(self) -> str:
        said = (TITLE_OFF if self.title else "") + (PROGRESS_OFF if self.goes_on else "")
        self.title, self.goes_on = "", False
        return said


@lru_cache(maxsize=1)
def _short(title: str) -> str:
    """Asked for with every frame, and mostly the one before."""
    return cells.clip(harmless.one_line(title), LONGEST)
