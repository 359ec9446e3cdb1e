"""Leaving in the middle of a turn: the next start goes on with it, as after a death."""

import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Place, answer, call, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*arguments: str) -> Tmux:
        opened.append(Tmux(place, *arguments))
        opened[-1].wait_for(" default")
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def left_and_taken_up(start: Start, script: str, in_the_middle: str) -> Tmux:
    tmux = start("--model", script, "go")
    tmux.wait_for(in_the_middle)
    tmux.press("C-d")
    tmux.wait_for("ended with 0")
    assert "supervisor is gone" not in tmux.text
    return start("-c", "--model", script)


def test_an_answer_that_was_left_comes_with_the_next_start(place: Place, start: Start) -> None:
    script = place.script(answer("first words and then the rest.", chunks=6, chunk_delay_s=0.5))

    again = left_and_taken_up(start, script, "first")

    again.wait_for("and then the rest.")
    assert "supervisor is gone" not in again.text


def test_a_command_that_was_left_is_told_as_of_unknown_outcome(place: Place, start: Start) -> None:
    script = place.script(answer("", call("bash", command="echo begun; sleep 600")), answer("Told: {result}"))

    again = left_and_taken_up(start, script, "│ begun")

    again.wait_for("Told: interrupted, outcome unknown")
    assert "supervisor is gone" not in again.text
