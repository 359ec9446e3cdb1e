"""What /keys says: every key, what it does, and the name that keys.toml has for that."""

from pathlib import Path

from ui.screen.composer.key_names import plain
from ui.screen.composer.keymap import KeyMap
from ui.screen.keyboard.contexts import ALL
from ui.screen.keyboard.user_keys import NAME

NONE = "no key"


def key_text(keys: KeyMap, home: Path) -> str:
    """A heading for each place where keys count, below it a row for each action."""
    rows: list[tuple[str, str, str] | str] = []
    for context in ALL:
        rows.append(f"{context.title} [{context.name}]")
        for binding in context.bindings:
            pressed = ", ".join(map(plain, keys.keys(binding))) or NONE
            rows.append((pressed, binding.action, binding.meaning))
    widest = [max(len(row[at]) for row in rows if isinstance(row, tuple)) for at in (0, 1)]
    lines = [
        row if isinstance(row, str) else f"  {row[0]:<{widest[0]}}  {row[1]:<{widest[1]}}  {row[2]}" for row in rows
    ]
    return "\n".join([*lines, f'Other keys: {home / NAME}, such as [composing] and below it: cycle-mode = "alt+m"'])
