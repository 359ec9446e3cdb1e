"""The live rows of the subagents: one each, at most some, and how many more there are. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from actors.common.budget import in_words
from actors.common.plurals import how_many
from actors.messages.subagent import SubagentIs
from ui.common import harmless
from ui.common.amounts import clock, thousands
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Span, Spans
from ui.screen.terminal.theme import Theme

ASKS = "asks you: {doing}"
MOST = 6
"""Rows; of more the rest is counted."""
QUIET_S = 15.0
"""So long after the last thing it did or said a subagent counts as stalled: that is said."""
NAME = 16
"""Cells of the longest name."""
SIGNS: dict[str, Span] = {"running": ("busy", "○"), "blocked": ("dim", "·"), "pending": ("dim", "·")}
WAITS = {"blocked": "waits for others", "pending": "waits for room"}
LEAST_DOING = 12
"""Cells: rather than less of it, some of the figures are left out."""


def rows(at_work: Sequence[SubagentIs], room: int, width: int, theme: Theme, now: float) -> list[str]:
    """room: rows there are. now: seconds since the epoch."""
    most = min(MOST, room)
    if not at_work or most < 1:
        return []
    shown = at_work if len(at_work) <= most else _first(at_work, most - 1)
    names = max((min(cells.width(harmless.one_line(one.name)), NAME) for one in shown), default=0)
    drawn = [_row(one, names, width, theme, now) for one in shown]
    if left := len(at_work) - len(shown):
        more = "more " if shown else ""
        drawn.append(theme.paint("dim", cells.clip(f" … {left} {more}{how_many(left, 'agent').split()[1]}", width)))
    return drawn


def _first(at_work: Sequence[SubagentIs], most: int) -> Sequence[SubagentIs]:
    """So many, in their order: rather those that work than those that wait."""
    ranked = sorted(range(len(at_work)), key=lambda place: at_work[place].state != "running")
    return [at_work[place] for place in sorted(ranked[:most])]


def asking(one: SubagentIs) -> SubagentIs:
    """As the row of one that waits for an answer of the user has it: that is no stall."""
    return replace(one, doing=ASKS.format(doing=one.doing).removesuffix(": "), last_event_at=0.0)


def _row(one: SubagentIs, names: int, width: int, theme: Theme, now: float) -> str:
    """○ name  kind  what it does ... figures: those give way before the words do, the least wanted first."""
    name = cells.clip(harmless.one_line(one.name), names)
    left: Spans = [("", " "), SIGNS.get(one.state, ("dim", "·")), ("", f" {name}{' ' * (names - cells.width(name))}")]
    if kind := harmless.one_line(one.kind):
        left.append(("dim", f"  {kind}"))
    figures = _figures(one, now)
    fixed = _width(left)
    while len(figures) > 1 and fixed + 2 + LEAST_DOING + 2 + _width(_joined(figures)) > width:
        figures.remove(max(figures))
    right = _joined(figures)
    doing = cells.clip(_doing(one), max(width - fixed - _width(right) - 5, 0))
    left.append(("", f"  {doing}"))
    room = max(width - _width(left) - _width(right) - 1, 1)
    return cells.clip(theme.row([*left, ("", " " * room), *right]), width)


def _doing(one: SubagentIs) -> str:
    return harmless.one_line(one.doing) or WAITS.get(one.state, "")


def _figures(one: SubagentIs, now: float) -> list[tuple[int, Span]]:
    """The number says what goes first when there is no room."""
    tokens = one.used.input_tokens + one.used.output_tokens
    quiet = now - one.last_event_at if one.last_event_at and one.state == "running" else 0.0
    figures = [
        (2, ("dim", f"{thousands(tokens)} tok" if tokens else "")),
        (3, ("dim", in_words(one.used))),
        (1, ("dim", clock(max(now - one.started_at, 0.0)) if one.started_at else "")),
        (0, ("warning", f"quiet for {clock(quiet)}" if quiet >= QUIET_S else "")),
    ]
    return [(order, span) for order, span in figures if span[1]]


def _joined(figures: list[tuple[int, Span]]) -> Spans:
    spans: Spans = []
    for _, span in figures:
        spans += [("dim", " · "), span] if spans else [span]
    return spans


def _width(spans: Spans) -> int:
    return sum(cells.width(text) for _, text in spans)
