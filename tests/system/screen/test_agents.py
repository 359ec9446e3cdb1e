"""Subagents on the screen, in tmux: their rows, what Esc ends, looking at one, telling it something, and leaving."""

import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Event, Place, answer, call, until
from tests.system.screen.tmux import Tmux
from tests.system.subagents.words import case, spawn

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
NEVER_S = 3600.0
SLOW = answer("It is found.", delay_s=NEVER_S)
FIRST = answer("I look at the first file.", call("read", path="a.txt"))


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []
    (place.workspace / "a.txt").write_text("alpha\n")

    def open_session(*answers: Event, cases: list[Event]) -> Tmux:
        """With its first prompt sent."""
        model = place.script(*answers, end=answer("So be it: {prompt}"), cases=cases)
        opened.append(Tmux(place, "--model", model, "--mode", "auto", width=100, height=30))
        tmux = opened[-1]
        tmux.wait_for(" auto: ")
        enter(tmux, "begin")
        return tmux

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def enter(tmux: Tmux, text: str) -> None:
    tmux.type(text)
    tmux.press("Enter")


def two_in_the_background(start: Start) -> Tmux:
    tmux = start(
        answer("", spawn("scout", "look for A", background=True), spawn("porter", "look for B", background=True)),
        answer("They work."),
        cases=[case("look for A", FIRST, SLOW), case("look for B", SLOW)],
    )
    tmux.wait(lambda: " ○ scout " in tmux.visible and " ○ porter" in tmux.visible)
    return tmux


def test_each_has_a_row_while_it_works_and_a_line_when_it_is_over(start: Start) -> None:
    tmux = start(
        answer("", spawn("scout", "look for A"), spawn("porter", "look for B")),
        answer("All is known."),
        cases=[case("look for A", FIRST, answer("A is in a.txt")), case("look for B", answer("B is there"))],
    )

    tmux.wait_for("All is known.")

    assert "○ scout explore · look for A" in tmux.text
    assert "✔ scout A is in a.txt" in tmux.text
    assert "✔ porter B is there" in tmux.text
    assert " ○ scout " not in tmux.visible


def test_escape_ends_the_turn_and_once_more_what_works_in_the_background(start: Start) -> None:
    tmux = two_in_the_background(start)

    tmux.press("Escape")
    tmux.wait(lambda: "■ interrupted" in tmux.visible and "esc again cancels 2 agents" in tmux.visible)
    assert " ○ scout " in tmux.visible
    tmux.press("Escape")

    tmux.wait(lambda: tmux.text.count("cancelled") >= 2 and " ○ scout " not in tmux.visible)
    assert "■ scout" in tmux.text
    assert "■ porter" in tmux.text
    assert "cancels" not in tmux.visible


def test_one_is_looked_at_and_told_something_and_the_own_session_comes_back(start: Start) -> None:
    tmux = two_in_the_background(start)

    enter(tmux, "/agents scout")
    tmux.wait_for("● read a.txt")
    assert "looking at scout · esc: back" in tmux.visible
    enter(tmux, "only in src")
    tmux.wait_for("↳ steer only in src")
    tmux.press("Escape")

    tmux.wait_for("back from scout")
    tmux.wait_for("↳ scout: only in src")
    assert " ○ scout " in tmux.visible


def test_a_screen_that_is_killed_while_it_looks_at_one_comes_back_to_the_own_session(start: Start) -> None:
    tmux = two_in_the_background(start)
    enter(tmux, "/agents scout")
    tmux.wait_for("● read a.txt")

    tmux.kill("ui")

    tmux.wait(lambda: " ○ scout " in tmux.visible and "looking at" not in tmux.visible)
    assert tmux.text.count("❯ begin") == 1
    tmux.press("Escape")
    tmux.wait_for("■ interrupted")


def test_a_turn_that_waits_for_some_says_so_whoever_is_killed(start: Start) -> None:
    tmux = two_in_the_background(start)
    tmux.wait(lambda: "Waiting for 2 agents" in tmux.visible)

    for actor, told in (("ui", "the screen was restarted"), ("agent:main", "agent:main was restarted")):
        tmux.kill(actor)
        tmux.wait(lambda: told in tmux.text and "Waiting for 2 agents" in tmux.visible)  # noqa: B023  # waits here

    tmux.press("Escape")
    tmux.wait(lambda: "■ interrupted" in tmux.visible and " ○ scout " in tmux.visible)


def test_one_is_cancelled_by_name_and_goes_on_when_it_is_wanted_again(start: Start) -> None:
    tmux = start(
        answer("", spawn("scout", "look for A", background=True)),
        answer("It works."),
        cases=[case("look for A", SLOW, answer("A is in a.txt"))],
    )
    tmux.wait(lambda: " ○ scout " in tmux.visible)

    enter(tmux, "/agents cancel scout")
    tmux.wait_for("■ scout cancelled by the user.")
    enter(tmux, "/agents resume scout")

    tmux.wait(lambda: "↳ scout: Go on where you stopped." in tmux.text and " ○ scout " in tmux.visible)


def test_leaving_asks_once_while_some_work_in_the_background(start: Start) -> None:
    tmux = two_in_the_background(start)

    tmux.press("C-d")
    tmux.wait_for("2 agents still work in the background. Leave?")
    tmux.press_until(lambda: "Leave?" not in tmux.visible, "n")
    assert "ended with" not in tmux.text
    tmux.press("C-d")
    tmux.wait(lambda: "Leave?" in tmux.visible)
    tmux.press_until(lambda: "ended with" in tmux.text, "l")

    tmux.check_terminal()


def test_one_is_chosen_in_the_list(start: Start) -> None:
    tmux = two_in_the_background(start)

    enter(tmux, "/agents")
    tmux.wait(lambda: "Which agent?" in tmux.visible)
    tmux.press_until(lambda: "look at what it does" in tmux.visible, "Enter")
    tmux.press_until(lambda: "looking at " in tmux.visible, "a")

    tmux.wait_for("❯ look for ")
