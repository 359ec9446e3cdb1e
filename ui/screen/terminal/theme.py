"""Named styles as SGR sequences: the terminal's own 16 colours, which fit light and dark, or none at all."""

from collections.abc import Mapping
from functools import cache

from ui.screen.terminal import cells
from ui.screen.terminal.cells import Span, Spans

_PLAIN = {
    "strong": "1",
    "em": "3",
    "strike": "9",
    "heading": "1",
    "title": "1;4",
    "link": "4",
    "user": "1",
    "chosen": "7",
    "dim": "2",
    "quote": "2",
    "comment": "2",
    "code": "",
    "warning": "1",
    "error": "1",
}
_COLOURS = _PLAIN | {
    "code": "36",
    "good": "32",
    "bad": "31",
    "warning": "33",
    "error": "31",
    "busy": "35",
    "added": "32",
    "removed": "31",
    "keyword": "35",
    "string": "32",
    "number": "36",
    "name": "34",
    "type": "33",
}
RESET = "\x1b[0m"


class Theme:
    def __init__(self, *, colour: bool) -> None:
        self._codes = _COLOURS if colour else _PLAIN
        self._starts: dict[str, str] = {}

    def paint(self, style: str, text: str) -> str:
        """style: names separated by blanks."""
        if not style:
            return text
        start = self._starts.get(style)
        if start is None:
            codes = [self._codes[name] for name in style.split() if self._codes.get(name)]
            start = self._starts[style] = f"\x1b[{';'.join(codes)}m" if codes else ""
        return f"{start}{text}{RESET}" if start else text

    def row(self, spans: Spans) -> str:
        return "".join(self.paint(style, text) for style, text in spans)

    def wrapped(self, spans: list[Span], width: int) -> list[str]:
        return [self.row(row) for row in cells.wrap(spans, width)]


@cache
def theme(colour: bool) -> Theme:
    return Theme(colour=colour)


def wants_colour(environ: Mapping[str, str]) -> bool:
    """https://no-color.org: set and not empty means none."""
    return not environ.get("NO_COLOR") and environ.get("TERM", "") not in {"", "dumb", "vt100", "vt220"}
