"""Which key does what to the text being edited; what a key means beyond that is in controls.py."""

from collections.abc import Callable

from ui.editor import Editor
from ui.keys import Event, Key, Paste, Text

EDITING: dict[str, Callable[[Editor], None]] = {
    "left": Editor.left,
    "ctrl+b": Editor.left,
    "right": Editor.right,
    "ctrl+f": Editor.right,
    "alt+b": Editor.word_left,
    "ctrl+left": Editor.word_left,
    "alt+left": Editor.word_left,
    "alt+f": Editor.word_right,
    "ctrl+right": Editor.word_right,
    "alt+right": Editor.word_right,
    "home": Editor.line_start,
    "ctrl+a": Editor.line_start,
    "end": Editor.line_end,
    "ctrl+e": Editor.line_end,
    "backspace": Editor.delete_back,
    "shift+backspace": Editor.delete_back,
    "ctrl+h": Editor.delete_back,
    "delete": Editor.delete_forward,
    "ctrl+d": Editor.delete_forward,
    "ctrl+k": Editor.kill_line,
    "ctrl+u": Editor.kill_line_back,
    "ctrl+w": Editor.kill_word_back,
    "alt+backspace": Editor.kill_word_back,
    "ctrl+backspace": Editor.kill_word_back,
    "alt+d": Editor.kill_word_forward,
    "ctrl+y": Editor.yank,
    "alt+y": Editor.yank_other,
    "ctrl+_": Editor.undo,
    "alt+_": Editor.redo,
}
NEWLINE = {"ctrl+j", "alt+enter", "shift+enter"}


def edit(editor: Editor, event: Event) -> bool:
    """False when the event is nothing an editor understands."""
    match event:
        case Text(text=text):
            editor.insert(text)
        case Paste(text=text):
            editor.paste(text)
        case Key(name=name) if name in NEWLINE:
            editor.insert("\n")
        case Key(name=name) if action := EDITING.get(name):
            action(editor)
        case _:
            return False
    return True
