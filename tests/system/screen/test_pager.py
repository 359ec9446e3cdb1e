"""The pager in tmux: over a real session, while it goes on, and over the death of the screen."""

import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Event, Place, answer, call, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
FOOT = "q close"
SCRIPT = "\n".join(f"echo step {number:03d}" for number in range(1, 91))
WORK = (answer("I run it.", call("bash", command=SCRIPT)), answer("All of it ran."))


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event, width: int = 80, mode: str = "auto") -> Tmux:
        arguments = ("--mode", mode, "--model", place.script(*answers))
        opened.append(Tmux(place, *arguments, width=width, height=24))
        tmux = opened[-1]
        tmux.wait_for(f" {mode}")
        tmux.type("run it")
        tmux.press("Enter")
        return tmux

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def open_pager(tmux: Tmux) -> None:
    tmux.press("C-o")
    tmux.wait(lambda: FOOT in tmux.visible)


def close_pager(tmux: Tmux) -> None:
    tmux.press("q")
    tmux.wait(lambda: FOOT not in tmux.visible)


def test_all_of_a_call_is_there_and_the_main_screen_comes_back_as_it_was(start: Start) -> None:
    tmux = start(*WORK)
    tmux.wait_for_turn("All of it ran.")
    tmux.wait(lambda: "Running" not in tmux.visible)
    before = tmux.text

    open_pager(tmux)
    tmux.wait(lambda: "Answer" in tmux.visible and "│ step 090" in tmux.visible)
    tmux.press("Home")
    tmux.wait(lambda: "❯ You run it" in tmux.visible and "echo step 010" in tmux.visible)
    tmux.type("/step 045")
    tmux.press("Enter")
    tmux.wait(lambda: "nothing before this" in tmux.visible)
    tmux.press("End")
    tmux.press("n")
    tmux.wait(lambda: "│ step 045" in tmux.visible)
    tmux.press("n")
    tmux.wait(lambda: "echo step 045" in tmux.visible)
    tmux.press("2")
    tmux.wait(lambda: "echo step" not in tmux.visible.replace("echo step 001", ""))
    close_pager(tmux)

    tmux.wait(lambda: tmux.text == before)


def test_what_is_said_meanwhile_is_there_in_both(start: Start, place: Place) -> None:
    waits = "while [ ! -e go ]; do sleep 0.1; done; echo late"
    tmux = start(answer("I run it.", call("bash", command=waits)), *WORK[1:])
    tmux.wait_for("I run it.")
    open_pager(tmux)
    tmux.wait(lambda: "no result yet" in tmux.visible)

    (place.workspace / "go").touch()

    tmux.wait(lambda: "│ late" in tmux.visible and "Answer" in tmux.visible)
    close_pager(tmux)
    tmux.wait_for_turn("All of it ran.")
    assert tmux.text.count("All of it ran.") == 1


def test_a_screen_that_is_killed_in_the_pager_leaves_the_main_screen_as_it_was(start: Start) -> None:
    tmux = start(*WORK)
    tmux.wait_for_turn("All of it ran.")
    open_pager(tmux)

    tmux.kill("ui")

    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: " auto" in tmux.visible and FOOT not in tmux.visible)
    assert [tmux.text.count(text) for text in ("❯ run it", "All of it ran.", FOOT)] == [1, 1, 0]
    open_pager(tmux)
    tmux.wait(lambda: "│ step 090" in tmux.visible)
    close_pager(tmux)
    tmux.press("C-d")
    tmux.check_terminal()


def test_what_is_asked_about_is_there_whole_and_keys_answer_nothing(start: Start) -> None:
    tmux = start(answer("I write it.", call("write", path="run.sh", content=SCRIPT)), *WORK[1:], mode="default")
    tmux.wait_for("Allow?")
    open_pager(tmux)
    tmux.wait(lambda: "? Asked" in tmux.visible and "echo step 010" in tmux.visible)
    tmux.press("y", "End")
    tmux.wait(lambda: "echo step 090" in tmux.visible)

    close_pager(tmux)

    tmux.wait(lambda: "Allow?" in tmux.visible)
    assert "All of it ran." not in tmux.text


def test_it_is_drawn_anew_at_another_size_and_so_is_the_screen_below(start: Start) -> None:
    tmux = start(*WORK)
    tmux.wait_for_turn("All of it ran.")
    open_pager(tmux)

    tmux.resize(20, 10)
    tmux.wait(lambda: FOOT in tmux.visible.rstrip("\n").split("\n")[-1])
    tmux.press("Home")
    tmux.wait(lambda: "❯ You run it" in tmux.visible)
    close_pager(tmux)

    tmux.wait(lambda: "❯" in tmux.visible)
    assert tmux.text.count("All of it ran.") >= 1
