"""Who is told how a batch goes: here in plain lines on stderr, for a pipe or a log."""

from typing import Protocol

from actors.messages.batch import TaskRow
from actors.messages.turn import Event
from ui.common.harmless import one_line
from ui.headless.stdout import say


class Progress(Protocol):
    def say(self, text: str) -> None:
        """Something about the whole batch."""

    def begun(self, task: TaskRow) -> None:
        """Somebody works on it from now on; it may be told again when it goes on."""

    def heard(self, task: TaskRow, event: Event) -> None:
        """What its agent says."""

    def paused(self, task: TaskRow) -> None:
        """Nobody works on it any more, and it has not ended."""

    def ended(self, task: TaskRow, text: str) -> None:
        """It has its result. text: the same on one line, for people."""


class PlainLines:
    def say(self, text: str) -> None:
        say(one_line(text))

    def begun(self, task: TaskRow) -> None:
        pass

    def heard(self, task: TaskRow, event: Event) -> None:
        pass

    def paused(self, task: TaskRow) -> None:
        pass

    def ended(self, _task: TaskRow, text: str) -> None:
        say(one_line(text))
