"""The gate in the real program: answers that are remembered, questions no death loses, hooks that are real commands."""

import json
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from supervisor import tree_client
from tests.system.harness import LAUNCHER, Event, Place, answer, call, kill, until
from tests.ui.screen.pty_stage import PtyTerminal

pytestmark = pytest.mark.slow
MARK = answer("I mark it.", call("bash", command="touch marked"))
OUTSIDE = answer("I look.", call("read", path="~/one.txt"), call("read", path="~/two.txt"))
DONE = answer("All done.")


@contextmanager
def screen(place: Place, *answers: Event) -> Iterator[PtyTerminal]:
    """A session that was told to begin."""
    command = [sys.executable, "-P", str(LAUNCHER), "--model", place.script(*answers), "--mode", "default", "begin"]
    terminal = PtyTerminal(command, place.workspace, {**place.environment, "LANG": "C.UTF-8"})
    try:
        yield terminal
    finally:
        terminal.close()
        until(lambda: place.left() == [])


EMPTY_DRAFT = "\x15"
"""Ctrl-U: with something in the draft each key is the draft's."""


def queue(place: Place) -> int:
    """Questions that wait on the screen."""
    return sum(actor.queue for tree in tree_client.running(place.home) for actor in tree.actors if actor.name == "ui")


def say(place: Place, terminal: PtyTerminal, key: str) -> None:
    """The answer to the question that is shown; it is deaf at first. What comes between two goes into the draft."""
    waiting = queue(place)

    def heard() -> bool:
        if queue(place) < waiting:
            return True
        terminal.type(f"{EMPTY_DRAFT}{key}")
        return False

    terminal.wait(heard)


def test_always_is_written_down_and_the_next_session_does_not_ask(place: Place) -> None:
    with screen(place, MARK, DONE) as terminal:
        terminal.wait_for("Allow?")
        say(place, terminal, "a")
        terminal.wait_for("All done.")
    local = tomllib.loads((place.workspace / ".trouper/config.local.toml").read_text())
    (place.workspace / "marked").unlink()
    again = place.run("-p", "go on", "--mode", "default", "--model", place.script(MARK, DONE))

    assert local["permissions"]["allow"] == ["Bash(touch marked)"]
    assert (again.code, (place.workspace / "marked").exists()) == (0, True)


@pytest.mark.parametrize("killed", ["ui", "gate", "agent:main"])
def test_questions_that_wait_survive_whoever_dies(place: Place, killed: str) -> None:
    for name in ("one.txt", "two.txt"):
        (place.home.parent / name).write_text("x\n")
    with screen(place, OUTSIDE, DONE) as terminal:
        terminal.wait(lambda: queue(place) == 2)
        pids = {actor.name: actor.pid for actor in place.tree().actors}
        kill(pids[killed])
        terminal.wait(lambda: _lives_again(place, killed, pids[killed]) and queue(place) == 2)
        terminal.wait(lambda: "restarted" in terminal.text and " 1 of 2 " in terminal.text)
        say(place, terminal, "y")
        say(place, terminal, "y")
        terminal.wait_for("All done.")
        session = place.tree().session_id
    results = [one["body"] for one in place.entries(session) if one["body"]["type"] == "ToolResult"]

    assert len(results) == 2
    assert not any(result.get("failed") for result in results)


def _lives_again(place: Place, name: str, before: int) -> bool:
    return any(
        actor.pid not in {0, before}
        for tree in tree_client.running(place.home)
        for actor in tree.actors
        if actor.name == name
    )


@pytest.mark.parametrize(
    ("hook", "timeout_s", "verdict", "marked"),
    [
        ("echo no marks >&2; exit 2", 60, "denied by the hook", []),
        ("""echo '{"decision": "ask"}'""", 60, "nobody is there to ask", []),
        ("sleep 60", 0.3, "it took too long", []),
        ("""echo '{"arguments": {"command": "touch other"}}'""", 60, "the arguments were changed", ["other"]),
        ('grep -q \'"tool":"bash"\' || exit 2', 60, "", ["marked"]),
    ],
)
def test_a_hook_is_a_command_that_decides(
    place: Place, hook: str, timeout_s: float, verdict: str, marked: list[str]
) -> None:
    (place.home / "config.toml").write_text(
        f"[[hooks.pre_tool]]\ncommand = {json.dumps(hook)}\ntools = ['Bash']\ntimeout_s = {timeout_s}\n"
    )
    session = place.prompt(place.script(MARK, DONE))
    result = session.wait_for("tool_result")
    session.finish()

    assert verdict in result["output"]
    assert [path.name for path in sorted(place.workspace.iterdir())] == marked


@pytest.mark.parametrize("event", ["prompt", "session_start"])
def test_what_a_hook_refuses_is_not_sent_and_is_no_failure(place: Place, event: str) -> None:
    (place.home / "config.toml").write_text(f"[[hooks.{event}]]\ncommand = 'echo not on fridays >&2; exit 2'\n")

    finished = place.run("-p", "hello", "--output", "json", "--model", place.script(DONE))

    result = json.loads(finished.out)
    assert (finished.code, result["reason"], result["turns"]) == (3, "refused", 0)
    assert "not on fridays" in result["error"]
