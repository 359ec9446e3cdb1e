"""The page of the keys, out of the tables that the screen goes by."""

from collections.abc import Callable, Sequence

from tests.docs.table import table
from ui.screen.commands.table import BY_NAME
from ui.screen.composer.keymap import EDITING, Binding
from ui.screen.controls import ANYWHERE, COMPOSING, NOTHING_TYPED
from ui.screen.questions.queue import ANSWERING, ANSWERS, NOTES

SHOWN = {" ": "Space", "pagedown": "PageDown", "pageup": "PageUp", "ctrl+_": "Ctrl+_", "alt+_": "Alt+_"}
PAGE = """# Keys and commands of the screen

<!-- Written by `just docs` from the tables the screen goes by: change those. -->

An interactive session begins with `trouper`, in a terminal. What leads there and away again is in
[sessions](sessions.md), the modes and the rules behind its questions in [permissions](permissions.md).

## Anywhere

{anywhere}

## In the composer

{composing}

Text that is typed or pasted goes in as it is; a long paste is shown as a marker and sent whole. Images and PDFs that
are dropped on the terminal, or whose paths are pasted, go with the prompt.

### Editing

{editing}

Shift+Enter and Ctrl+Backspace need a terminal that tells them from Enter and Backspace (by the Kitty protocol or
modifyOtherKeys); Ctrl+J always works.

## In a question

{answers}

Every answer has a letter or a number, shown in front of it: that key gives it. An answer that lets something happen
is taken once all of the question was on the screen. In its first moment a question takes no keys, nor right after
something was typed: those were meant for what was there before.

While something is written in the composer keys go there; only {answering} are for the question, and Enter after Tab.
A slash begins a command there.

Some answers take a note. While one is written the keys for editing work as above, and:

{notes}

## Commands

A line that begins with a slash is one of these, or `/SERVER:PROMPT` for a prompt of an
[MCP server](mcp-servers.md#resources-and-prompts); everything else is a prompt.

{commands}
"""


def page() -> str:
    return PAGE.format(
        anywhere=_keys(ANYWHERE),
        composing=_keys((*COMPOSING, *NOTHING_TYPED)),
        editing=_keys(EDITING),
        answers=_keys(ANSWERS),
        answering=", ".join(map(shown, ANSWERING)),
        notes=_keys(NOTES),
        commands=table(
            ("command", "what it does"),
            [
                (f"`/{command.name} {command.arguments}`".replace(" `", "`"), command.summary)
                for command in BY_NAME.values()
            ],
        ),
    )


def shown(key: str) -> str:
    """As keyboards have it: Ctrl+A, PageDown."""
    return SHOWN.get(key) or "+".join(part.capitalize() for part in key.split("+"))


def _keys(bindings: Sequence[Binding[Callable[..., object]]]) -> str:
    rows = [(", ".join(map(shown, binding.keys)), binding.meaning) for binding in bindings]
    return table(("key", "what it does"), rows)
