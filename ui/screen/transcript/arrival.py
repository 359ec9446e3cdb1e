"""On the way to another session, or to another place of this one: what of its path is shown again. No I/O."""

from collections.abc import Sequence

from actors.messages.conversation import AssistantMessage, Body, TurnEnded, UserMessage
from ui.screen.terminal.piece import Piece
from ui.screen.transcript.open_answer import Mark

ID_SHOWN = 8
"""Of a session: the beginning is enough to name it."""


class Arrival:
    """The last prompt, the answer to it and how its turn ended: all before is counted only."""

    def __init__(self, before: Mark, left: str = "", *, begun: bool = True) -> None:
        """before: what the scrollback has of the place that was left. left: id of the session, when that is another.

        begun: something was said there; else there is nothing to go back to.
        """
        self.before = before
        self.left = left
        self.begun = begun
        self.begins_late = False
        """Not all of the path comes, so nobody knows how many prompts there are."""
        self._prompts = 0
        self._prompt: Sequence[Piece] = ()
        self._answer: Sequence[Piece] = ()
        self._end: Sequence[Piece] = ()

    def passed(self, body: Body, pieces: Sequence[Piece]) -> None:
        """pieces: how this one is shown."""
        match body:
            case UserMessage(prompt_id=prompt_id) if prompt_id:
                self._prompts += 1
                self._prompt, self._answer, self._end = pieces, (), ()
            case AssistantMessage() if pieces:
                self._answer = pieces
            case TurnEnded():
                self._end = pieces
            case _:
                pass

    @property
    def said(self) -> list[Piece]:
        return [*self._prompt, *self._answer, *self._end]

    def in_words(self, session_id: str) -> str:
        """session_id: of where it goes on."""
        if self.left:
            back = f"; the one before goes on with: /resume {self.left[:ID_SHOWN]}" if self.begun else ""
            return f"session {session_id[:ID_SHOWN]} from here on{back}"
        if self.begins_late:
            return "the session goes on from here; /tree shows all"
        where = f"after prompt {self._prompts}" if self._prompts else "at its beginning"
        return f"the session goes on {where}; /tree shows all"
