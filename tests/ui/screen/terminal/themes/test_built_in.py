"""What comes with the program can be read: 4.5:1 on black or on white, as WCAG 2.1 reckons contrast."""

from collections.abc import Iterator

import pytest

from ui.screen.terminal.themes import styles
from ui.screen.terminal.themes.built_in import ANSI, LOOKS, MONO, Palette

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
LEAST = {("high-contrast", "24bit"): 7.0}


def contrast(one: styles.Rgb, other: styles.Rgb) -> float:
    darker, lighter = sorted((styles.luminance(one), styles.luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def as_shown(colour: str, depth: str) -> styles.Rgb:
    exact = styles.rgb(colour)
    return exact if depth == "24bit" else styles.rgb_of_256(styles.nearest_of_256(exact))


def weakest(palette: Palette, terminal: styles.Rgb, depth: str) -> tuple[float, str]:
    return min(_contrasts(palette, terminal, depth))


def _contrasts(palette: Palette, terminal: styles.Rgb, depth: str) -> Iterator[tuple[float, str]]:
    for name, words in palette.items():
        style = styles.style(words)
        if style.colour:
            yield contrast(as_shown(style.colour, depth), _behind(style, terminal, depth)), name


def _behind(style: styles.Style, terminal: styles.Rgb, depth: str) -> styles.Rgb:
    return as_shown(style.background, depth) if style.background else terminal


@pytest.mark.parametrize("depth", ["24bit", "256"])
@pytest.mark.parametrize("name", [name for name, look in LOOKS.items() if look.dark not in (ANSI, MONO)])
def test_every_colour_can_be_read(name: str, depth: str) -> None:
    look, least = LOOKS[name], LEAST.get((name, depth), 4.5)

    if name != "light":
        assert weakest(look.dark, BLACK, depth) >= (least, "")
    if name != "dark":
        assert weakest(look.light, WHITE, depth) >= (least, "")


@pytest.mark.parametrize("name", LOOKS)
def test_a_theme_has_every_style(name: str) -> None:
    look = LOOKS[name]

    assert look.dark.keys() == look.light.keys() == MONO.keys()
    assert all(styles.style(words) for words in look.dark.values() if words)


@pytest.mark.parametrize("name", LOOKS)
@pytest.mark.parametrize("depth", ["24bit", "256", "16", "none"])
def test_what_has_changed_in_a_line_is_seen_beside_the_line(name: str, depth: styles.Depth) -> None:
    for palette in (LOOKS[name].dark, LOOKS[name].light):
        for kind in ("added", "removed"):
            word, line = (styles.sequence(styles.style(palette[it]), depth) for it in (f"{kind}-word", kind))

            assert {"1", "4"} & set(word.split(";")) - set(line.split(";"))
