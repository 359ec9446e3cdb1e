"""keys.toml: the user's own keys. What is wrong in it is told, and the default counts for that."""

import os
from pathlib import Path

from actors.errors import BadConfiguration
from actors.settings import toml_files
from ui.screen.composer.keymap import DEFAULTS, KeyMap

NAME = "keys.toml"


def load(home: Path, *, vi: bool = False) -> tuple[KeyMap, list[str]]:
    """The keys as they count, and what of the file does not, in words. vi: the composer has modes."""
    path = home / NAME
    default = KeyMap(vi=True) if vi else DEFAULTS
    if not os.path.lexists(path):
        return default, []
    from ui.screen.keyboard import wishes  # with the tables of all places, also those that few open

    try:
        table = toml_files.table(toml_files.text_of(path), path)
    except BadConfiguration as error:
        return default, [f"{error} Until then the default keys count."]
    changed, mistakes = wishes.granted(table)
    return KeyMap(changed, vi=vi), [f"{path}: {mistake}" for mistake in mistakes]
