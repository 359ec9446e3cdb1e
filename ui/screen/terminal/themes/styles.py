"""A style in words, such as "bold #7ed389 on black", as an SGR sequence with as many colours as a terminal has."""

import colorsys
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Depth = Literal["none", "16", "256", "24bit"]
"""How many colours there are."""
ATTRIBUTES = {"bold": "1", "dim": "2", "italic": "3", "underline": "4", "reverse": "7", "strike": "9"}
NAMED = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
"""The terminal's own colours; each also with "bright-" before it."""
_HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
_CUBE = (0, 95, 135, 175, 215, 255)
"""Steps of xterm's 6 x 6 x 6 colours."""
_HUES = ("red", "yellow", "green", "cyan", "blue", "magenta")
"""At 0, 60, ... degrees."""
_GREYISH = 0.25
"""Less saturated than this has no hue to speak of."""
_TRUE_COLOUR = ("iTerm.app", "WezTerm", "ghostty", "vscode", "rio")

Rgb = tuple[int, int, int]


class BadStyle(ValueError):
    """What is wrong with it, in words."""


@dataclass(frozen=True)
class Style:
    attributes: tuple[str, ...] = ()
    colour: str = ""
    """Of the text: #rrggbb, a name, or "" for the terminal's own."""
    background: str = ""


def style(words: str) -> Style:
    """Raises BadStyle."""
    attributes: list[str] = []
    colours = {"": "", "on": ""}
    rest = iter(words.lower().split())
    for word in rest:
        if word in ATTRIBUTES:
            attributes.append(word)
            continue
        place = "on" * (word == "on")
        colour = next(rest, "") if place else word
        if not _is_colour(colour):
            raise BadStyle(f'"{colour}" is no colour' if place else f'"{word}" is neither a colour nor an attribute')
        if colours[place]:
            raise BadStyle(f'"{colour}" is one colour too many')
        colours[place] = colour
    return Style(tuple(attributes), colours[""], colours["on"])


def known() -> str:
    """What a style may be made of."""
    return f"#rrggbb, {', '.join(NAMED)}, bright-…, on COLOUR, {', '.join(ATTRIBUTES)}"


def _is_colour(word: str) -> bool:
    return bool(_HEX.fullmatch(word)) or word.removeprefix("bright-") in NAMED


def sequence(one: Style, depth: Depth) -> str:
    """The numbers of its SGR sequence, "" for none. With few colours a background is underlined, a grey dim."""
    codes = [ATTRIBUTES[name] for name in one.attributes]
    if depth in {"none", "16"} and one.background and "underline" not in one.attributes:
        codes.append(ATTRIBUTES["underline"])
    if depth == "none":
        return ";".join(codes)
    code = _code(one.colour, depth, 30)
    if one.colour and not code and not codes:
        code = ATTRIBUTES["dim"]
    behind = _code(one.background, depth, 40) if depth != "16" else ""
    return ";".join(filter(None, (*codes, code, behind)))


def _code(colour: str, depth: Depth, base: int) -> str:
    """base: 30 of the text, 40 of what is behind it."""
    if not colour:
        return ""
    if colour[0] != "#":
        bright = 60 * colour.startswith("bright-")
        return str(base + bright + NAMED.index(colour.removeprefix("bright-")))
    if depth == "24bit":
        return f"{base + 8};2;{';'.join(map(str, rgb(colour)))}"
    if depth == "256":
        return f"{base + 8};5;{nearest_of_256(rgb(colour))}"
    return _code(_nearest_of_16(rgb(colour)), depth, base)


def rgb(colour: str) -> Rgb:
    """Of #rrggbb."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def nearest_of_256(wanted: Rgb) -> int:
    """Of the cube and the greys: the first sixteen are the terminal's to choose."""
    steps = [min(range(6), key=lambda step: abs(_CUBE[step] - part)) for part in wanted]
    grey = min(range(24), key=lambda step: abs(8 + 10 * step - sum(wanted) // 3))
    cube, greys = 16 + 36 * steps[0] + 6 * steps[1] + steps[2], 232 + grey
    return min((cube, greys), key=lambda index: _distance(rgb_of_256(index), wanted))


def rgb_of_256(index: int) -> Rgb:
    """From 16 on."""
    if index >= 232:
        return (8 + 10 * (index - 232),) * 3
    at = index - 16
    return _CUBE[at // 36], _CUBE[at // 6 % 6], _CUBE[at % 6]


def _distance(one: Rgb, other: Rgb) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _nearest_of_16(wanted: Rgb) -> str:
    """By its hue; "" for greys, as nobody knows what the terminal's text is on."""
    hue, _, saturation = colorsys.rgb_to_hls(*(part / 255 for part in wanted))
    return "" if saturation < _GREYISH else _HUES[round(hue * 6) % 6]


def luminance(colour: Rgb) -> float:
    """Relative, from 0.0 to 1.0: https://www.w3.org/TR/WCAG21/#dfn-relative-luminance"""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def depth(environ: Mapping[str, str]) -> Depth:
    """As the environment tells. NO_COLOR wins: https://no-color.org, set and not empty."""
    name = environ.get("TERM", "")
    if environ.get("NO_COLOR") or name in {"", "dumb", "vt100", "vt220"}:
        return "none"
    if name.startswith("screen") and "TMUX" not in environ:
        return "256" if "256color" in name else "16"  # GNU screen inherits COLORTERM and knows no such colours
    if environ.get("COLORTERM") in {"truecolor", "24bit"} or name.endswith("-direct") or "WT_SESSION" in environ:
        return "24bit"
    if name in {"xterm-kitty", "xterm-ghostty", "wezterm"} or environ.get("TERM_PROGRAM") in _TRUE_COLOUR:
        return "24bit"
    return "256" if "256color" in name or name in {"alacritty", "foot", "xterm-kitty"} else "16"
