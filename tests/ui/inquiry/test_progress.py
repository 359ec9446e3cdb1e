"""How it goes, in one row and in lines."""

import re

import pytest

from actors.messages.model import Retrying
from actors.messages.usage import Usage
from ui.inquiry.progress import Progress
from ui.screen.terminal.theme import theme

PLAIN = theme(colour=False)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def rows(progress: Progress, width: int = 100) -> list[str]:
    """Without styles."""
    return [re.sub(r"\x1b\[\d*m", "", row) for row in progress.rows((width, 24), PLAIN)]


def test_there_is_no_row_before_it_is_known_how_many_there_are() -> None:
    assert rows(Progress("audit", None, {})) == []


def test_the_row_counts_and_says_how_long_it_may_take() -> None:
    clock = Clock()
    progress = Progress("audit", 5.0, {}, clock)
    progress.opens(4)
    progress.begins("chunk 1 of 4")
    progress.begins("chunk 2 of 4")
    clock.now = 30.0
    progress.ends("chunk 1 of 4", Usage(input_tokens=1000, output_tokens=200, cost_usd=0.25), "1 finding")

    assert rows(progress) == ["audit 1/4  1 at once, 30s, about 1:30 left, 1,200 tokens, $0.25 of $5.00"]


def test_what_was_answered_before_is_counted_and_neither_told_nor_timed(capfd: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    progress = Progress("audit", None, {}, clock)
    progress.opens(4)
    progress.ends("a", Usage(), "1 finding", is_new=False)
    progress.ends("b", Usage(), "1 finding", is_new=False)
    before = rows(progress)
    clock.now = 30.0
    progress.ends("c", Usage(), "1 finding")

    assert before == ["audit 2/4  0 at once, 0s"]
    assert rows(progress) == ["audit 3/4  0 at once, 30s, about 30s left"]
    assert capfd.readouterr().err == "[3/4] c: 1 finding\n"


def test_why_it_waits_is_in_the_row_until_it_goes_on() -> None:
    progress = Progress("audit", None, {}, Clock())
    progress.opens(2)
    progress.begins("a")
    progress.waits("a", Retrying(why="overloaded\x1b[2J", wait_s=3.0))
    waiting = rows(progress)
    progress.waits("a", Retrying(why="overloaded", wait_s=0.0))

    assert waiting[0].startswith("audit 0/2  1 at once, 0s, overloaded")
    assert "\x1b" not in waiting[0]
    assert rows(progress) == ["audit 0/2  1 at once, 0s"]


def test_no_row_is_wider_than_the_terminal() -> None:
    progress = Progress("audit", None, {}, Clock())
    progress.opens(2)

    assert len(rows(progress, width=12)[0]) < 12


def test_lines_are_said_where_there_is_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    progress = Progress("audit", None, {}, Clock())
    progress.opens(2)
    progress.begins("a")
    progress.waits("a", Retrying(why="overloaded", wait_s=2.5))
    progress.begins("b")
    progress.waits("b", Retrying(why="overloaded", wait_s=2.5))
    progress.ends("b", Usage(), "2 findings")

    assert capfd.readouterr().err == "a waits 3s: overloaded\n[1/2] b: 2 findings\n"
