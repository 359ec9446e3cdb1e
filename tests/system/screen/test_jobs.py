"""/jobs on the screen, in tmux: what runs in the background, its output, its end, and who dies meanwhile."""

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
SERVE = "echo up-$((1+1)); until [ -e go ]; do sleep 0.1; done; exit 3"
BEGUN = (answer("", call("bash_background", command=SERVE)), answer("It runs."))
COUNT = " 1 job"


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event, width: int = 100) -> Tmux:
        model = place.script(*answers, end=answer("So be it: {prompt}"))
        opened.append(Tmux(place, "--model", model, "--mode", "auto", width=width))
        opened[-1].wait_for(" auto")
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


@pytest.fixture
def one(start: Start) -> Tmux:
    """A session whose agent has started a job."""
    tmux = start(*BEGUN)
    enter(tmux, "begin")
    tmux.wait_for_turn("It runs.")
    tmux.wait(lambda: COUNT in tmux.visible)
    return tmux


def enter(tmux: Tmux, text: str) -> None:
    tmux.type(text)
    tmux.press("Enter")


def test_what_runs_is_counted_listed_looked_at_and_stopped(one: Tmux) -> None:
    enter(one, "/jobs")
    one.wait_for("Which job?")
    assert "running" in one.visible
    assert "5 bytes" in one.visible
    one.press_until(lambda: "look at its last output" in one.visible, "Enter")
    one.press_until(lambda: "│ up-2" in one.text, "Enter")
    enter(one, "/jobs stop echo")
    one.wait_for("stopped")

    one.wait(lambda: COUNT not in one.visible)
    enter(one, "/jobs stop echo")
    one.wait_for("is over already: stopped")


def test_one_that_ends_by_itself_is_counted_no_more(one: Tmux, place: Place) -> None:
    (place.workspace / "go").touch()

    one.wait(lambda: COUNT not in one.visible)
    enter(one, "/jobs echo")
    one.wait_for("exit 3")


@pytest.mark.parametrize("actor", ["gate", "ui"])
def test_jobs_outlive_who_only_speaks_of_them(one: Tmux, actor: str) -> None:
    one.kill(actor)
    if actor == "ui":
        one.wait_for("the screen was restarted")
    one.wait(lambda: COUNT in one.visible)

    enter(one, "/jobs echo")
    one.wait_for("│ up-2")


def test_jobs_that_ended_with_their_worker_are_told(one: Tmux) -> None:
    one.kill("tools:main")

    one.wait_for("1 background job ended with the worker: echo up-")
    one.wait(lambda: COUNT not in one.visible)
    enter(one, "/jobs")
    one.wait_for("nothing runs in the background")


def test_what_is_not_there_is_said(one: Tmux) -> None:
    enter(one, "/jobs nonsense")
    one.wait_for("there is no job nonsense. There are: job-")
    enter(one, "/jobs stop")
    one.wait_for("write /jobs, /jobs ID or /jobs stop ID")
