"""The actors of a session as rows of a terminal, one each below the session's own. Pure."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.messages.system import ActorState, Tree
from ui.common.harmless import one_line
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Span
from ui.screen.terminal.theme import Theme
from ui.start.first_frame import short

HEADINGS = ("actor", "pid", "state", "CPU %", "MB", "messages", "queue", "restarts", "last error")
WORDS = ("actor", "state", "last error")
"""Columns of words; all others are of numbers."""
ILL = ("restarting", "failed")
"""States that somebody should see."""


@dataclass(frozen=True)
class Seen:
    """An actor, and what its processes use now."""

    actor: ActorState
    cpu_percent: float
    """Of one core."""
    memory_mb: float


def rows(tree: Tree, seen: Sequence[Seen], now: float) -> list[Span]:
    """Each in one style, as wide as it is. now: seconds since the epoch."""
    up = time.strftime("%H:%M:%S", time.gmtime(max(now - tree.started_at, 0.0)))
    title = one_line(f"session {tree.session_id[:8]}  up {up}  supervisor {tree.pid}  {short(tree.cwd)}")
    table = [HEADINGS, *map(_words, seen)]
    widths = [max(map(cells.width, column)) for column in zip(*table, strict=True)]
    styles = ["dim", *("warning" if one.actor.state in ILL else "" for one in seen)]
    lines = [(style, _line(row, widths)) for style, row in zip(styles, table, strict=True)]
    return [("strong", title), *lines]


def fitting(tables: Iterable[Sequence[Span]], width: int, height: int, theme: Theme) -> list[str]:
    """All of them, none wider than the terminal, and with an empty row below fewer than it has."""
    found = [row for table in tables for row in (*table, ("", ""))][:-1]
    room = max(height - 2, 1)
    if len(found) > room:
        hidden = how_many(len(found) - room + 1, "more row")
        found = [*found[: room - 1], ("dim", f"and {hidden}: trouper top --json has all")]
    return [cells.clip(theme.paint(*row), width) for row in found]


def _words(seen: Seen) -> tuple[str, ...]:
    actor = seen.actor
    used = f"{seen.cpu_percent:.1f}", f"{seen.memory_mb:.1f}"
    said = (actor.name, actor.pid, actor.state, *used, actor.messages, actor.queue, actor.restarts, actor.last_error)
    return tuple(one_line(str(each)) for each in said)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(map(_padded, HEADINGS, row, widths)).rstrip()


def _padded(heading: str, text: str, width: int) -> str:
    room = " " * (width - cells.width(text))
    return text + room if heading in WORDS else room + text
