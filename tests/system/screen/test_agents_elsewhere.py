"""Subagents of a program from another terminal, in tmux: looked at, told something and cancelled, seen in both."""

import json
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
NEVER_S = 3600.0
SLOW = answer("It is found.", delay_s=NEVER_S)
FIRST = answer("I look at the first file.", call("read", path="a.txt"))
Open = Callable[..., Tmux]


@pytest.fixture
def terminal(place: Place) -> Iterator[Open]:
    opened: list[Tmux] = []

    def open_one(*arguments: str) -> Tmux:
        opened.append(Tmux(place, *arguments, width=100, height=30))
        return opened[-1]

    yield open_one
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


@pytest.fixture
def first(place: Place, terminal: Open) -> Tmux:
    """A session with an agent in the background that is in the middle of its work."""
    (place.workspace / "a.txt").write_text("alpha\n")
    cases: list[Event] = [case("look for A", FIRST, SLOW, answer("It is in src."))]
    spawned = answer("", spawn("scout", "look for A", background=True))
    model = place.script(spawned, answer("It works."), end=answer("So be it."), cases=cases)
    tmux = terminal("--model", model, "--mode", "auto")
    tmux.wait_for(" auto: ")
    enter(tmux, "begin")
    tmux.wait(lambda: " ○ scout " in tmux.visible)
    until(lambda: [one["state"] for one in agents(place)] == ["running"])
    return tmux


def enter(tmux: Tmux, text: str) -> None:
    tmux.type(text)
    tmux.press("Enter")


def agents(place: Place) -> list[Event]:
    found: list[Event] = json.loads(place.run("agents", "list", "--json").out)
    return found


def words(tmux: Tmux) -> str:
    """However they are wrapped."""
    return " ".join(tmux.text.split())


def looked_at(place: Place, terminal: Open) -> Tmux:
    """Without being asked what now."""
    other = terminal("-r", agents(place)[0]["session_id"])
    other.wait_for("● read a.txt")
    other.wait(lambda: " agent scout " in other.visible and "enter: tell it · esc: cancel it" in other.visible)
    return other


def test_what_is_sent_from_another_terminal_goes_to_the_agent_and_both_show_it(
    place: Place, terminal: Open, first: Tmux
) -> None:
    other = looked_at(place, terminal)

    enter(other, "only in src")

    first.wait_for("↳ scout: only in src")
    other.wait_for("↳ steer only in src")
    assert "open elsewhere" not in other.text
    assert [one["state"] for one in agents(place)] == ["running"]


def test_escape_in_another_terminal_cancels_it_and_says_how_to_go_on(place: Place, terminal: Open, first: Tmux) -> None:
    other = looked_at(place, terminal)

    other.press("Escape")

    first.wait_for("■ scout")
    other.wait(lambda: "has ended (cancelled)" in words(other) and " read-only " in other.visible)
    assert "To go on with it: trouper agents resume" in words(other)
    enter(other, "and now?")
    other.wait(lambda: words(other).count("has ended (cancelled)") == 2)
    assert "❯ and now?" in other.visible
    (one,) = agents(place)
    assert one["state"] == "cancelled"


def test_ctrl_c_leaves_another_terminal_and_the_agent_works_on(place: Place, terminal: Open, first: Tmux) -> None:
    other = looked_at(place, terminal)

    other.press("C-c")
    other.wait(lambda: "ctrl+c again quits" in other.visible)
    other.press("C-c")

    other.wait_for("ended with")
    assert [one["state"] for one in agents(place)] == ["running"]
    assert " ○ scout " in first.visible


def test_one_that_goes_on_again_can_be_told_things_again(place: Place, terminal: Open, first: Tmux) -> None:
    other = looked_at(place, terminal)
    other.press("Escape")
    other.wait(lambda: "has ended (cancelled)" in words(other))

    resumed = place.run("agents", "resume", "scout", "once", "more")

    assert (resumed.code, resumed.out.startswith("scout goes on")) == (0, True)
    first.wait_for("↳ scout: once more")
    other.wait_for("once more")


def test_a_view_outlives_the_program_that_had_the_agent(place: Place, terminal: Open, first: Tmux) -> None:
    other = looked_at(place, terminal)

    first.kill_all([one["pid"] for one in agents(place)])

    other.wait(lambda: "nobody has this session any more" in words(other))
    assert " read-only " in other.visible
