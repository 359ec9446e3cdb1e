"""Themes of the user's own: TOML files in the folder `themes` of TROUPER_HOME. What is wrong in one is said, the rest
counts."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from actors.errors import BadConfiguration
from actors.settings import toml_files
from ui.common import harmless
from ui.screen.terminal.themes import styles
from ui.screen.terminal.themes.built_in import AUTO, LOOKS, MONO, Look

FOLDER = "themes"
MOST = 64 * 1024
"""Bytes of a theme."""
MOST_THEMES = 50
_KEYS = ("base", "summary", "styles")


@dataclass(frozen=True)
class Found:
    """By the name of the theme."""

    looks: dict[str, Look]
    problems: dict[str, tuple[str, ...]]
    """What does not count, and what would."""


@dataclass
class _Reading:
    """One file."""

    path: Path
    problems: list[str] = field(default_factory=list)

    def look(self) -> Look:
        table = self._table()
        for key in sorted(table.keys() - _KEYS):
            self._say(f'unknown key "{key}"; known are {", ".join(_KEYS)}')
        base = LOOKS[self._base(table.get("base", AUTO))]
        own = self._styles(table.get("styles", {}))
        summary = harmless.one_line(str(table.get("summary", ""))) or f"yours: {FOLDER}/{self.path.name}"
        untold = None if base.untold is None else {**base.untold, **own}
        return Look(summary, {**base.dark, **own}, {**base.light, **own}, untold)

    def _table(self) -> dict[str, Any]:
        try:
            return toml_files.table(toml_files.text_of(self.path, MOST), self.path)
        except BadConfiguration as error:
            self.problems.append(str(error))
            return {}

    def _base(self, name: object) -> str:
        if isinstance(name, str) and name in LOOKS:
            return name
        self._say(f"base: {name!r} is no built-in theme; those are {', '.join(LOOKS)}")
        return AUTO

    def _styles(self, table: object) -> dict[str, str]:
        if not isinstance(table, dict):
            self._say("styles has to be a table")
            return {}
        good: dict[str, str] = {}
        for name, words in table.items():
            if why := _why_not(name, words):
                self._say(f"[styles] {name}: {why}")
            else:
                good[name] = words
        return good

    def _say(self, what: str) -> None:
        self.problems.append(f"{self.path}: {what}{'' if what.endswith('?') else '.'}")


def find(home: Path) -> Found:
    """Those that are there now; a built-in one of the same name comes first."""
    looks: dict[str, Look] = {}
    problems: dict[str, tuple[str, ...]] = {}
    for path in sorted((home / FOLDER).glob("*.toml"))[:MOST_THEMES]:
        if path.stem in LOOKS:
            problems[path.stem] = (f"{path}: {path.stem} is built in. Give it another name.",)
            continue
        name, reading = harmless.one_line(path.stem), _Reading(path)
        looks[name] = reading.look()
        problems[name] = tuple(map(harmless.one_line, reading.problems))
    return Found(looks, problems)


def _instead(name: str, known: Iterable[str]) -> str:
    import difflib  # for mistakes alone

    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"


def _why_not(name: str, words: object) -> str:
    """ "" where it counts."""
    if name not in MONO:
        return f"there is no such style; {_instead(name, MONO)}"
    if not isinstance(words, str):
        return f"it has to be text made of {styles.known()}"
    try:
        styles.style(words)
    except styles.BadStyle as error:
        return f"{error}; it can be made of {styles.known()}"
    return ""
