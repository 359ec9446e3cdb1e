"""Rows of a batch: whatever the terminal's size and whatever tasks are called, none is too wide and all fit."""

import re

import pytest

from actors.messages.usage import Usage
from ui.batch.live.standing import AtWork, Standing
from ui.batch.live.table import rows
from ui.screen.terminal import cells
from ui.screen.terminal.theme import theme

AT_WORK = (
    AtWork(task="fix-1", doing="bash make test", since=58.0, tokens=12_345, cost_usd=0.0123),
    AtWork(task="名前" * 20, doing="waits: HTTP 429", since=90.0, wait_until=112.4, cost_usd=None),
)
STANDING = Standing(
    run_id="3fa9", began_at=0.0, tasks=40, done_before=4, at_work=AT_WORK, ended={"done": 9, "failed": 3}, left=22,
    workers=2, used=Usage(input_tokens=100_000, output_tokens=2000, cost_usd=0.42), limit_usd=5.0, mean_s=50.0,
)  # fmt: skip
PLAIN = theme(colour=False)


def plain(size: tuple[int, int], standing: Standing = STANDING) -> list[str]:
    return [re.sub(r"\x1b\[[0-9;]*m", "", row) for row in rows(standing, 100.0, size, PLAIN)]


def test_a_row_for_each_worker_and_the_sums_below() -> None:
    assert plain((90, 24)) == [
        "  fix-1                     bash make test              42 s  12,345 tokens       $0.0123",
        "  名前名前名前名前名前名 …  12 s, waits: HTTP 429       10 s                 cost unknown",
        "batch 3fa9 12/36  9 done, 3 not, 2 at work, 22 left",
        "1 min 40 s, about 9 min 34 s left, $0.42 of $5.00, 102,000 tokens",
    ]


@pytest.mark.parametrize("width", [1, 2, 5, 10, 20, 40, 49, 50, 60, 72, 80, 200])
@pytest.mark.parametrize("height", [1, 2, 3, 4, 5, 6, 10, 50])
def test_nothing_is_wider_or_higher_than_the_terminal(width: int, height: int) -> None:
    many = [AtWork(task=f"task {number}", doing="x" * 300, since=1.0) for number in range(64)]
    standing = Standing(run_id="r", began_at=0.0, tasks=64, at_work=(*AT_WORK, *many))
    drawn = rows(standing, 100.0, (width, height), PLAIN)

    assert max((cells.width(row) for row in drawn), default=0) <= max(width - 1, 0)
    assert len(drawn) < max(height, 2)


def test_a_low_terminal_says_how_many_it_does_not_show() -> None:
    many = tuple(AtWork(task=f"task {number}", doing="x", since=1.0) for number in range(10))
    standing = Standing(run_id="r", began_at=0.0, tasks=64, at_work=many)

    assert [row.split("  ")[1] for row in plain((80, 9), standing)[:4]] == ["task 0", "task 1", "task 2", "and 7 more"]


def test_a_narrow_terminal_shows_what_is_done_rather_than_numbers() -> None:
    assert plain((40, 24))[0].split() == ["fix-1", "bash", "make", "test"]
