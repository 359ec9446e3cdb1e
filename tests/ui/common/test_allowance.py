"""Text that is written to hang the screen costs it a bounded time, and is shown plainly."""

import re
import signal

import pytest

from ui.common.allowance import Allowance
from ui.screen.terminal.theme import Theme
from ui.screen.transcript import diff, prose
from ui.screen.transcript.blocks import ModelSaid
from ui.screen.transcript.code import LineLexer
from ui.screen.transcript.markdown import LONGEST_TAIL, MarkdownStream

BLANKS = " " * 1990


def catastrophe() -> bool:
    return re.match(r"(a+)+$", "a" * 60 + "b") is not None


def test_a_match_that_never_ends_is_interrupted() -> None:
    allowance = Allowance(at_once_s=0.02, together_s=1.0)

    assert allowance.spend(catastrophe) is None
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    signal.raise_signal(signal.SIGVTALRM)  # late: nothing is interrupted by it
    assert allowance.spend(lambda: "again") == "again"


def test_what_was_spent_together_is_spent() -> None:
    allowance = Allowance(at_once_s=60.0, together_s=0.02)

    assert allowance.spend(catastrophe) is None
    assert allowance.spend(lambda: "again") is None


def test_a_part_of_the_work_counts_with_the_whole() -> None:
    outer, inner = Allowance(at_once_s=0.05, together_s=1.0), Allowance(at_once_s=0.01, together_s=1.0)

    assert outer.spend(lambda: [inner.spend(lambda: 1), catastrophe()]) is None
    assert outer.spend(lambda: inner.spend(lambda: 1)) == 1


def test_an_error_of_the_work_is_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        Allowance(at_once_s=1.0, together_s=1.0).spend(lambda: 1 // 0)

    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


@pytest.mark.parametrize("language", ["autoit", "ini", "gnuplot", "javascript"])
def test_a_fence_of_blanks_is_shown(language: str) -> None:
    answer = f"```{language}\n" + f"{BLANKS}\n" * 40 + "```\n\nThe end.\n"
    stream = MarkdownStream()

    chunks = [*stream.feed(answer * 5), *stream.finish()]

    assert len(chunks) == 5 * 41
    assert [text for chunk in chunks for text in ModelSaid(chunk, gap=False).rows(80, Theme(colour=False))].count(
        "The end."
    ) == 5


def test_after_a_line_that_took_too_long_its_block_stays_plain() -> None:
    lexer = LineLexer("autoit")

    assert lexer.line(BLANKS) == [("", BLANKS)]
    assert lexer.line("; a comment") == [("", "; a comment")]


def test_a_paragraph_that_takes_too_long_is_shown_as_it_is_written() -> None:
    hostile = "_" * 400_000 + "a" + "_" * 400_000

    assert "".join(text for row in prose.rows(hostile, 80) for _, text in row) == hostile


@pytest.mark.parametrize("line", ["word " * LONGEST_TAIL, "- *item*" + "\n  and *so* on" * (LONGEST_TAIL // 10)])
def test_a_long_block_goes_on_as_it_is_written(line: str) -> None:
    stream, markup = MarkdownStream(), "*some*"

    closed = stream.feed(f"{line}\n{markup}\n\n{markup}\n\n")

    shown = [row for chunk in closed for row in ModelSaid(chunk, gap=False).rows(80, Theme(colour=False))]
    assert [row for row in shown if row] == [*line.split("\n"), markup, Theme(colour=False).paint("em", "some")]
    assert closed[-1].end == len(f"{line}\n{markup}\n\n{markup}\n")


def test_a_long_open_line_is_not_laid_out_for_every_frame() -> None:
    stream = MarkdownStream()
    stream.feed("word " * LONGEST_TAIL + "\nthe last line")

    assert ModelSaid(stream.tail()[-1], gap=False).rows(80, Theme(colour=False)) == ["the last line"]


def test_a_line_that_is_nearly_a_fence_takes_no_longer_than_it_is_long() -> None:
    stream = MarkdownStream()

    assert len(stream.feed("~" * 1_000_000 + "`\n")) == 1


def test_a_hunk_with_a_number_that_is_none_is_text() -> None:
    line = f"@@ -{'1' * 5000} +1 @@"

    assert diff.parse(line) == [diff.Other(line)]
