"""Named styles as SGR sequences, by the palette that is worn; and links, where the terminal knows them."""

from collections.abc import Mapping
from functools import cache

from ui.screen.terminal import cells
from ui.screen.terminal.cells import Span, Spans
from ui.screen.terminal.themes import styles
from ui.screen.terminal.themes.built_in import ANSI, MONO, Palette

RESET = "\x1b[0m"


class Theme:
    """What is drawn holds one for its life; what it wears may change."""

    def __init__(self, *, colour: bool = True, depth: styles.Depth = "16") -> None:
        """depth: how many colours there are, if any."""
        self.depth: styles.Depth = depth if colour else "none"
        self.palette: Palette = {}
        self.worn = 0
        """Grows with every change: what was painted before looks otherwise."""
        self._starts: dict[str, str] = {}
        self.wear(ANSI)

    def wear(self, palette: Palette) -> None:
        """Where there are no colours it is always the same one."""
        self.palette = MONO if self.depth == "none" else palette
        self._starts.clear()
        self.worn += 1

    def paint(self, style: str, text: str) -> str:
        """style: names separated by blanks."""
        if not style:
            return text
        start = self._starts.get(style)
        if start is None:
            start = self._starts[style] = self._start(style)
        return f"{start}{text}{RESET}" if start else text

    def _start(self, style: str) -> str:
        known = (self.palette[name] for name in style.split() if name in self.palette)
        codes = ";".join(filter(None, (styles.sequence(styles.style(words), self.depth) for words in known)))
        return f"\x1b[{codes}m" if codes else ""

    def row(self, spans: Spans) -> str:
        return "".join(self.paint(style, text) for style, text in spans)

    def wrapped(self, spans: list[Span], width: int) -> list[str]:
        return [self.row(row) for row in cells.wrap(spans, width)]


def wants_colour(environ: Mapping[str, str]) -> bool:
    return styles.depth(environ) != "none"


@cache
def theme(colour: bool) -> Theme:
    """For what is printed and has no choice of themes."""
    return Theme(colour=colour)
