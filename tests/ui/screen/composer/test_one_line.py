"""What is typed to find something is one line, whatever is pressed or pasted."""

import pytest

from ui.screen.composer.editor import Editor
from ui.screen.composer.keymap import edit_line
from ui.screen.terminal.keys import Event, Key, Paste, Text


@pytest.mark.parametrize(
    ("event", "text", "changed"),
    [
        (Text("c"), "abc", True),
        (Text("c\nd"), "abc d", True),
        (Paste("c\n" * 20), "abc" + " c" * 19 + " ", True),
        (Key("ctrl+j"), "ab", False),
        (Key("shift+enter"), "ab", False),
        (Key("backspace"), "a", True),
        (Key("f5"), "ab", False),
    ],
)
def test_it_stays_one_line(event: Event, text: str, changed: bool) -> None:
    editor = Editor()
    editor.insert("ab")

    assert edit_line(editor, event) == changed
    assert editor.text == text
