"""Leaving in the middle of a turn: the next start goes on with it, as after a death."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Place, answer, call, until
from tests.system.screen.tmux import Tmux
from tests.system.subagents.words import case, spawn

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
NEVER_S = 3600.0
AT_ONCE = min(os.cpu_count() or 1, 3)
"""Of the agents here."""


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


def test_agents_that_were_left_go_on(place: Place, start: Start) -> None:
    spawning = answer("", *(spawn(name, "look for A") for name in ("scout", "porter", "third")))

    def look(delay_s: float) -> str:
        found = answer("Found.", delay_s=delay_s)
        return place.script(spawning, answer("All is known."), cases=[case("look for A", found)])

    tmux = start("--model", look(NEVER_S), "go")
    tmux.wait(lambda: tmux.visible.count("thinking") >= AT_ONCE)
    script = look(0.0)
    tmux.press("C-d")
    tmux.wait_for("ended with 0")
    again = start("-c", "--model", script)

    again.wait_for("All is known.")
    assert again.text.count("Found.") == 3
    assert "There is no" not in again.text
