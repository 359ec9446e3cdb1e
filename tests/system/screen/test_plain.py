"""The screen as lines, in tmux: what is typed, asked and answered, also over deaths; and who gets it unasked."""

import re
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
REMOVE = call("bash", command="mkdir made")
LONG = answer("One.\n\nTwo.\n\n" + "word " * 40 + "\n\nThree.", chunks=60, chunk_delay_s=0.1)


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event, more: tuple[str, ...] = ("--plain",), **variables: str) -> Tmux:
        place.environment.update(variables)
        opened.append(Tmux(place, "--model", place.script(*answers), *more))
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def enter(tmux: Tmux, line: str) -> None:
    tmux.type(line)
    tmux.press("Enter")


def test_a_turn_is_told_in_labelled_lines(start: Start) -> None:
    tmux = start(answer("I am here."))
    tmux.wait_for("you:")

    enter(tmux, "are you there")

    # that it still works may be said once more before the turn's end is known
    tmux.wait(lambda: re.search(r"agent: I am here\.\n(status: working\n)?you:", tmux.text) is not None)
    assert tmux.text.count("are you there") == 1
    assert "\x1b" not in tmux.text
    tmux.press("C-d")
    tmux.check_terminal()
    assert "trouper -c goes on" in tmux.text


def test_a_question_is_answered_by_a_word_and_by_nothing_else(start: Start, place: Place) -> None:
    tmux = start(answer("I make it.", REMOVE), answer("You said: {result}"), more=("--plain", "--no-sandbox", "go on"))
    tmux.wait_for("answer:")

    tmux.press_until(lambda: "none of the answers" in tmux.text, "Enter")
    enter(tmux, "maybe")
    tmux.wait(lambda: "answer: maybe\nwarning: that is none" in tmux.text)
    assert not (place.workspace / "made").exists()
    enter(tmux, "yes")

    tmux.wait_for("agent: You said")
    assert (place.workspace / "made").is_dir()


def test_a_screen_of_lines_that_is_killed_says_nothing_twice(start: Start) -> None:
    tmux = start(LONG, more=("--plain", "go on"))
    tmux.wait_for("Two.")

    tmux.kill("ui")

    tmux.wait_for("note: the screen was restarted")
    tmux.wait_for("Three.\nyou:")
    assert [tmux.text.count(word) for word in ("One.", "Two.", "Three.")] == [1, 1, 1]


def test_ctrl_c_ends_the_turn_and_the_session_goes_on(start: Start) -> None:
    tmux = start(LONG, more=("--plain", "go on"))
    tmux.wait_for("One.")

    tmux.press("C-c")
    tmux.wait_for("note: interrupted")

    tmux.wait_for("note: ctrl+c again quits")
    tmux.press("C-d")
    tmux.wait_for("trouper -c goes on")


def test_a_terminal_that_cannot_move_its_cursor_gets_lines(start: Start) -> None:
    tmux = start(answer("Hello."), more=("go on",), ACCESSIBLE="1")

    tmux.wait_for("agent: Hello.\nyou:")
