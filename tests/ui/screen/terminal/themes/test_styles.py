"""Styles in words, and what becomes of them with few colours."""

import pytest

from ui.screen.terminal.themes import styles
from ui.screen.terminal.themes.styles import BadStyle, Depth, sequence, style


@pytest.mark.parametrize(
    ("words", "depth", "codes"),
    [
        ("bold #ff8000", "24bit", "1;38;2;255;128;0"),
        ("bold #ff8000", "256", "1;38;5;208"),
        ("bold #ff8000", "16", "1;33"),
        ("bold #ff8000", "none", "1"),
        ("#949494", "256", "38;5;246"),
        ("#949494", "16", "2"),
        ("italic bright-blue", "24bit", "3;94"),
        ("white on #005f00", "24bit", "37;48;2;0;95;0"),
        ("white on #005f00", "256", "37;48;5;22"),
        ("white on #005f00", "16", "4;37"),
        ("on red", "none", "4"),
        ("", "24bit", ""),
    ],
)
def test_a_style_has_the_colours_there_are(words: str, depth: Depth, codes: str) -> None:
    assert sequence(style(words), depth) == codes


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("blod", '"blod" is neither a colour nor an attribute'),
        ("red on", '"" is no colour'),
        ("on #12345", '"#12345" is no colour'),
        ("red green", '"green" is one colour too many'),
        ("\x1b[31m", '"\x1b[31m" is neither a colour nor an attribute'),
    ],
)
def test_what_is_no_style_is_named(words: str, why: str) -> None:
    with pytest.raises(BadStyle) as raised:
        style(words)

    assert str(raised.value) == why


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "24bit"),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "none"),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit", "NO_COLOR": ""}, "24bit"),
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/tmux", "COLORTERM": "truecolor"}, "24bit"),
        ({"TERM": "screen-256color", "TMUX": "/tmp/tmux", "COLORTERM": "truecolor"}, "24bit"),
        ({"TERM": "screen.xterm-256color", "COLORTERM": "truecolor"}, "256"),
        ({"TERM": "screen", "COLORTERM": "truecolor"}, "16"),
        ({"TERM": "xterm-kitty"}, "24bit"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, "256"),
        ({"TERM": "xterm"}, "16"),
        ({"TERM": "linux"}, "16"),
        ({"TERM": "vt220", "COLORTERM": "truecolor"}, "none"),
        ({"TERM": "dumb"}, "none"),
        ({}, "none"),
    ],
)
def test_the_environment_tells_how_many_colours_there_are(environ: dict[str, str], depth: Depth) -> None:
    assert styles.depth(environ) == depth
