"""What /help says: the commands and the keys, out of the tables that the screen goes by."""

from collections.abc import Iterable
from typing import Any

from actors.messages.mcp import ServerIs
from actors.settings.config import Settings
from ui.screen.commands import typed
from ui.screen.commands.table import BY_NAME, GROUPS
from ui.screen.composer.key_names import plain
from ui.screen.composer.keymap import DEFAULTS, Binding, KeyMap
from ui.screen.controls import ANYWHERE, COMPOSING, NOTHING_TYPED
from ui.screen.questions.queue import ANSWERS

YOURS = "Your own, the repository's and those of MCP servers"
KEYS = "Keys; /keys has all of them"
IN_A_QUESTION = "in a question: "
EDITING = ("ctrl+a e b f k u w y _, ctrl+j", "edit as in a shell; a new line")
SHELL = ("!command, !!command", "run it in the sandbox: what it prints goes with the next prompt, or with !! nowhere")
CHOSEN = ("1 to 9, or its letter", "give that answer")


def help_text(settings: Settings, keys: KeyMap = DEFAULTS, servers: Iterable[ServerIs] = ()) -> str:
    """A row a command or key, in two columns, below headings. servers: as far as it is known what they have."""
    rows: list[tuple[str, str]] = []
    for command in BY_NAME.values():
        rows += [(GROUPS[command.name], "")] if command.name in GROUPS else []
        rows.append((f"/{command.name} {command.arguments}".strip(), command.summary))
    theirs = [*typed.rows(settings), *typed.of_servers(servers)]
    rows += [(YOURS, ""), *theirs] if theirs else []
    rows += [
        (KEYS, ""),
        *_keys(keys, (*COMPOSING, *NOTHING_TYPED, *ANYWHERE)),
        EDITING,
        SHELL,
        *((IN_A_QUESTION + pressed, meaning) for pressed, meaning in (CHOSEN, *_keys(keys, ANSWERS))),
    ]
    widest = max(len(name) for name, meaning in rows if meaning)
    lines = (f"{name:<{widest}}  {meaning}" if meaning else f"\n{name}" for name, meaning in rows)
    return "\n".join(lines).lstrip("\n")


def _keys(keys: KeyMap, bindings: Iterable[Binding[Any]]) -> list[tuple[str, str]]:
    return [(", ".join(map(plain, keys.keys(binding))), binding.meaning) for binding in bindings]
