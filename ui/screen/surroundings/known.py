"""What of the status line the session's own events do not tell. No I/O, no clock."""

import math
from dataclasses import dataclass, field

from actors.messages.system import ActorRestarted
from ui.screen.session_view import SessionView

RESTART_SHOWN_S = 6.0


@dataclass
class Surroundings:
    folder: str = ""
    """Where the session works, for people."""
    branch: str = ""
    """Such as main, or main* while something is not committed; "" outside a repository."""
    windows: dict[str, int] = field(default_factory=dict)
    """Tokens that fit a model, by PROVIDER/NAME; 0: not known."""
    _restarted: str = ""
    _until: float = 0.0

    def died(self, told: ActorRestarted, session: SessionView, wall: float) -> None:
        """wall: now, in seconds since the epoch."""
        resuming = ", resuming" if session.busy else ""
        self._restarted = f"{session.subagents.part(told.name)} restarted{resuming}"
        self._until = wall + RESTART_SHOWN_S

    def restarted(self, wall: float) -> str:
        """In words, while it has just happened."""
        return self._restarted if wall < self._until else ""

    def still_for(self, wall: float) -> float:
        """So many seconds all of this stays unless it is changed."""
        return self._until - wall if wall < self._until else math.inf
