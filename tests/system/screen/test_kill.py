"""Killed while a question is open on the screen: the question comes back, and its answer counts once."""

import sys
from collections.abc import Callable, Iterator

import pytest

from actors.messages.system import ActorState
from supervisor import tree_client
from tests.system.harness import LAUNCHER, Place, answer, call, kill, until
from tests.ui.screen.pty_stage import PtyTerminal

pytestmark = pytest.mark.slow
WORK = (answer("I change it.", call("edit", path="a.txt", old="two", new="three")), answer("All done."))
LOOKS = {"gate": 2, "agent:main": 1}
"""What the worker is asked before the question is there again: its tools, by a new gate; and what the call would do."""


@pytest.fixture
def terminal(place: Place) -> Iterator[PtyTerminal]:
    """A session that has asked whether it may change a.txt."""
    (place.workspace / "a.txt").write_text("one\ntwo\n")
    command = [sys.executable, "-P", str(LAUNCHER), "--model", place.script(*WORK)]
    terminal = PtyTerminal(command, place.workspace, {**place.environment, "LANG": "C.UTF-8"})
    terminal.wait_for(" default")
    terminal.type("change it\r")
    terminal.wait_for("Allow?")
    yield terminal
    terminal.close()
    until(lambda: place.left() == [])


def actors(place: Place) -> dict[str, ActorState]:
    """As `trouper top` shows them; none when the session does not answer just now."""
    return {actor.name: actor for tree in tree_client.running(place.home) for actor in tree.actors}


def asked_again(place: Place, before: dict[str, ActorState], killed: str) -> Callable[[], bool]:
    """The killed one lives again, and the question that the screen has now is another one."""

    def holds() -> bool:
        now = actors(place)
        if not {killed, "tools:main", "ui"} <= now.keys() or now[killed].pid in {0, before[killed].pid}:
            return False
        looked = now["tools:main"].messages - before["tools:main"].messages
        return looked >= LOOKS[killed] and now["ui"].queue == 1

    return holds


def say_yes(terminal: PtyTerminal) -> None:
    """Once: a question is deaf at first, so another key shows when it listens."""

    def listens() -> bool:
        if "enter sends it" in terminal.text:
            return True
        terminal.type("f")
        return False

    terminal.wait(listens)
    terminal.type("\x1b[27u")
    terminal.wait_for("enter: the marked one")
    terminal.type("y")


@pytest.mark.parametrize("killed", LOOKS)
def test_a_question_comes_back_and_is_answered_once(place: Place, terminal: PtyTerminal, killed: str) -> None:
    before = {actor.name: actor for actor in place.tree().actors}
    kill(before[killed].pid)

    terminal.wait(asked_again(place, before, killed))
    terminal.wait(lambda: f"{killed} was restarted" in terminal.text and "Allow?" in terminal.text)
    say_yes(terminal)

    terminal.wait_for("All done.")
    assert (place.workspace / "a.txt").read_text() == "one\nthree\n"
    assert {actor.name: actor.restarts for actor in place.tree().actors if actor.restarts} == {killed: 1}
    assert terminal.text.count("Allow?") == 0
    assert [row for row in terminal.text.split("\n") if row.startswith("❯")] == ["❯ change it", "❯"]
