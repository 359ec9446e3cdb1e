"""What /keys says: every key, what it does, and the name that keys.toml has for that."""

from pathlib import Path

from ui.screen.composer.key_names import plain
from ui.screen.composer.keymap import KeyMap
from ui.screen.keyboard.contexts import ALL
from ui.screen.keyboard.user_keys import NAME

NONE = "no key"


def key_text(keys: KeyMap, home: Path) -> str:
    """A heading for each place where keys count, below it a row for each action: its name, its keys, what it does."""
    widest = max(len(binding.action) for context in ALL for binding in context.bindings)
    lines: list[str] = []
    for context in ALL:
        lines += ["", f"{context.title} [{context.name}]"]
        for binding in context.bindings:
            pressed = ", ".join(map(plain, keys.keys(binding))) or NONE
            lines.append(f"{binding.action:<{widest}}  {pressed}: {binding.meaning}")
    return "\n".join(
        [*lines[1:], "", f'Other keys: {home / NAME}, such as [composing] and below it: cycle-mode = "alt+m"']
    )
