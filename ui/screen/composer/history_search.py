"""Ctrl-R: the earlier prompts that have what is typed in them, the latest first; one of them becomes the draft."""

from ui.common import harmless
from ui.screen.composer.editor import Draft, Editor
from ui.screen.composer.history import History
from ui.screen.composer.keymap import edit_line, pressed
from ui.screen.terminal import cells
from ui.screen.terminal.keys import Event
from ui.screen.terminal.theme import Theme

MOST = 8
"""Prompts that are listed."""
PREVIEW = 400
"""Characters of each that are looked at for its row."""


class HistorySearch:
    """A Layer. Only Enter changes the draft; Esc leaves all as it was."""

    def __init__(self, editor: Editor, history: History) -> None:
        self._editor = editor
        self._history = history
        self._draft = Draft("")
        self._wanted = Editor()
        self._found: list[str] = []
        self._at = 0
        self.open = False

    def begin(self) -> None:
        """What is typed already is what is looked for."""
        self._draft, self._wanted = self._editor.draft, Editor()
        self._wanted.insert(self._editor.expanded.strip().split("\n")[0])
        self.open = True
        self._look()

    def key(self, event: Event) -> bool:
        match pressed(event):
            case "esc" | "ctrl+g":
                self._close(self._draft)
            case "enter" | "tab" | "right":
                self._close(Draft(self._found[self._at]) if self._found else self._draft)
            case "ctrl+r" | "down" | "ctrl+n":
                self._at = min(self._at + 1, max(len(self._found) - 1, 0))
            case "ctrl+s" | "up" | "ctrl+p":
                self._at = max(self._at - 1, 0)
            case _:
                if edit_line(self._wanted, event):
                    self._look()
        return True

    def typed(self) -> None:
        """It opens by its key alone."""

    def rows(self, width: int, room: int, theme: Theme) -> list[str]:
        """What is looked for, then what was found, each in a row."""
        count = f"{self._at + 1} of {len(self._found)}" if self._found else "no earlier prompt has this"
        head = f" history: {self._wanted.text}▏ {count} · enter takes it · ctrl+r older · esc"
        first = max(min(self._at - room + 2, len(self._found) - 1), self._at - MOST + 1, 0)
        shown = self._found[first : first + min(MOST, max(room - 1, 0))]
        rows = [self._row(text, first + at == self._at, width, theme) for at, text in enumerate(shown)]
        return [theme.paint("dim", cells.clip(head, width)), *rows][:room]

    def _row(self, text: str, marked: bool, width: int, theme: Theme) -> str:
        line = " ⏎ ".join(filter(None, map(str.strip, harmless.sanitise(text[:PREVIEW]).split("\n"))))
        row = cells.clip(f" {'▸' if marked else ' '} {line}", width)
        return theme.paint("strong", row) if marked else row

    def _look(self) -> None:
        self._found, self._at = self._history.having(self._wanted.text), 0

    def _close(self, draft: Draft) -> None:
        self.open = False
        if draft is not self._draft:
            self._editor.replace(draft.text)
