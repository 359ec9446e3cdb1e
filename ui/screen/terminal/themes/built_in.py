"""The themes that come with the program: a palette each for dark and for light terminals."""

from collections.abc import Mapping
from dataclasses import dataclass

Palette = Mapping[str, str]
"""What each named style is, in words: see `styles.style`."""

_SHAPES = {
    "strong": "bold",
    "em": "italic",
    "strike": "strike",
    "heading": "bold",
    "title": "bold underline",
    "link": "underline",
    "user": "bold",
    "chosen": "reverse",
    "dim": "dim",
    "quote": "dim",
    "comment": "dim",
    "code": "",
    "good": "",
    "bad": "",
    "warning": "bold",
    "error": "bold",
    "busy": "",
    "added": "",
    "removed": "",
    "added-word": "bold underline",
    "removed-word": "bold underline",
    "keyword": "",
    "string": "",
    "number": "",
    "name": "",
    "type": "",
}
"""Without any colour; and every name that there is."""
MONO: Palette = _SHAPES
ANSI: Palette = _SHAPES | {
    "code": "cyan",
    "good": "green",
    "bad": "red",
    "warning": "yellow",
    "error": "red",
    "busy": "magenta",
    "added": "green",
    "removed": "red",
    "added-word": "bold underline green",
    "removed-word": "bold underline red",
    "keyword": "magenta",
    "string": "green",
    "number": "cyan",
    "name": "blue",
    "type": "yellow",
}
"""The terminal's own colours, which fit its background."""
_DARK = _SHAPES | {
    "heading": "bold #8ab8ff",
    "title": "bold underline #8ab8ff",
    "link": "underline #8ab8ff",
    "dim": "#949494",
    "quote": "#949494",
    "comment": "#949494",
    "code": "#62cddb",
    "good": "#7ed389",
    "bad": "#ff7b7b",
    "warning": "#e5c07b",
    "error": "#ff7b7b",
    "busy": "#d19af0",
    "added": "#7ed389",
    "removed": "#ff7b7b",
    "added-word": "bold #d7ffd7 on #005f00",
    "removed-word": "bold #ffd7d7 on #870000",
    "keyword": "#d19af0",
    "string": "#98c379",
    "number": "#62cddb",
    "name": "#8ab8ff",
    "type": "#e5c07b",
}
_LIGHT = _SHAPES | {
    "heading": "bold #0550ae",
    "title": "bold underline #0550ae",
    "link": "underline #0550ae",
    "dim": "#676767",
    "quote": "#676767",
    "comment": "#676767",
    "code": "#0b6570",
    "good": "#19702f",
    "bad": "#b5202c",
    "warning": "#7d5200",
    "error": "#b5202c",
    "busy": "#7a34b0",
    "added": "#19702f",
    "removed": "#b5202c",
    "added-word": "bold #0a3d1a on #afffaf",
    "removed-word": "bold #6b0f18 on #ffd7d7",
    "keyword": "#7a34b0",
    "string": "#356a12",
    "number": "#0b6570",
    "name": "#0550ae",
    "type": "#7d5200",
}
_CONTRAST_DARK = _DARK | {
    "dim": "#c0c0c0",
    "quote": "#c0c0c0",
    "comment": "#c0c0c0",
    "heading": "bold #afd7ff",
    "title": "bold underline #afd7ff",
    "link": "underline #afd7ff",
    "code": "#5fffff",
    "good": "bold #87ff87",
    "bad": "bold #ffafaf",
    "warning": "bold #ffff5f",
    "error": "bold #ffafaf",
    "busy": "bold #ffafff",
    "added": "#87ff87",
    "removed": "#ffafaf",
    "added-word": "bold underline #ffffff on #005f00",
    "removed-word": "bold underline #ffffff on #870000",
    "keyword": "bold #ffafff",
    "string": "#87ff87",
    "number": "#5fffff",
    "name": "#afd7ff",
    "type": "#ffff5f",
}
_CONTRAST_LIGHT = _LIGHT | {
    "dim": "#4a4a4a",
    "quote": "#4a4a4a",
    "comment": "#4a4a4a",
    "heading": "bold #00318a",
    "title": "bold underline #00318a",
    "link": "underline #00318a",
    "code": "#004f5f",
    "good": "bold #005200",
    "bad": "bold #8a0000",
    "warning": "bold #523400",
    "error": "bold #8a0000",
    "busy": "bold #5f0087",
    "added": "#005200",
    "removed": "#8a0000",
    "added-word": "bold underline #000000 on #afffaf",
    "removed-word": "bold underline #000000 on #ffd7d7",
    "keyword": "bold #5f0087",
    "string": "#005200",
    "number": "#004f5f",
    "name": "#00318a",
    "type": "#523400",
}
_BLIND_DARK = _DARK | {
    "good": "#6cb8f0",
    "bad": "#ffab4a",
    "warning": "bold #f0e442",
    "error": "bold #ffab4a",
    "added": "#6cb8f0",
    "removed": "#ffab4a",
    "added-word": "bold #e3f3ff on #005f87",
    "removed-word": "bold #ffffff on #875f00",
    "string": "#f0e442",
    "busy": "#dfa0c4",
    "keyword": "#dfa0c4",
}
_BLIND_LIGHT = _LIGHT | {
    "good": "#005a94",
    "bad": "#974500",
    "warning": "bold #6b5e00",
    "error": "bold #974500",
    "added": "#005a94",
    "removed": "#974500",
    "added-word": "bold #00304f on #afd7ff",
    "removed-word": "bold #522500 on #ffd7af",
    "string": "#6b5e00",
    "busy": "#8c3a68",
    "keyword": "#8c3a68",
}


@dataclass(frozen=True)
class Look:
    summary: str
    dark: Palette
    light: Palette
    untold: Palette | None = None
    """Until the terminal has told its background; None: as on a dark one."""


AUTO, FALLBACK = "auto", "ansi"
LOOKS: dict[str, Look] = {
    AUTO: Look("dark or light, as the terminal is", _DARK, _LIGHT, untold=ANSI),
    "dark": Look("for dark terminals", _DARK, _DARK),
    "light": Look("for light terminals", _LIGHT, _LIGHT),
    "high-contrast": Look("7:1 and more, as the terminal is", _CONTRAST_DARK, _CONTRAST_LIGHT),
    "colour-blind": Look("blue and orange instead of green and red", _BLIND_DARK, _BLIND_LIGHT),
    FALLBACK: Look("the terminal's own 16 colours", ANSI, ANSI),
    "mono": Look("no colours: bold, dim, underlined", MONO, MONO),
}
