"""Which key does what to the text being edited, and how tables of keys become what a key means for this user.

What a key means beyond the text is in tables of the same kind where it counts; `keyboard/contexts.py` lists them all.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ui.screen.composer.editor import Editor
from ui.screen.terminal.keys import Event, Key, Paste, Text

Act = TypeVar("Act", bound=Callable[..., object])


@dataclass(frozen=True)
class Binding(Generic[Act]):
    """Keys that mean the same."""

    keys: tuple[str, ...]
    """As Key has them; a character typed alone is itself; two with a blank between are pressed one after the other."""
    act: Act
    meaning: str
    """For /keys and the page of keys."""

    @property
    def action(self) -> str:
        """Its name, by its function's: it stands in people's keys.toml, so a function renamed is a change for them."""
        return self.act.__name__.strip("_").replace("_", "-")


def pressed(event: Event) -> str:
    """As bindings name it: a key, or a character typed alone; "" for all else."""
    match event:
        case Key(name=name):
            return name
        case Text(text=text) if len(text) == 1:
            return text
        case _:
            return ""


def begins(key: str, acts: Iterable[str]) -> bool:
    """The first of two keys that mean something together."""
    return any(name.startswith(f"{key} ") for name in acts if name != " ")


def new_line(editor: Editor) -> None:
    editor.insert("\n")


EDITING: tuple[Binding[Callable[[Editor], None]], ...] = (
    Binding(("left", "ctrl+b"), Editor.left, "one character to the left"),
    Binding(("right", "ctrl+f"), Editor.right, "one character to the right"),
    Binding(("alt+b", "ctrl+left", "alt+left"), Editor.word_left, "one word to the left"),
    Binding(("alt+f", "ctrl+right", "alt+right"), Editor.word_right, "one word to the right"),
    Binding(("home", "ctrl+a"), Editor.line_start, "to the start of the line"),
    Binding(("end", "ctrl+e"), Editor.line_end, "to the end of the line"),
    Binding(("ctrl+j", "shift+enter"), new_line, "a new line"),
    Binding(("backspace", "shift+backspace", "ctrl+h"), Editor.delete_back, "delete the character before the cursor"),
    Binding(("delete", "ctrl+d"), Editor.delete_forward, "delete the character under the cursor"),
    Binding(("ctrl+k",), Editor.kill_line, "cut to the end of the line"),
    Binding(("ctrl+u",), Editor.kill_line_back, "cut to the start of the line"),
    Binding(("ctrl+w", "alt+backspace", "ctrl+backspace"), Editor.kill_word_back, "cut the word before the cursor"),
    Binding(("alt+d",), Editor.kill_word_forward, "cut the word behind the cursor"),
    Binding(("ctrl+y",), Editor.yank, "put back what was cut last"),
    Binding(("alt+y",), Editor.yank_other, "right after that: put back what was cut before it instead"),
    Binding(("ctrl+_", "ctrl+-", "ctrl+/"), Editor.undo, "undo"),
    Binding(("alt+_", "alt+-", "alt+/"), Editor.redo, "redo"),
)


class KeyMap:
    """The keys as this user has them."""

    def __init__(self, changed: Mapping[Binding[Any], tuple[str, ...]] | None = None, *, vi: bool = False) -> None:
        """changed: the keys of those that have others than by default. vi: the composer has modes."""
        self.vi = vi
        self._changed = changed or {}
        self._editing = self.by_key(EDITING)

    def keys(self, binding: Binding[Any]) -> tuple[str, ...]:
        return self._changed.get(binding, binding.keys)

    def by_key(self, *bindings: Iterable[Binding[Act]]) -> dict[str, Act]:
        """Later ones count more."""
        return {key: binding.act for some in bindings for binding in some for key in self.keys(binding)}

    def edit(self, editor: Editor, event: Event) -> bool:
        """False when the event is nothing an editor understands."""
        match event:
            case Text(text=text):
                editor.insert(text)
            case Paste(text=text):
                editor.paste(text)
            case Key(name=name) if action := self._editing.get(name):
                action(editor)
            case _:
                return False
        return True

    def edit_line(self, editor: Editor, event: Event) -> bool:
        """The same of a text that stays one line, also what is pasted. False: nothing has changed."""
        before = editor.text
        if isinstance(event, Text | Paste):
            editor.insert(" ".join(event.text.split("\n")))
        else:
            self.edit(editor, event)
        if "\n" in editor.text:  # by the key for one
            editor.delete_back()
        return editor.text != before


DEFAULTS = KeyMap()
by_key, edit, edit_line = DEFAULTS.by_key, DEFAULTS.edit, DEFAULTS.edit_line
