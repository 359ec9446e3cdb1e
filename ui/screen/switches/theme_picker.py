"""The themes to choose from, over the composer: the screen wears the one that is marked, and a sample shows it."""

from collections.abc import Callable

from ui.screen.composer.keymap import pressed
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Spans
from ui.screen.terminal.keys import Event, Key
from ui.screen.terminal.theme import Theme
from ui.screen.terminal.themes.built_in import Look
from ui.screen.terminal.wardrobe import Wardrobe
from ui.screen.transcript import code, diff

_SAMPLE_CODE = "def total(self, line: Line) -> Decimal:  # in cents"
_SAMPLE = """--- a/cart.py
+++ b/cart.py
@@ -42,1 +42,1 @@
-    self.sum += round(line.price * line.qty, 2)
+    self.sum += line.price * line.qty
"""
_KEYS = "   enter keeps it · esc: as it was"
_MOVES = {"up": -1, "ctrl+p": -1, "shift+tab": -1, "down": 1, "ctrl+n": 1, "tab": 1}


class ThemePicker:
    """A Layer."""

    def __init__(self, wardrobe: Wardrobe, keep: Callable[[str], None]) -> None:
        """keep: the one of this name."""
        self._wardrobe = wardrobe
        self._keep = keep
        self._looks: list[tuple[str, Look]] = []
        self._marked = 0

    @property
    def open(self) -> bool:
        return bool(self._looks)

    def show(self, looks: dict[str, Look]) -> None:
        """By name."""
        self._looks = list(looks.items())
        names = [name for name, _ in self._looks]
        self._mark(names.index(self._wardrobe.chosen) if self._wardrobe.chosen in names else 0)

    def key(self, event: Event) -> bool:
        name = pressed(event)
        if step := _MOVES.get(name):
            self._mark((self._marked + step) % len(self._looks))
        elif name == "enter":
            chosen, self._looks = self._looks[self._marked][0], []
            self._keep(chosen)
        else:
            self._close()
            return isinstance(event, Key)
        return True

    def typed(self) -> None:
        return

    def rows(self, width: int, room: int, theme: Theme) -> list[str]:
        count = f" {self._marked + 1} of {len(self._looks)} ──"
        rule = theme.paint("dim", "── Theme ".ljust(max(width - len(count), 0), "─") + count)
        sample = [theme.row(row) for row in _sample()]
        listed = max(room - 2 - len(sample), 1)
        if listed < min(len(self._looks), 3):
            sample, listed = [], max(room - 1, 1)
        first = max(min(self._marked - listed // 2, len(self._looks) - listed), 0)
        names = [self._row(at, theme) for at in range(first, min(first + listed, len(self._looks)))]
        head = [rule] if room > 1 else []
        return [cells.clip(row, width) for row in (*head, *names, *sample, theme.paint("dim", _KEYS))[:room]]

    def _row(self, at: int, theme: Theme) -> str:
        name, look = self._looks[at]
        sign, style = ("▸", "strong") if at == self._marked else (" ", "")
        widest = max(cells.width(name) for name, _ in self._looks)
        gap = " " * (widest - cells.width(name) + 2)
        return theme.row([(style, f" {sign} {name}{gap}"), ("dim", look.summary)])

    def _mark(self, at: int) -> None:
        self._marked = at
        self._wardrobe.try_on(self._looks[at][1])

    def _close(self) -> None:
        self._looks = []
        self._wardrobe.wear(self._wardrobe.chosen)


def _sample() -> list[Spans]:
    return [[], [("", "   "), *code.LineLexer("python").line(_SAMPLE_CODE)], *diff.rows(_SAMPLE), []]
