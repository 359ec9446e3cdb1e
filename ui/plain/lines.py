"""The transcript as lines under labels: who speaks is said once, until somebody else does."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ui.plain.stream import SIZE, bare
from ui.screen.terminal.piece import Piece
from ui.screen.terminal.renderer import Renderer, Resized, View
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.blocks import Address, ModelSaid, Note, Plain, SourcesNamed, Stopped, ToolDone, UserSaid
from ui.screen.transcript.markdown import CodeLine, Prose

LABELS: dict[type[object], str] = {
    UserSaid: "you",
    ModelSaid: "agent",
    ToolDone: "tool",
    SourcesNamed: "sources",
    Stopped: "error",
    Plain: "",
    Address: "",
}
"""Of the pieces; all others are the program's own."""
LEVELS = {"error": "error", "warning": "warning"}
SAID_ONCE = ("agent", "")
"""Labels of which the next piece goes on without it."""
WORDS = {"✗": "failed", "✔": "done"}
_SIGN = re.compile(r"^(\s*)[●○◦▪│❯·!■✻↳✔✗] ")
"""What a row begins with on the screen; it would be read aloud."""


@dataclass(frozen=True)
class Speech:
    label: str
    lines: Sequence[str]


class Lines(Renderer):
    """Takes the place of who draws: what is live is printed each time that it becomes another."""

    def __init__(self, *, echoed: bool) -> None:
        """echoed: what is typed is seen already."""
        super().__init__(*SIZE)
        self._echoed = echoed
        self._typed: list[str] = []
        self._label: str | None = None
        self._announced: list[str] = []
        self._open = False
        """The last line is a prompt, and the cursor is behind it."""

    def answered(self, line: str) -> None:
        """The user has typed that, so a new line has begun. It is not said again as a prompt."""
        self._open, self._label, self._announced = False, None, []
        if self._echoed:
            self._typed.append(line)

    def frame(self, commit: list[Piece], view: View, theme: Theme) -> str:
        """The last row of the view may be a prompt: it ends with a blank."""
        said = "".join(self._said(piece, theme) for piece in commit)
        if view.rows != self._announced:
            said += self._announcement(view.rows)
        elif said and view.rows:
            said += self._announcement([row for row in view.rows[-1:] if row.endswith(" ")])
        self._announced = list(view.rows)
        return said

    def give_way(self, commit: list[Piece], theme: Theme) -> str:
        """The end."""
        said = self.frame(commit, View([], 0, 0), theme)
        return said + "\n" if self._open and not said else said

    def resize(self, new: Resized, view: View, theme: Theme) -> str:  # noqa: ARG002  # lines have no size
        return ""

    def _said(self, piece: Piece, theme: Theme) -> str:
        said = speech(piece, theme)
        if isinstance(piece, UserSaid) and piece.text in self._typed:
            self._typed.remove(piece.text)
            return ""
        return self._print(said.label, said.lines)

    def _announcement(self, rows: Sequence[str]) -> str:
        text = self._print("", [bare(row) for row in rows])
        if rows and rows[-1].endswith(" "):
            text, self._open = text.removesuffix("\n"), True
        return text

    def _print(self, label: str, lines: Sequence[str]) -> str:
        if not lines:
            return ""
        begin, self._open = "\n" * self._open, False
        goes_on = label in SAID_ONCE and label == self._label
        self._label = label
        first = f"{label}: {lines[0]}" if label and not goes_on else lines[0]
        return begin + "".join(f"{line}\n" for line in (first, *lines[1:]))


def speech(piece: Piece, theme: Theme) -> Speech:
    """Who says what; no line is empty at either end."""
    label = LABELS.get(type(piece), "note")
    match piece:
        case UserSaid(text=text, attached=attached):
            return Speech(label, [*text.split("\n"), *attached])
        case ModelSaid(chunk=CodeLine(spans=spans)):
            return Speech(label, ["".join(text for _, text in spans)])
        case ModelSaid(chunk=Prose(source=source)):
            return Speech(label, _trimmed(source.split("\n")))
        case Address(text=text):
            return Speech(label, [text])
        case Note(text=text, level=level):
            return Speech(LEVELS.get(level, "note"), _trimmed(text.split("\n")))
        case Stopped(reason="interrupted"):
            return Speech("note", ["interrupted"])
        case _:
            rows = _trimmed([bare(row).rstrip() for row in piece.rows(SIZE[0], theme)])
            return Speech(label, [_head(row) if at == 0 else _SIGN.sub(r"\1", row) for at, row in enumerate(rows)])


def _trimmed(rows: list[str]) -> list[str]:
    """Without the empty rows around it, which only the eye needs."""
    filled = [at for at, row in enumerate(rows) if row.strip()]
    return rows[filled[0] : filled[-1] + 1] if filled else []


def _head(row: str) -> str:
    """Of a call: its columns are held apart by blanks, how it ended is a sign."""
    parts = [part.strip() for part in _SIGN.sub("", row).split("  ")]
    return ", ".join(WORDS.get(part, part) for part in parts if part)


def end(path: str, words: str) -> None:
    """All is over: the note of what was printed goes with it. Raises OSError where nobody reads any more."""
    if os.path.exists(path):  # noqa: PTH110  # also said from a signal's handler
        os.unlink(path)  # noqa: PTH108
    if words:
        os.write(1, f"{bare(words)}\n".encode(errors="replace"))
