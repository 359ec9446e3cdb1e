"""A session that another terminal has open: looked at, taken over or copied, whoever is stopped or killed meanwhile."""

import json
import shutil
import signal
from collections.abc import Iterator
from typing import NamedTuple

import psutil
import pytest

from supervisor import tree_client
from tests.system.harness import Fifo, Place, answer, call, kill, until
from tests.system.screen.questions import decide
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
ASKED = "What now?"


class Terminals:
    """Several at once, in one place."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._open: list[Tmux] = []
        self._pids: list[int] = []

    def start(self, *arguments: str) -> tuple[Tmux, int]:
        """With the pid of its supervisor."""
        tmux = Tmux(self._place, *arguments)
        self._open.append(tmux)
        fresh: list[int] = []

        def there() -> bool:
            fresh[:] = [tree.pid for tree in tree_client.running(self._place.home) if tree.pid not in self._pids]
            return bool(fresh)

        tmux.wait(there)
        self._pids.append(fresh[0])
        return tmux, fresh[0]

    def close(self) -> None:
        for tmux in self._open:
            tmux.close()
        until(lambda: self._place.left() == [])


@pytest.fixture
def terminals(place: Place) -> Iterator[Terminals]:
    terminals = Terminals(place)
    yield terminals
    terminals.close()


@pytest.fixture
def session_id(place: Place) -> str:
    return str(place.prompt(place.script(answer("Remember the number 42."))).finish().events[-1]["session"])


@pytest.fixture
def rest(place: Place) -> str:
    """The model of whoever goes on with it."""
    return place.script(name="rest", end={"text": "It was 42."})


def say(tmux: Tmux, text: str) -> None:
    tmux.press("C-u")
    tmux.type(text)
    tmux.press("Enter")


def wait_for_times(tmux: Tmux, text: str, times: int) -> None:
    tmux.wait(lambda: tmux.text.count(text) >= times)


def press(tmux: Tmux, key: str) -> None:
    """And the question is gone."""
    decide(tmux, key, ASKED)
    tmux.wait(lambda: ASKED not in tmux.visible)


def choose(tmux: Tmux, key: str, until_there: str) -> None:
    decide(tmux, key, ASKED)
    tmux.wait(lambda: until_there in tmux.text.replace("\n  ", " "))


def stopped(pid: int) -> list[psutil.Process]:
    """All of the program, from its first process down."""
    first = psutil.Process(pid)
    first.send_signal(signal.SIGSTOP)
    everyone = [first, *first.children(recursive=True)]
    for process in everyone:
        process.send_signal(signal.SIGSTOP)
    return everyone


class Asking(NamedTuple):
    """One terminal asks for the session of another, whose program is stopped."""

    holder: Tmux
    stopped: list[psutil.Process]
    other: Tmux
    pid: int
    """Of the program in the other one."""


def asking(terminals: Terminals, rest: str) -> Asking:
    holder, pid = terminals.start("-c", "--model", rest)
    holder.wait_for("Remember the number 42.")
    everyone = stopped(pid)
    other, other_pid = terminals.start("-c", "--model", rest)
    other.wait_for("it does not answer")
    return Asking(holder, everyone, other, other_pid)


def goes_on(everyone: list[psutil.Process]) -> None:
    for process in reversed(everyone):
        process.send_signal(signal.SIGCONT)


def prompts(place: Place, session_id: str) -> list[str]:
    """Of the whole tree, in which each entry follows on the one before."""
    return [entry["body"]["text"] for entry in place.entries(session_id) if entry["body"]["type"] == "UserMessage"]


def test_a_copy_is_gone_on_with(place: Place, session_id: str, rest: str, terminals: Terminals) -> None:
    terminals.start("-c", "--model", rest)[0].wait_for("Remember the number 42.")
    tmux, _ = terminals.start("-c", "--model", rest)
    choose(tmux, "c", "Remember the number 42.")
    say(tmux, "which one?")
    tmux.wait_for("It was 42.")

    listed = json.loads(place.run("sessions", "list", "--json").out)
    entries = {one["session_id"]: one["entries"] for one in listed}
    assert len(entries) == 2
    assert entries.pop(session_id) < min(entries.values())


def test_who_looks_on_sees_what_is_said_there_and_says_nothing_to_the_model(
    place: Place, session_id: str, rest: str, terminals: Terminals
) -> None:
    one, _ = terminals.start("-c", "--model", rest)
    one.wait_for("Remember the number 42.")
    other, _ = terminals.start("-c")  # a model is nothing it needs
    choose(other, "v", "read-only here")
    say(other, "not for the model")
    other.wait_for("✗ this session is read-only here")
    assert "❯ not for the model" in other.visible
    assert "No model" not in other.text
    say(one, "from the first")
    other.wait_for("It was 42.")
    headless = place.run("-c", "-p", "nor this", "--model", rest)

    assert (headless.code, "is open in another terminal: process" in headless.err) == (6, True)
    assert prompts(place, session_id) == ["go on", "from the first"]


def test_a_session_goes_to_and_fro_between_terminals_and_never_has_two_writers(
    place: Place, session_id: str, rest: str, terminals: Terminals
) -> None:
    one, _ = terminals.start("-c", "--model", rest)
    one.wait_for("Remember the number 42.")
    other, _ = terminals.start("-c", "--model", rest)
    choose(other, "t", "open here now")
    said = ["go on"]
    for number in range(3):
        for writer, reader, taken in ((other, one, number + 1), (one, other, number + 2)):
            said.append(f"prompt {len(said)}")
            say(reader, "this is refused")
            say(writer, said[-1])
            wait_for_times(writer, "It was 42.", len(said) - 1)
            wait_for_times(reader, "It was 42.", len(said) - 1)
            say(reader, "/takeover")
            wait_for_times(reader, "open here now", taken)

    assert prompts(place, session_id) == said


def test_a_call_that_runs_is_ended_there_and_has_one_result(place: Place, terminals: Terminals) -> None:
    fifo = Fifo(place.workspace / "fifo")
    waits = place.script(answer("", call("bash", command="touch began; cat fifo")), name="waits", end={"text": "never"})
    one, _ = terminals.start("--mode", "auto", "--model", waits, "wait for it")
    one.wait(lambda: (place.workspace / "began").exists())
    other, _ = terminals.start("-c", "--model", place.script(name="rest", end={"text": "all mine"}))
    other.wait_for("in the middle of a turn")
    choose(other, "t", "open here now")
    one.wait_for("has taken this session over")
    say(other, "go on")
    other.wait_for("all mine")
    fifo.close()

    session_id = json.loads(place.run("sessions", "list", "--json").out)[0]["session_id"]
    bodies = [entry["body"] for entry in place.entries(session_id)]
    assert sum(body["type"] == "ToolResult" for body in bodies) == 1
    assert [body["reason"] for body in bodies if body["type"] == "TurnEnded"] == ["interrupted", "done"]


def test_who_is_stopped_keeps_the_session_until_it_answers(
    place: Place, session_id: str, rest: str, terminals: Terminals
) -> None:
    asked = asking(terminals, rest)
    choose(asked.other, "t", "was not let go of by process")
    asked.other.wait_for(ASKED)
    goes_on(asked.stopped)
    choose(asked.other, "t", "open here now")
    asked.holder.wait_for("has taken this session over")
    say(asked.other, "mine")
    asked.other.wait_for("It was 42.")

    assert prompts(place, session_id) == ["go on", "mine"]


def test_a_holder_that_is_killed_during_a_take_over_leaves_the_session_to_the_other(
    place: Place, session_id: str, rest: str, terminals: Terminals
) -> None:
    asked = asking(terminals, rest)
    press(asked.other, "t")
    kill(asked.stopped[0].pid)
    asked.other.wait_for("open here now")
    say(asked.other, "mine")
    asked.other.wait_for("It was 42.")

    assert prompts(place, session_id) == ["go on", "mine"]


def test_one_that_is_killed_while_it_takes_over_leaves_the_session_where_it_was(
    place: Place, session_id: str, rest: str, terminals: Terminals
) -> None:
    asked = asking(terminals, rest)
    press(asked.other, "t")
    kill(asked.pid)
    goes_on(asked.stopped)
    say(asked.holder, "still mine")
    asked.holder.wait_for("It was 42.")

    assert "has taken this session over" not in asked.holder.text
    assert prompts(place, session_id) == ["go on", "still mine"]


def test_a_prompt_of_the_command_line_outlives_a_screen_that_dies_with_the_question(
    place: Place, session_id: str, rest: str, terminals: Terminals
) -> None:
    terminals.start("-c", "--model", rest)[0].wait_for("Remember the number 42.")
    other, program = terminals.start("-c", "--model", rest, "which one?")
    other.wait_for(ASKED)

    kill(
        next(
            it.pid
            for tree in tree_client.running(place.home)
            if tree.pid == program
            for it in tree.actors
            if it.name == "ui"
        )
    )
    choose(other, "c", "It was 42.")

    (copy_id,) = {one["session_id"] for one in json.loads(place.run("sessions", "list", "--json").out)} - {session_id}
    assert prompts(place, copy_id) == ["go on", "which one?"]


def test_resume_of_a_session_that_is_open_elsewhere_asks_and_may_stay(
    place: Place, session_id: str, rest: str, terminals: Terminals
) -> None:
    terminals.start("-c", "--model", rest)[0].wait_for("Remember the number 42.")
    other, _ = terminals.start("--model", rest)
    say(other, f"/resume {session_id}")
    press(other, "n")
    assert "read-only" not in other.visible
    say(other, f"/resume {session_id}")
    choose(other, "t", "open here now")
    say(other, "mine")
    other.wait_for("It was 42.")

    assert prompts(place, session_id) == ["go on", "mine"]


def test_where_words_fit_several_sessions_one_is_chosen_and_esc_leaves(place: Place, terminals: Terminals) -> None:
    for text in ("cats and dogs", "cats and birds"):
        place.run("-p", text, "--model", place.script(answer(f"About {text}.")))
    headless = place.run("-r", "cats", "-p", "go on", "--model", place.script(answer("no")))
    tmux, _ = terminals.start("-r", "cats")
    tmux.wait_for("Go on with which session?")
    tmux.press_until(lambda: "▸ cats and dogs" in tmux.visible, "Down")
    tmux.press_until(lambda: "About cats and dogs." in tmux.text, "Enter")
    left, _ = terminals.start("-r", "cats")
    left.wait_for("Go on with which session?")
    left.press_until(lambda: "ended with" in left.text, "Escape")

    assert headless.code == 2
    assert 'trouper: "cats" may be any of 2 sessions' in headless.err
    assert '"cats" may be any of 2 sessions' in left.text.replace("\n", " ")
    left.check_terminal()
