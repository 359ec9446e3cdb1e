"""What is typed to find one of a list, and which of its choices are left by it. No I/O."""

from collections.abc import Sequence

from actors.messages.tool import Choice
from ui.common import fuzzy, harmless
from ui.screen.composer.editor import Editor
from ui.screen.composer.keymap import KeyMap
from ui.screen.terminal.keys import Event, Key, Paste, Text


class Filter:
    def __init__(self) -> None:
        self.typed = Editor()
        self._found: tuple[str, Sequence[Choice], list[int]] = ("", (), [])

    def edit(self, event: Event, keys: KeyMap) -> bool:
        """False: nothing has changed. It stays one line."""
        before = self.typed.text
        match event:
            case Text(text=text) | Paste(text=text):
                self.typed.insert(" ".join(harmless.sanitise(text).split("\n")))
            case Key():
                keys.edit(self.typed, event)
                if "\n" in self.typed.text:
                    self.typed.delete_back()
            case _:
                return False
        return self.typed.text != before

    def places(self, choices: Sequence[Choice]) -> list[int]:
        """Of those that are meant, the best first; looked for once, however often it is drawn."""
        wanted, among, found = self._found
        if wanted != self.typed.text or among is not choices:
            found = fuzzy.ranked(self.typed.text, [f"{choice.label} {choice.facts}" for choice in choices])
            self._found = (self.typed.text, choices, found)
        return found
