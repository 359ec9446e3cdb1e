"""`!cmd` on the screen, end to end in tmux: what is seen, what the model is told, and who dies meanwhile."""

import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Event, Place, answer, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
WAIT = "until [ -e go ]; do sleep 0.1; done; echo over-$((1+1))"


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event, mode: str = "default", width: int = 100) -> Tmux:
        opened.append(Tmux(place, "--model", place.script(*answers), "--mode", mode, width=width))
        opened[-1].wait_for(mode)
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def run(tmux: Tmux, line: str) -> None:
    tmux.type(line)
    tmux.wait_for(f"$ {line}")
    tmux.press("Enter")


def test_it_shows_its_output_at_once_and_the_next_prompt_brings_it_with_it(start: Start) -> None:
    tmux = start(answer("I have seen it."), mode="plan")

    run(tmux, "!echo one-$((1+1)); exit 3")
    tmux.wait_for("one-2")
    tmux.wait_for("[exit 3]")
    tmux.type("what was that?")
    tmux.press("Enter")
    tmux.wait_for("I have seen it.")

    assert "[!echo one-$((1+1)); exit 3, 2 lines]" in tmux.text


@pytest.mark.parametrize("actor", ["ui", "gate", "store"])
def test_a_kill_in_the_middle_loses_nothing_and_runs_nothing_twice(start: Start, place: Place, actor: str) -> None:
    tmux = start()

    run(tmux, f"!echo x >> ran; {WAIT}")
    until(lambda: (place.workspace / "ran").exists())
    tmux.kill(actor)
    (place.workspace / "go").touch()

    tmux.wait_for("over-2")
    assert (place.workspace / "ran").read_text() == "x\n"


@pytest.mark.parametrize("actor", ["agent:main", "tools:main"])
def test_of_what_died_with_its_process_the_outcome_is_unknown(start: Start, place: Place, actor: str) -> None:
    tmux = start()

    run(tmux, f"!echo x >> ran; {WAIT}")
    until(lambda: (place.workspace / "ran").exists())
    tmux.kill(actor)

    tmux.wait_for("outcome unknown")
    assert (place.workspace / "ran").read_text() == "x\n"


def test_esc_stops_it(start: Start, place: Place) -> None:
    tmux = start()

    run(tmux, "!!echo x >> ran; sleep 1000")
    until(lambda: (place.workspace / "ran").exists())
    tmux.wait_for("esc stops")
    tmux.press("Escape")

    tmux.wait_for("stopped by the user")
    tmux.wait_for("not sent to the model")
