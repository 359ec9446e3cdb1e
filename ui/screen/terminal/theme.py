"""Named styles as SGR sequences, by the palette that is worn; and links, where the terminal knows them."""

import zlib
from collections.abc import Mapping
from functools import cache

from ui.screen.terminal import cells
from ui.screen.terminal.cells import Span, Spans
from ui.screen.terminal.themes import styles
from ui.screen.terminal.themes.built_in import ANSI, MONO, Palette

RESET = "\x1b[0m"
_SCHEMES = ("https://", "http://")
LONGEST_LINK = 2000
"""Characters of an address: terminals give up near there."""


class Theme:
    """What is drawn holds one for its life; what it wears may change."""

    def __init__(self, *, colour: bool = True, depth: styles.Depth = "16", links: bool = False) -> None:
        """depth: how many colours there are, if any. links: the terminal knows OSC 8."""
        self._links = links
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
        """style: names separated by blanks; an address of the web among them is where the text leads."""
        if not style:
            return text
        if "://" in style:
            return self._linked(style.split(), text)
        start = self._starts.get(style)
        if start is None:
            start = self._starts[style] = self._start(style)
        return f"{start}{text}{RESET}" if start else text

    def _linked(self, names: list[str], text: str) -> str:
        """The pieces of one link, on however many rows, have the same id, so that they light up together."""
        painted = self.paint(" ".join(name for name in names if "://" not in name), text)
        target = next((name for name in names if name.startswith(_SCHEMES)), "")
        if not (self._links and target and target.isascii() and target.isprintable()) or len(target) > LONGEST_LINK:
            return painted
        return f"\x1b]8;id={zlib.crc32(target.encode()):x};{target}\x1b\\{painted}\x1b]8;;\x1b\\"

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
