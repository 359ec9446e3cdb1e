"""Ctrl-Z under a shell with job control: the whole job stops, the shell has its terminal, and `fg` goes on with it."""

import shutil
from collections.abc import Iterator

import psutil
import pytest

from tests.system.harness import Place, answer, kill, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
WORDS = " ".join(f"word{number:03d}" for number in range(200))
ANSWERS = (
    answer("Begun.\n\n" + WORDS + "\n\nWritten.", chunks=200, chunk_delay_s=0.02),
    answer("The prompt was: {prompt}"),
)


@pytest.fixture
def tmux(place: Place) -> Iterator[Tmux]:
    tmux = Tmux(place, "--model", place.script(*ANSWERS), job_control=True)
    tmux.wait_for(" default")
    yield tmux
    tmux.close()
    until(lambda: place.left() == [])


def suspend(tmux: Tmux, stops: int) -> None:
    tmux.press("C-z")
    tmux.wait(lambda: tmux.text.count("Stopped") == stops)


def shell(tmux: Tmux, line: str) -> None:
    tmux.type(line)
    tmux.press("Enter")


def has_its_terminal(tmux: Tmux) -> None:
    """The shell, as it was set before."""
    before = tmux.text.count("\nas before")
    shell(tmux, "stty -g | diff - $TMPDIR/stty && echo as before")
    tmux.wait(lambda: tmux.text.count("\nas before") == before + 1)


def test_the_job_stops_the_shell_has_the_terminal_and_fg_goes_on(tmux: Tmux, place: Place) -> None:
    screen = tmux.pid("ui")
    supervisor = psutil.Process(screen).ppid()
    shell(tmux, "write")
    tmux.wait_for("Begun.")
    tmux.type("half a pro")
    tmux.wait_for("❯ half a pro")

    suspend(tmux, 1)
    until(lambda: {psutil.Process(pid).status() for pid in (supervisor, screen)} == {psutil.STATUS_STOPPED})
    assert "❯ half" not in tmux.visible
    assert "esc stops" not in tmux.visible
    has_its_terminal(tmux)
    shell(tmux, "bg")
    shell(tmux, "echo still $((40 + 2))")
    tmux.wait_for("\nstill 42")
    shell(tmux, "fg")

    tmux.wait_for("❯ half a pro")
    assert tmux.text.count("Stopped") == 1
    tmux.wait_for("Written.")
    assert tmux.text.count("Begun.") == 1
    assert [word for word in tmux.text.split() if word.startswith("word")] == WORDS.split()
    assert tmux.pid("ui") == screen

    suspend(tmux, 2)
    kill(screen)
    shell(tmux, "fg")
    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: "❯ half a pro" in tmux.visible.partition("the screen was restarted")[2])
    tmux.type("mpt")
    tmux.press("Enter")
    tmux.wait_for("The prompt was: half a prompt")
    tmux.press("C-d")
    tmux.wait_for("trouper -c goes on")
    has_its_terminal(tmux)
    restarts = [event["actor"] for event in place.log() if event["event"] == "started" and event["life"] > 1]
    assert restarts == ["ui"]


def test_a_stopped_job_that_is_ended_is_gone_and_gives_the_shell_its_terminal(tmux: Tmux) -> None:
    screen = tmux.pid("ui")
    supervisor = psutil.Process(screen).ppid()
    suspend(tmux, 1)

    shell(tmux, "kill %1")

    until(lambda: not (psutil.pid_exists(supervisor) or psutil.pid_exists(screen)))
    has_its_terminal(tmux)
