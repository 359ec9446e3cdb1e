"""The mode, and what a key means in it. It changes the composer's text; what it does not know is for all others."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ui.screen.composer.boundaries import before
from ui.screen.composer.editor import Editor
from ui.screen.composer.vi import changes
from ui.screen.composer.vi.grammar import REDO, Command, parse
from ui.screen.composer.vi.motions import Find, left
from ui.screen.composer.vi.places import resting
from ui.screen.composer.vi.spans import Span, span, target
from ui.screen.terminal import cells
from ui.screen.terminal.keys import Event, Key, Text

KEYS = {"left": "h", "right": "l", "up": "k", "down": "j", "backspace": "h", "home": "0", "end": "$", "delete": "x"} | {
    "ctrl+r": REDO
}
"""What they are between commands."""
COMMANDS = ("/", "!")
"""With these a line begins that is no prompt."""
INSERTING = "iaIAoO"
_OPERATORS: Mapping[str, Callable[[Editor, Span], None]] = {
    "d": changes.delete,
    "c": changes.change,
    "y": changes.yank,
}


@dataclass(frozen=True)
class Insertion:
    """Text is being typed for a command."""

    command: Command
    in_front: str
    behind: str

    def typed(self, text: str) -> str:
        """What has come between; nothing where something else has changed, too."""
        end = len(text) - len(self.behind)
        whole = len(self.in_front) <= end and text.startswith(self.in_front) and text.endswith(self.behind)
        return text[len(self.in_front) : end] if whole else ""


@dataclass(frozen=True)
class Change:
    """What `.` does again."""

    command: Command
    typed: str


def _behind_esc(name: str) -> str:
    """A terminal sends the same for Alt with a character as for Esc and then the character: here it is the second."""
    alt, character = name[:4], name[4:]
    return character if alt == "alt+" and len(character) == 1 else ""


class Vi:
    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self.normal = False
        """Keys are commands; else they are text."""
        self.keys = ""
        """Of a command that is not finished."""
        self._insertion: Insertion | None = None
        self._last_find: Find | None = None
        self._last_change: Change | None = None
        editor.begin_step()

    def begin(self) -> None:
        """A new composition."""
        self.normal, self.keys, self._insertion = False, "", None
        self._editor.begin_step()

    @property
    def takes_esc(self) -> bool:
        return not self.normal or self.keys != ""

    def meant(self, event: Event, width: int) -> Iterator[Event]:
        """What of it is for others, who are to take each before they ask for the next. width: of a row, in cells."""
        match event:
            case Key(name="esc") if self.takes_esc:
                self._escape()
            case Key(name=name) if not self.normal and (command := _behind_esc(name)):
                self._escape()
                yield from self._typed(command, width)
            case Text(text=text) if self.normal:
                yield from self._typed(text, width)
            case Key(name=name) if self.normal and name in KEYS:
                yield from self._pressed(KEYS[name], width)
            case _:
                self.keys = ""
                yield event
                self._settle()

    def _typed(self, text: str, width: int) -> Iterator[Event]:
        for character in cells.graphemes(text):
            if not self.normal:
                break
            text = text[len(character) :]
            yield from self._pressed(character, width)
        if text:
            yield Text(text)

    def _pressed(self, key: str, width: int) -> Iterator[Event]:
        if key in COMMANDS and not (self.keys or self._editor.text):
            self.begin()
            yield Text(key)
            return
        self.keys += key
        command = parse(self.keys)
        if command == "unfinished":
            return
        self.keys = ""
        self._settle()
        if command is not None and command.motion in "jk" and not command.operator:
            if command.count is None:
                yield Key("up" if command.motion == "k" else "down")
            for _ in range(command.count or 0):
                (self._editor.up if command.motion == "k" else self._editor.down)(width)
        elif command is not None:
            self._do(command)
        self._settle()

    def _do(self, command: Command) -> None:
        editor = self._editor
        match command.motion:
            case "." if not command.operator:
                self._again(command)
            case "u" | "\x12" if not command.operator:
                for _ in range(command.times):
                    (editor.undo if command.motion == "u" else editor.redo)()
            case "x" | "p" | "P" | "~" | "J" | "r" | "i" | "a" | "I" | "A" | "o" | "O" if not command.operator:
                self._change(command, lambda: self._alone(command))
            case _:
                self._moved(command)

    def _moved(self, command: Command) -> None:
        """By itself, or by an operator over what is on the way."""
        editor = self._editor
        if command.motion in ("f", "F", "t", "T"):
            self._last_find = Find(command.motion, command.character)
        if not command.operator:
            to = target(editor.text, editor.cursor, command, self._last_find)
            if to is not None:
                editor.go(to)
            return
        over = span(editor.text, editor.cursor, command, self._last_find)
        if over is None or (over.begin == over.end and not over.lines and command.operator != "c"):
            return
        if command.operator == "y":
            changes.yank(editor, over)
        else:
            self._change(command, lambda: _OPERATORS[command.operator](editor, over))

    def _alone(self, command: Command) -> None:
        editor = self._editor
        match command.motion:
            case "p" | "P":
                changes.put(editor, command.times, in_front=command.motion == "P")
            case "~":
                changes.toggle_case(editor, command.times)
            case "J":
                changes.join(editor, command.times)
            case "r":
                changes.replace(editor, command.times, command.character)
            case how:
                changes.begin_insert(editor, how)

    def _change(self, command: Command, act: Callable[[], None]) -> None:
        """One step for undo, with what is typed for it."""
        editor = self._editor
        editor.begin_step()
        act()
        self._last_change = Change(command, "")
        if command.operator == "c" or (not command.operator and command.motion in INSERTING):
            self.normal = False
            self._insertion = Insertion(command, editor.text[: editor.cursor], editor.text[editor.cursor :])
        else:
            editor.end_step()

    def _again(self, command: Command) -> None:
        if (last := self._last_change) is None:
            return
        self._do(replace(last.command, count=command.count or last.command.count))
        if not self.normal:
            if last.typed:
                self._editor.paste(last.typed)
            self._escape()

    def _escape(self) -> None:
        editor, insertion = self._editor, self._insertion
        if self.normal:
            self.keys = ""
            return
        if insertion is not None:
            self._repeat(insertion.command, insertion.typed(editor.text))
        editor.end_step()
        self.normal, self._insertion = True, None
        editor.go(left(editor.text, editor.cursor, 1))
        self._settle()

    def _repeat(self, command: Command, typed: str) -> None:
        """As often as the count says."""
        editor = self._editor
        again = "\n" * (command.motion in "oO") + typed
        if typed and not command.operator:
            times = changes.affordable(command.times, again) - 1
            editor.exchange(editor.cursor, editor.cursor, again * times)
        self._last_change = Change(command, editor.spelled(typed))

    def _settle(self) -> None:
        """Between commands the cursor stands on a character."""
        editor = self._editor
        if not self.normal:
            return
        if editor.cursor < len(editor.text):  # what a command has found may be a part of a character
            editor.cursor = before(editor.text, editor.cursor + 1)
        editor.cursor = resting(editor.text, editor.cursor)
