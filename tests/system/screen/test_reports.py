"""/diff, /tools, /todo and /copy in tmux, before the real gate: what is shown, and what the terminal is handed."""

import base64
import shutil
import subprocess
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Event, Place, answer, call, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event, mode: str = "auto") -> Tmux:
        opened.append(Tmux(place, "--model", place.script(*answers), "--mode", mode))
        opened[-1].wait_for(f" {mode}")
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def enter(tmux: Tmux, text: str) -> None:
    tmux.type(text)
    tmux.press("Enter")


def git(place: Place, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run(["git", *who, *arguments], cwd=place.workspace, check=True, capture_output=True)


def test_diff_has_what_is_not_committed_and_names_what_is_new(start: Start, place: Place) -> None:
    git(place, "init", "-q")
    (place.workspace / "old.txt").write_text("before\n")
    git(place, "add", ".")
    git(place, "commit", "-qm", "first")
    (place.workspace / "old.txt").write_text("after\n")
    (place.workspace / "new.txt").write_text("new\n")
    tmux = start()

    enter(tmux, "/diff")

    tmux.wait_for("? new.txt")
    assert "1 - before" in tmux.text
    assert "1 + after" in tmux.text


def test_diff_of_the_session_has_what_was_committed_since_it_began(start: Start, place: Place) -> None:
    git(place, "init", "-q")
    (place.workspace / "old.txt").write_text("before\n")
    git(place, "add", ".")
    git(place, "commit", "-qm", "first")
    write = call("bash", command="echo after > old.txt; echo one > new.txt")
    tmux = start(answer("", write), answer("Done."))

    enter(tmux, "/diff session")
    tmux.wait_for("no file was changed in this session")

    enter(tmux, "write it")
    tmux.wait_for("Done.")
    git(place, "commit", "-qam", "second")
    enter(tmux, "/diff")
    tmux.wait_for("? new.txt")
    assert "1 - before" not in tmux.text

    enter(tmux, "/diff session")
    for row in ("1 - before", "1 + after", "1 + one"):
        tmux.wait_for(row)

    enter(tmux, "/diff all")
    tmux.wait_for("/diff takes nothing, or session")


def test_diff_outside_of_a_repository_says_so(start: Start) -> None:
    tmux = start()

    enter(tmux, "/diff")

    tmux.wait_for("git says: ")


def test_tools_are_those_of_the_mode_and_of_the_sandbox(start: Start) -> None:
    tmux = start(mode="plan")

    enter(tmux, "/tools")

    tmux.wait_for("in mode plan")
    assert "in the sandbox" in tmux.text
    assert "what changes anything is refused in this mode" in tmux.text


@pytest.mark.parametrize("line", ["/doctor", "/doctor now"])
def test_doctor_says_what_it_finds_and_takes_nothing(start: Start, line: str) -> None:
    tmux = start()

    enter(tmux, line)

    tmux.wait_for("/doctor takes nothing" if " " in line else "what to do next:")


def test_todo_has_the_steps_that_the_agent_has_noted(start: Start) -> None:
    items = [{"task": "look around", "status": "completed"}, {"task": "mend it", "status": "in_progress"}]
    tmux = start(answer("", call("todo", items=items)), answer("Noted."))

    enter(tmux, "/todo")
    tmux.wait_for("the agent has noted no steps")
    enter(tmux, "begin")
    tmux.wait_for_turn("Noted.")
    before = tmux.text.count("mend it")
    enter(tmux, "/todo")

    tmux.wait(lambda: tmux.text.count("mend it") > before)


def test_copy_hands_the_terminal_what_was_written(start: Start) -> None:
    written = "Do **this**:\n\n```sh\necho one\n```\n"
    tmux = start(answer(written))
    written_out = tmux.record()

    enter(tmux, "begin")
    tmux.wait_for_turn("echo one")
    enter(tmux, "/copy 1")
    tmux.wait_for("is sent to the clipboard of your terminal")
    enter(tmux, "/copy 7")
    tmux.wait_for("the last answer has no block of code 7")

    told = b"\x1b]52;c;" + base64.b64encode(b"echo one\n") + b"\x07"
    until(lambda: told in written_out.read_bytes())
