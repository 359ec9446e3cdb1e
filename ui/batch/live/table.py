"""Where a batch stands as rows of a terminal: the sums, and a row for each worker. Pure."""

import time
from collections.abc import Callable, Iterable

from actors.common.budget import dollars
from actors.common.plurals import how_many
from ui.batch.live.standing import AtWork, Standing, seconds_left
from ui.batch.reports.outcomes import duration
from ui.common.harmless import one_line
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme

KEPT = 3
"""Rows of the terminal that are not ours: the cursor's, and room for what is said."""
NARROW, WIDE = 50, 72
"""Columns from which a row has its time and cost, and its tokens."""
NAME = 24
"""Columns of a task's name, at most."""
Numbers = tuple[str, ...]


def living(standing: Callable[[], Standing | None]) -> Callable[[tuple[int, int], Theme], list[str]]:
    """As they are at the moment of drawing; none where there is nothing yet."""

    def drawn(size: tuple[int, int], theme: Theme) -> list[str]:
        now = standing()
        return rows(now, time.time(), size, theme) if now else []

    return drawn


def rows(standing: Standing, now: float, size: tuple[int, int], theme: Theme) -> list[str]:
    """size: columns and rows of the terminal. None is wider than it, and they are fewer."""
    width, height = size
    room = max(height - KEPT, 1)
    sums = [cells.clip(row, width - 1) for row in _sums(standing, now, theme)][:room]
    shown = standing.at_work[: max(room - len(sums), 0)]
    hidden = len(standing.at_work) - len(shown)
    if hidden and shown:
        shown, hidden = shown[:-1], hidden + 1
    table = _table(shown, now, width - 1, theme)
    more = [cells.clip(theme.paint("dim", f"  and {hidden} more"), width - 1)] if hidden else []
    return [*table, *more, *sums] if len(sums) + len(table) + len(more) <= room else sums


def _sums(standing: Standing, now: float, theme: Theme) -> Iterable[str]:
    ended = sum(standing.ended.values())
    done = standing.ended.get("done", 0)
    whole = standing.tasks - standing.done_before
    counts = [f"{done} done" + (f", {ended - done} not" if ended > done else ""), f"{len(standing.at_work)} at work"]
    counts += [f"{standing.left} left"] if standing.left else []
    name = "pauses" if standing.state == "pausing" else "batch"
    yield f"{theme.paint('strong', f'{name} {standing.run_id} {ended}/{whole}')}  {', '.join(counts)}"
    yield theme.paint("dim", ", ".join(filter(None, _used(standing, now))))


def _used(standing: Standing, now: float) -> Iterable[str]:
    yield duration(max(now - standing.began_at, 0.0))
    if (left_s := seconds_left(standing, now)) is not None and standing.state == "running":
        yield f"about {duration(left_s)} left"
    cost = standing.used.known_cost_usd
    if standing.limit_usd is not None:
        yield f"{_money(cost)} of {dollars(standing.limit_usd)}"
    elif standing.used.is_reported:
        yield _money(cost)
    tokens = standing.used.input_tokens + standing.used.output_tokens
    yield how_many(tokens, "token") if tokens else ""


def _table(tasks: Iterable[AtWork], now: float, width: int, theme: Theme) -> list[str]:
    tasks = list(tasks)
    numbers = [_numbers(task, now, width) for task in tasks]
    widths = [max(map(len, column)) for column in zip(*numbers, strict=True)]
    name = min(max((cells.width(one_line(task.task)) for task in tasks), default=0), NAME, max(width // 3, 1))
    return [
        _row(task, now, _right(own, widths), (name, width), theme) for task, own in zip(tasks, numbers, strict=True)
    ]


def _right(numbers: Numbers, widths: list[int]) -> str:
    return "".join(f"  {number.rjust(size)}" for number, size in zip(numbers, widths, strict=True))


def _row(task: AtWork, now: float, right: str, size: tuple[int, int], theme: Theme) -> str:
    """size: columns of the name and of all."""
    name_width, width = size
    waits_s = task.wait_until - now
    style = "warning" if waits_s > 0 else ""
    doing = f"{duration(waits_s)}, {task.doing}" if waits_s > 0 else task.doing
    room = width - name_width - cells.width(right) - 4
    told = _padded(one_line(doing), max(room, 0))
    row = f"  {_padded(one_line(task.task), name_width)}  {theme.paint(style, told)}{theme.paint('dim', right)}"
    return cells.clip(row, width)


def _padded(text: str, width: int) -> str:
    text = cells.clip(text, width)
    return text + " " * (width - cells.width(text))


def _numbers(task: AtWork, now: float, width: int) -> Numbers:
    time = duration(max(now - task.since, 0.0))
    cost = _money(task.cost_usd) if task.tokens or task.cost_usd is None else ""
    tokens = how_many(task.tokens, "token") if task.tokens else ""
    return () if width < NARROW else (time, cost) if width < WIDE else (time, tokens, cost)


def _money(cost_usd: float | None) -> str:
    return "cost unknown" if cost_usd is None else dollars(cost_usd)
