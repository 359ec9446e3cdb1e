"""Pictures of the screen: stored screens with their colours, as SVG that needs nothing else."""

import io

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from tests.ui.screen import golden, golden_pager
from ui.screen.terminal.theme import Theme

SCENE, WIDTH = "demonstrated", 80
TITLE = "trouper demo"
KILLED = "providers was restarted: killed by signal 9"
MARKED = "on #4a2a2e not dim"
"""For the row the picture is about."""
COLOURS = TerminalTheme(
    background=(22, 24, 29),
    foreground=(226, 229, 233),
    normal=[
        (58, 63, 75),
        (255, 123, 123),
        (126, 211, 137),
        (229, 192, 123),
        (122, 182, 255),
        (209, 154, 240),
        (98, 205, 219),
        (226, 229, 233),
    ],
)
PAPER = TerminalTheme(
    background=(255, 255, 255),
    foreground=(31, 35, 40),
    normal=[
        (31, 35, 40),
        (181, 32, 44),
        (25, 112, 47),
        (125, 82, 0),
        (5, 80, 174),
        (122, 52, 176),
        (11, 101, 112),
        (103, 103, 103),
    ],
)
SCENES = {
    "idle": ("idle", "dark"),
    "streaming": ("streaming", "dark"),
    "diff": ("tools", "dark"),
    "diff-light": ("tools", "light"),
    "diff-high-contrast": ("tools", "high-contrast"),
    "diff-colour-blind": ("tools", "colour-blind"),
    "question": ("asking_about_a_diff", "dark"),
}
"""Which scene and which theme each picture of docs/screens has."""
FORMAT = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="%s">
<style>
.{unique_id}-matrix {{
    font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
    font-size: {char_height}px;
    line-height: {line_height}px;
}}
.{unique_id}-title {{ font-family: system-ui, sans-serif; font-size: 17px; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""Without the web font of rich's own."""


def rows() -> list[Text]:
    painted = golden.painted(SCENE, WIDTH, Theme(colour=True))
    return [Text.from_ansi(row) for row in painted[1:]]  # the first one is blank


def draw() -> str:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for row in rows():
        if KILLED in row.plain:
            row.pad_right(WIDTH - row.cell_len)
            row.stylize(MARKED)
        console.print(row, soft_wrap=True)
    return _svg(console, TITLE, f"{TITLE}: a test is fixed; half-way {KILLED}", COLOURS)


def draw_scene(scene: str, look: str) -> str:
    """In this theme, on the background it is for."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for row in golden.painted(scene, WIDTH, golden.worn(look)):
        console.print(Text.from_ansi(row), soft_wrap=True)
    return _svg(console, f"trouper: {look}", f"{scene} in the theme {look}", PAPER if look == "light" else COLOURS)


def draw_pager() -> str:
    """In the dark theme."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    theme = golden.worn("dark")
    for row in golden_pager.opened(WIDTH, theme).rows(WIDTH, golden.HEIGHT)[0]:
        console.print(Text.from_ansi(row), soft_wrap=True)
    return _svg(console, "trouper: pager", "the pager over a session, with a call and its output", COLOURS)


def _svg(console: Console, title: str, label: str, colours: TerminalTheme) -> str:
    svg = console.export_svg(title=title, theme=colours, code_format=FORMAT % label, unique_id="screen")
    return "".join(f"{line.rstrip()}\n" for line in svg.replace("</text>", "</text>\n").splitlines() if line.strip())
