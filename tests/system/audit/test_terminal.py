"""An audit on a terminal: the row that says how it goes, the question before it, Ctrl-C."""

from contextlib import closing

import pytest

from tests.system.audit.service import Service
from tests.system.harness import Place
from tests.system.screen.tmux import Tmux

pytestmark = pytest.mark.slow


def make_dear(place: Place) -> None:
    """About $3 to be asked."""
    config = (place.home / "config.toml").read_text()
    (place.home / "config.toml").write_text(config.replace("input = 10,", "input = 50,"))


def test_what_is_much_is_asked_about_and_begins_with_yes(place: Place, service: Service) -> None:
    make_dear(place)
    with closing(Tmux(place, "audit")) as terminal:
        terminal.wait_for("Begin? [y/N]")
        terminal.type("y")
        terminal.wait_for("Begin? [y/N] y")  # where it was asked, and nothing is drawn over it
        asked = len(service.asked)
        terminal.press("Enter")
        terminal.wait_for("ended with 0")
        shown = terminal.text

    assert asked == 0
    assert "12 chunks for local/test-model: about " in shown
    assert len(service.asked) == 13


@pytest.mark.parametrize("said", ["n", ""])
def test_anything_but_yes_begins_nothing(place: Place, service: Service, said: str) -> None:
    make_dear(place)
    with closing(Tmux(place, "audit")) as terminal:
        terminal.wait_for("Begin? [y/N]")
        terminal.type(said)
        terminal.press("Enter")
        terminal.wait_for("ended with 3")

    assert service.asked == []


def test_the_row_says_how_it_goes_and_is_gone_at_the_end(place: Place, service: Service) -> None:
    service.hold(after=4)
    with closing(Tmux(place, "audit", "--max-cost", "5")) as terminal:
        terminal.wait_for("audit 4/12  4 at once")
        shown = terminal.visible
        service.let_go()
        terminal.wait_for("ended with 0")
        after = terminal.text

    assert "$0.044 of $5.00" in shown
    assert "[4/12] chunk" in shown
    assert "at once" not in after
    assert "12 high: " in after


def leave(terminal: Tmux) -> None:
    """By Ctrl-C, until the shell is there again and has told the exit code."""
    terminal.press("C-c")
    terminal.wait(lambda: "interrupted; " in terminal.text)
    terminal.press_until(lambda: "code 130" in terminal.text, "echo code $?", "Enter")


def test_ctrl_c_pauses_it_and_leaves_no_row(place: Place, service: Service) -> None:
    service.hold(after=2)
    with closing(Tmux(place, "audit", job_control=True)) as terminal:
        terminal.wait_for("audit 2/12")
        leave(terminal)
        shown = terminal.text
    service.let_go()

    assert "interrupted; the same command goes on" in shown
    assert "at once" not in shown


def test_ctrl_c_at_the_question_begins_nothing(place: Place, service: Service) -> None:
    make_dear(place)
    with closing(Tmux(place, "audit", job_control=True)) as terminal:
        terminal.wait_for("Begin? [y/N]")
        leave(terminal)

    assert service.asked == []
