"""The first frame, before anything is imported: standard library only, painted in about 10 ms.

It leaves the terminal in raw mode. The screen takes the painted rows over, and the keys that `early_keys` has kept.
"""

import os
import termios

from supervisor.terminal import Geometry, GeometryFile

TYPE_CHECKING = False  # importing typing costs as much as this whole frame
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MODES_ON = "\x1b[?2004h\x1b[?1004h\x1b[>1u\x1b[>4;2m"
"""Bracketed paste, focus reports, Kitty keys (disambiguate), modifyOtherKeys: Shift+Enter needs one of the last two."""
PROMPT = "❯ "
RULE = "─"
ROWS, ABOVE = 5, 2
"""Blank, rule, composer, rule, status; the cursor is in the composer."""


class Saved:
    """What it takes to give the terminal back."""

    __slots__ = ("attributes", "header")

    def __init__(self, attributes: "list[Any]", header: str) -> None:
        self.attributes = attributes
        """As tcgetattr gave them."""
        self.header = header


def is_drawn(environ: "Mapping[str, str]") -> bool:
    """The screen, where a session is to be seen; else it is told as lines."""
    able = os.isatty(1) and environ.get("TERM", "") not in {"", "dumb", "unknown"}
    return able and environ.get("ACCESSIBLE", "") in {"", "0"}


def start(version: str, cwd: str, path: str) -> Saved | None:
    """Raw mode, modes on, header and empty composer; None where there can be no screen. path: the geometry file."""
    if not os.isatty(0) or not is_drawn(os.environ):
        return None
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)  # pathlib costs 5 ms
        file = GeometryFile(path)
    except OSError:
        return None  # the launcher says why when it makes the folder
    attributes = termios.tcgetattr(0)
    set_raw(attributes)
    width, height = size(1)
    header = header_row(version, cwd, width)
    os.write(1, encode(MODES_ON + _frame(header, cwd, width), utf8=speaks_utf8(os.environ)))
    geometry = Geometry()
    geometry.above, geometry.rows, geometry.width, geometry.height = ABOVE, ROWS, width, height
    file.store(geometry)
    return Saved(attributes, header)


def size(terminal: int) -> tuple[int, int]:
    """Columns and rows; a terminal that does not know is taken for the usual one."""
    known = os.get_terminal_size(terminal)
    return known.columns or 80, known.lines or 24


def set_raw(attributes: "list[Any]") -> None:
    """Bytes as they are typed, no echo, no signals, no output processing."""
    iflag, oflag, cflag, lflag, ispeed, ospeed, cc = attributes
    keys = list(cc)
    keys[termios.VMIN], keys[termios.VTIME] = 1, 0
    raw = [
        iflag & ~(termios.BRKINT | termios.ICRNL | termios.INPCK | termios.ISTRIP | termios.IXON),
        oflag & ~termios.OPOST,
        cflag | termios.CS8,
        lflag & ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG),
        ispeed,
        ospeed,
        keys,
    ]
    termios.tcsetattr(0, termios.TCSANOW, raw)  # not after draining: a stopped terminal must not stop us


def speaks_utf8(environ: "Mapping[str, str]") -> bool:
    """Where no locale is set at all, terminals speak it nowadays."""
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or "UTF-8"
    return "utf" in locale.lower()


def encode(text: str, *, utf8: bool) -> bytes:
    if utf8:
        return text.encode(errors="replace")
    from ui.start import ascii_signs  # only where it is needed: each module costs a part of this frame

    return ascii_signs.plain(text).encode()


def header_row(version: str, cwd: str, width: int) -> str:
    return clip(f" ✻ trouper {version} · {short(cwd)} · /help", width)


def short(path: str) -> str:
    """With ~ for home, and nothing a terminal would obey."""
    home = os.path.expanduser("~")  # pathlib costs 5 ms
    shown = "~" + path[len(home) :] if home != "/" and (path + "/").startswith(home + "/") else path
    return "".join(c if c.isprintable() else "?" for c in shown)


def clip(text: str, width: int) -> str:
    """Without tables of widths: whatever is not ASCII or Latin counts as two cells."""
    used = 0
    for at, character in enumerate(text):
        used += 1 if ord(character) < 0x300 or 0x2000 <= ord(character) < 0x2800 else 2
        if used > width:
            return text[:at]
    return text


def _frame(header: str, cwd: str, width: int) -> str:
    rule = f"\x1b[2m{RULE * width}\x1b[0m"
    status = f"\x1b[2m{clip(' ' + short(cwd), width)}\x1b[0m"
    rows = "\r\n".join((header, "", rule, PROMPT, rule, status))
    return f"\r\x1b[?2026h{rows}\x1b[2A\r\x1b[2C\x1b[?2026l"
