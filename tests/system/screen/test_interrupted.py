"""A job that is stopped from outside goes on, and a screen that dies while a file is read says its prompt once."""

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Event, Place, answer, until
from tests.system.screen.questions import decide
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
BLOCKS = [f"Block {number:02d}: " + "some words that fill the row " * 4 for number in range(30)]


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event) -> Tmux:
        opened.append(Tmux(place, "--model", place.script(*answers)))
        opened[-1].wait_for(" default")
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def test_a_job_that_is_stopped_from_outside_goes_on_where_it_was(start: Start, place: Place) -> None:
    """As by a terminal, or a machine, that is suspended: nothing can be done before."""
    tmux = start(answer("\n\n".join(BLOCKS), chunks=100, chunk_delay_s=0.03), answer("You said: {prompt}."))
    tmux.type("go")
    tmux.press("Enter")
    tmux.wait_for("Block 01")
    job = os.getpgid(tmux.supervisor())

    os.killpg(job, signal.SIGSTOP)
    tmux.type("typed meanwhile")
    os.killpg(job, signal.SIGCONT)

    tmux.wait_for_turn("Block 29")
    tmux.wait(lambda: "❯ typed meanwhile" in tmux.visible)
    tmux.press("Enter")
    tmux.wait_for_turn("You said: typed meanwhile.")
    said = [row.split(":")[0] for row in tmux.text.split("\n") if row.startswith("Block ")]
    assert said == [block.split(":")[0] for block in BLOCKS]
    assert {actor.name for actor in place.tree().actors if actor.restarts} == set()
    tmux.press("C-d")
    tmux.check_terminal()


def test_a_prompt_whose_file_is_being_read_comes_back_from_a_dead_screen_and_is_said_once(
    start: Start, place: Place
) -> None:
    (place.workspace.parent / "outside.md").write_text("of the outside\n")
    prompt = "see @../outside.md there"
    tmux = start(answer("I have seen it."))
    tmux.type(f"{prompt} ")
    tmux.press("Enter")
    tmux.wait(lambda: "Allow?" in tmux.visible)
    until(lambda: [json.loads(value)["text"].strip() for value in place.remembered("draft/")] == [prompt])

    tmux.kill("ui")
    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: f"❯ {prompt}" in tmux.visible)
    tmux.press_until(lambda: "Allow?" in tmux.visible, "Enter")
    decide(tmux, "y", "outside.md")

    tmux.wait_for_turn("I have seen it.")
    assert sum(row.startswith(f"❯ {prompt}") for row in tmux.text.split("\n")) == 1
