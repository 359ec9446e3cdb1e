"""What /help says: the commands and the keys, out of the tables that the screen goes by."""

from collections.abc import Iterable
from typing import Any

from actors.messages.mcp import ServerIs
from actors.settings.config import Settings
from ui.screen.commands import typed
from ui.screen.commands.table import BY_NAME
from ui.screen.composer.keymap import DEFAULTS, Binding, KeyMap
from ui.screen.controls import ANYWHERE, COMPOSING, NOTHING_TYPED
from ui.screen.keyboard.key_names import plain
from ui.screen.questions.queue import ANSWERS

IN_A_QUESTION = "in a question: "
EDITING = ("ctrl+a e b f k u w y _, ctrl+j", "edit as in a shell; a new line")
SHELL = ("!command, !!command", "run it in the sandbox: what it prints goes with the next prompt, or with !! nowhere")
CHOSEN = ("1 to 9, or its letter", "give that answer")


def help_text(settings: Settings, keys: KeyMap = DEFAULTS, servers: Iterable[ServerIs] = ()) -> str:
    """A row a command or key, in two columns. servers: as far as it is known what they have."""
    rows = [
        *((f"/{command.name} {command.arguments}".strip(), command.summary) for command in BY_NAME.values()),
        *typed.rows(settings),
        *typed.of_servers(servers),
        *_keys(keys, (*COMPOSING, *NOTHING_TYPED, *ANYWHERE)),
        EDITING,
        SHELL,
        *((IN_A_QUESTION + pressed, meaning) for pressed, meaning in (CHOSEN, *_keys(keys, ANSWERS))),
    ]
    widest = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{widest}}  {meaning}" for name, meaning in rows)


def _keys(keys: KeyMap, bindings: Iterable[Binding[Any]]) -> list[tuple[str, str]]:
    return [(", ".join(map(plain, keys.keys(binding))), binding.meaning) for binding in bindings]
