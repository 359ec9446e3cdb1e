"""What is typed to find one of a list, and which of its choices are left by it. No I/O."""

from collections.abc import Sequence

from actors.messages.tool import Choice
from ui.common import fuzzy
from ui.screen.composer.editor import Editor


class Filter:
    def __init__(self) -> None:
        self.typed = Editor()
        self._found: tuple[str, Sequence[Choice], list[int]] = ("", (), [])

    def places(self, choices: Sequence[Choice]) -> list[int]:
        """Of those that are meant, the best first; looked for once, however often it is drawn."""
        wanted, among, found = self._found
        if wanted != self.typed.text or among is not choices:
            found = fuzzy.ranked(self.typed.text, [f"{choice.label} {choice.facts}" for choice in choices])
            self._found = (self.typed.text, choices, found)
        return found
