"""Which key does what to the text being edited; what a key means beyond that is in controls.py and questions.py."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ui.screen.composer.editor import Editor
from ui.screen.terminal.keys import Event, Key, Paste, Text

Act = TypeVar("Act")


@dataclass(frozen=True)
class Binding(Generic[Act]):
    """Keys that mean the same."""

    keys: tuple[str, ...]
    """As Key has them; a character typed alone is itself."""
    act: Act
    meaning: str
    """For /help and the page of keys."""


def by_key(*bindings: Iterable[Binding[Act]]) -> dict[str, Act]:
    """Later ones count more."""
    return {key: binding.act for some in bindings for binding in some for key in binding.keys}


def pressed(event: Event) -> str:
    """As bindings name it: a key, or a character typed alone; "" for all else."""
    match event:
        case Key(name=name):
            return name
        case Text(text=text) if len(text) == 1:
            return text
        case _:
            return ""


def _new_line(editor: Editor) -> None:
    editor.insert("\n")


EDITING: tuple[Binding[Callable[[Editor], None]], ...] = (
    Binding(("left", "ctrl+b"), Editor.left, "one character to the left"),
    Binding(("right", "ctrl+f"), Editor.right, "one character to the right"),
    Binding(("alt+b", "ctrl+left", "alt+left"), Editor.word_left, "one word to the left"),
    Binding(("alt+f", "ctrl+right", "alt+right"), Editor.word_right, "one word to the right"),
    Binding(("home", "ctrl+a"), Editor.line_start, "to the start of the line"),
    Binding(("end", "ctrl+e"), Editor.line_end, "to the end of the line"),
    Binding(("ctrl+j", "alt+enter", "shift+enter"), _new_line, "a new line"),
    Binding(("backspace", "shift+backspace", "ctrl+h"), Editor.delete_back, "delete the character before the cursor"),
    Binding(("delete", "ctrl+d"), Editor.delete_forward, "delete the character under the cursor"),
    Binding(("ctrl+k",), Editor.kill_line, "cut to the end of the line"),
    Binding(("ctrl+u",), Editor.kill_line_back, "cut to the start of the line"),
    Binding(("ctrl+w", "alt+backspace", "ctrl+backspace"), Editor.kill_word_back, "cut the word before the cursor"),
    Binding(("alt+d",), Editor.kill_word_forward, "cut the word behind the cursor"),
    Binding(("ctrl+y",), Editor.yank, "put back what was cut last"),
    Binding(("alt+y",), Editor.yank_other, "right after that: put back what was cut before it instead"),
    Binding(("ctrl+_",), Editor.undo, "undo"),
    Binding(("alt+_",), Editor.redo, "redo"),
)
_EDIT = by_key(EDITING)


def edit(editor: Editor, event: Event) -> bool:
    """False when the event is nothing an editor understands."""
    match event:
        case Text(text=text):
            editor.insert(text)
        case Paste(text=text):
            editor.paste(text)
        case Key(name=name) if action := _EDIT.get(name):
            action(editor)
        case _:
            return False
    return True
