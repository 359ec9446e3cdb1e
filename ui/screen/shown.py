"""Which session is on the screen: the program's own, or that of a subagent that the user looks at meanwhile. No I/O."""

from dataclasses import dataclass
from typing import Literal

from actors.common.plurals import how_many
from actors.messages.subagent import SubagentIs
from ui.common import harmless
from ui.screen.session_view import SessionView
from ui.screen.terminal.piece import Piece
from ui.screen.transcript.blocks import Note
from ui.screen.transcript.open_answer import Mark

Reach = Literal["nothing", "view", "turn", "agent", "agents"]
"""Of Esc: back from a subagent's session, the turn that runs, the subagent of another program that is looked at, or
what works in the background when no turn runs."""


@dataclass(frozen=True)
class Other:
    subagent: SubagentIs
    """As it was when one came to look."""
    session: SessionView

    @property
    def name(self) -> str:
        return harmless.one_line(self.subagent.name)


class Shown:
    """What the own session has to say waits while one looks at another."""

    def __init__(self, own: SessionView) -> None:
        self.own = own
        self.other: Other | None = None
        self._waiting: list[Piece] = []
        """For the scrollback, of a session that was shown before."""
        self._mark = own.mark
        """How much of the own session is in the scrollback, or waits to be."""
        self._whole = own.mark
        """How much of it is there when nothing waits."""

    @property
    def session(self) -> SessionView:
        return self.own if self.other is None else self.other.session

    @property
    def reach(self) -> Reach:
        if self.other is not None:
            return "view"
        if self.own.steered:
            return "agent"
        if self.own.interruptible:
            return "turn"
        return "agents" if self.own.subagents.at_work and not self.own.read_only else "nothing"

    def hint(self, *, again: bool) -> str:
        """What Esc does, where that is not told elsewhere. again: it has just ended the turn."""
        if self.other is not None:
            return f"looking at {self.other.name} · esc: back"
        if self.own.steered:
            return "enter: tell it · esc: cancel it"
        if self.own.reading and not self.own.working:
            return "reading what you named · esc stops"
        if self.reach != "agents":
            return ""
        return f"esc{' again' * again} cancels {how_many(len(self.own.subagents.at_work), 'agent')}"

    def look_at(self, subagent: SubagentIs, session: SessionView) -> None:
        self.back()
        self._waiting += self._of_own()
        self.other = Other(subagent, session)

    def back(self) -> None:
        """To the own session, if one is not there."""
        if self.other is not None:
            self._waiting += [*self.other.session.take(), Note(f"back from {self.other.name}")]
            self.other = None

    def say(self, piece: Piece) -> None:
        """Something of the program itself, where the user looks."""
        self.session.say(piece)

    def take(self, most: int | None = None) -> tuple[list[Piece], Mark]:
        """What goes to the scrollback now, and how much of the own session is there then. most: the rest waits."""
        waiting = [*self._waiting, *(self._of_own() if self.other is None else self.other.session.take())]
        now, self._waiting = waiting[:most], waiting[len(waiting[:most]) :]
        if not self._waiting:
            self._whole = self._mark
        return now, self._whole

    @property
    def waits(self) -> bool:
        """There is more for the scrollback."""
        return bool(self._waiting)

    def _of_own(self) -> list[Piece]:
        pieces, self._mark = self.own.take(), self.own.mark
        return pieces
