"""What the terminal can do, by what it says of itself in the environment and by its size."""

import os
from collections.abc import Mapping, Sequence

from ui.common.doctor.rows import Row

LEAST_COLUMNS, LEAST_ROWS = 60, 12
"""Below that the screen has no room for a question and what it is about."""
MULTIPLEXERS = {"TMUX": "tmux", "STY": "screen", "ZELLIJ": "zellij"}
CHARSETS = ("LC_ALL", "LC_CTYPE", "LANG")
"""The first that is set says it, https://man7.org/linux/man-pages/man7/locale.7.html."""


def rows(environ: Mapping[str, str] = os.environ, descriptor: int = 1) -> Sequence[Row]:
    return [_terminal(environ, _size(descriptor)), *_locale(environ)]


def _size(descriptor: int) -> tuple[int, int] | None:
    """Columns and rows; None where there is no terminal."""
    try:
        size = os.get_terminal_size(descriptor)
    except OSError:
        return None
    return (size.columns, size.lines) if size.columns and size.lines else None


def _terminal(environ: Mapping[str, str], size: tuple[int, int] | None) -> Row:
    term = environ.get("TERM", "")
    inside = [name for variable, name in MULTIPLEXERS.items() if environ.get(variable)]
    sized = f"{size[0]}x{size[1]}" if size else "the output goes to no terminal"
    facts = (f"TERM={term or '(unset)'}", sized, _colours(environ), *(f"in {name}" for name in inside))
    found = ", ".join(facts)
    if term in ("", "dumb", "unknown"):
        advice = "nothing can be drawn there: use trouper --plain or -p, or set TERM as the terminal's manual says"
        return Row(name="terminal", state="note", found=found, advice=advice)
    if size and (size[0] < LEAST_COLUMNS or size[1] < LEAST_ROWS):
        advice = f"make it larger: at least {LEAST_COLUMNS} columns and {LEAST_ROWS} rows; or use trouper --plain"
        return Row(name="terminal", state="note", found=found, advice=advice)
    return Row(name="terminal", found=found)


def _colours(environ: Mapping[str, str]) -> str:
    if environ.get("NO_COLOR"):
        return "no colours (NO_COLOR)"
    if environ.get("COLORTERM") in ("truecolor", "24bit"):
        return "16 million colours"
    term = environ.get("TERM", "")
    return "256 colours" if "256" in term or "direct" in term else "8 or 16 colours"


def _locale(environ: Mapping[str, str]) -> Sequence[Row]:
    variable = next((name for name in CHARSETS if environ.get(name)), "")
    said = environ.get(variable, "")
    if "utf-8" in said.casefold() or "utf8" in said.casefold():
        return [Row(name="locale", found=f"{variable}={said}")]
    found = f"{variable}={said}, which is not UTF-8" if variable else "none is set, so it is not UTF-8"
    advice = "export LANG=C.UTF-8 (or another one of `locale -a`): until then signs are shown as ASCII"
    return [Row(name="locale", state="note", found=found, advice=advice)]
