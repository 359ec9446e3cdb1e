"""A terminal of 20 columns, played through; and one whose whole job is stopped from outside and goes on."""

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Event, Place, answer, call, until
from tests.system.screen.questions import decide
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
EDIT = answer("I change it.", call("edit", path="a.txt", old="two", new="three"))
BLOCKS = [f"Block {number:02d}: " + "some words that fill the row " * 4 for number in range(30)]


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event, width: int = 100) -> Tmux:
        (place.workspace / "a.txt").write_text("one\ntwo\n")
        opened.append(Tmux(place, "--model", place.script(*answers), width=width, height=20))
        opened[-1].wait_for(" default")
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def composers(tmux: Tmux) -> int:
    """Rows that one types into."""
    return sum(row.startswith("❯") for row in tmux.visible.split("\n"))


def test_all_of_a_session_works_in_20_columns_and_at_80_and_back(start: Start, place: Place) -> None:
    tmux = start(EDIT, answer("All **done**, as you wished it."), width=20)

    tmux.type("/mo")
    tmux.wait(lambda: "▸ /model" in tmux.visible or "▸ /mode" in tmux.visible)
    tmux.press("Escape")
    tmux.wait(lambda: "▸" not in tmux.visible)
    tmux.press("C-u")
    tmux.type("change the second line")
    tmux.wait(lambda: "❯ change the" in tmux.visible and "  second line" in tmux.visible)
    tmux.press("Enter")
    tmux.wait(lambda: "Allow?" in tmux.visible)
    tmux.press_until(lambda: "not yet" not in tmux.visible, "PageDown")  # all of it has to be seen
    decide(tmux, "y", "1 yes")
    tmux.wait_for_turn("All done, as you")
    tmux.press("C-u")

    tmux.press("C-o")
    tmux.wait(lambda: "q close" in tmux.visible and "◆ Answer" in tmux.visible)
    tmux.press("q")
    tmux.wait(lambda: " default" in tmux.visible)
    tmux.type("a draft that goes over rows")
    for width in (80, 20):
        tmux.resize(width, 20)
        rule = "─" * width
        tmux.wait(lambda rule=rule: tmux.visible.count(rule) == 2 and composers(tmux) == 1)  # type: ignore[misc]

    assert (place.workspace / "a.txt").read_text() == "one\nthree\n"
    assert "a draft that goes" in tmux.visible
    assert all(len(row.rstrip()) <= 20 for row in tmux.visible.split("\n"))
    tmux.press("C-u", "C-d")
    tmux.check_terminal()


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
