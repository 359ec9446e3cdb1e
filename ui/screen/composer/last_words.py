"""Alt-., as readline has it: the last word of the prompt before; pressed again, of the one before that instead."""

from collections.abc import Iterator

from ui.screen.composer.editor import Editor
from ui.screen.composer.history import History


class LastWords:
    def __init__(self, editor: Editor, history: History) -> None:
        self._editor = editor
        self._history = history
        self._words: Iterator[str] = iter(())

    def insert(self) -> None:
        """The oldest one stays."""
        if not self._editor.is_recalling:
            self._words = self._history.last_words()
        if word := next(self._words, ""):
            self._editor.recall(word)
