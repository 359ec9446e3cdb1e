"""Which theme is worn: what was chosen, for the background that the terminal has told."""

from pathlib import Path

from ui.screen.terminal.theme import Theme
from ui.screen.terminal.themes import styles, user_themes
from ui.screen.terminal.themes.built_in import AUTO, LOOKS, Look, Palette

_DARKEST_LIGHT = 0.18
"""Relative luminance; black text and white text are about as good on it."""


class Wardrobe:
    def __init__(self, theme: Theme, home: Path, *, dark: bool | None = None) -> None:
        """theme: the one that all that is drawn has. dark: the background; None: not known yet."""
        self._theme = theme
        self._home = home
        self._dark = dark
        self._look = LOOKS[AUTO]
        self.chosen = AUTO
        """Its name."""

    def wear(self, name: str) -> tuple[str, ...]:
        """From now on. What does not count of it, for the user; an unknown one changes nothing."""
        problems: tuple[str, ...] = ()
        look = LOOKS.get(name)
        if look is None:
            found = user_themes.find(self._home)
            if name not in found.looks:
                return (f"there is no theme {name}; there are {', '.join([*LOOKS, *found.looks])}",)
            look, problems = found.looks[name], found.problems[name]
        self.chosen = name
        self.try_on(look)
        return problems

    def try_on(self, look: Look) -> None:
        """Until the next one is worn."""
        self._look = look
        self._theme.wear(self._palette)

    def told(self, background: tuple[int, ...]) -> None:
        """By the terminal: red, green and blue, 0 to 255."""
        red, green, blue = background
        self._dark = styles.luminance((red, green, blue)) < _DARKEST_LIGHT
        self._theme.wear(self._palette)

    @property
    def _palette(self) -> Palette:
        look = self._look
        if self._dark is None and look.untold is not None:
            return look.untold
        return look.light if self._dark is False else look.dark
