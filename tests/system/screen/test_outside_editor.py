"""Ctrl-G: what is being written in the user's own editor, which has the terminal meanwhile."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.system.harness import Event, Place, answer, call, until
from tests.system.screen.questions import WRITING, listening, write
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
WAITS = """#!/bin/sh
trap 'echo was interrupted' INT
printf '\\033[?1049h'
echo $$ > editor.pid
echo the editor is here
until read word < go; do :; done
printf ' and more\\n' >> "$1"
stat -c %a "$1" > mode
printf '\\033[?1049l'
"""
Open = Callable[..., Tmux]
ASKS = (answer("I make it.", call("bash", command="mkdir made")), answer("You said: {result}"))


@pytest.fixture
def opened(place: Place) -> Iterator[Open]:
    begun: list[Tmux] = []

    def begin(editor: str, *answers: Event) -> Tmux:
        """answers: of a session that begins with a prompt."""
        (place.workspace / "editor.sh").write_text(WAITS)
        (place.workspace / "editor.sh").chmod(0o755)
        os.mkfifo(place.workspace / "go")
        place.environment["VISUAL"] = editor
        model = place.script(*(answers or [answer("The prompt was: {prompt}")]))
        begun.append(Tmux(place, "--model", model, *(["go on"] if answers else []), job_control=True))
        begun[0].wait_for("Allow?" if answers else " default")
        return begun[0]

    yield begin
    for tmux in begun:
        tmux.close()
    until(lambda: place.left() == [])


def noting(tmux: Tmux) -> None:
    """A note is half written with the answer "no, because"."""
    listening(tmux, opens="f")
    write(tmux, "f")
    tmux.type("it is")
    tmux.wait_for("❯ it is")


def is_noting(tmux: Tmux, note: str) -> bool:
    """The question is there with its note, and the keys go into it."""
    return all(words in tmux.visible for words in ("Allow?", "▸ 8 no, and tell", f"❯ {note}", WRITING))


def goes_with(tmux: Tmux, place: Place, note: str) -> None:
    tmux.press_until(lambda: "You said: denied by the user" in tmux.text, "Enter")
    tmux.wait_for_turn(f"The user says: {note}")
    assert not (place.workspace / "made").exists()
    tmux.press("C-d")
    tmux.wait_for("trouper -c goes on")


def test_the_draft_is_edited_and_interrupts_are_the_editors(opened: Open, place: Place) -> None:
    tmux = opened("./editor.sh")
    tmux.type("look at ")
    tmux.paste("line\n" * 30)
    tmux.wait_for("❯ look at [pasted 31 lines]")

    tmux.press("C-g")
    tmux.wait_for("the editor is here")
    tmux.press("C-c")
    tmux.wait(lambda: tmux.visible.count("was interrupted") == 1)
    tmux.press("C-c")
    tmux.wait(lambda: tmux.visible.count("was interrupted") == 2)
    (place.workspace / "go").write_text("on\n")

    tmux.wait_for("❯ look at [pasted 31 lines] and more")
    assert (place.workspace / "mode").read_text() == "600\n"
    assert list((place.home / "run").glob("*.draft.md")) == []
    tmux.press("Enter")
    tmux.wait_for("and more")
    tmux.wait_for_turn("The prompt was: look at line")
    tmux.press("C-d")
    tmux.wait_for("trouper -c goes on")


@pytest.mark.parametrize(
    ("editor", "said"),
    [
        ("false", "false ended with 1; what you had written is as it was"),
        ("./nowhere --wait", "./nowhere did not work: "),
    ],
)
def test_an_editor_that_fails_costs_nothing(opened: Open, editor: str, said: str) -> None:
    tmux = opened(editor)
    tmux.type("half a pro")
    tmux.wait_for("❯ half a pro")

    tmux.press("C-g")

    tmux.wait_for(said)
    tmux.type("mpt")
    tmux.press("Enter")
    tmux.wait_for_turn("The prompt was: half a prompt")
    tmux.press("C-d")
    tmux.wait_for("trouper -c goes on")


def test_a_screen_that_is_killed_meanwhile_ends_the_editor_and_keeps_the_draft(opened: Open, place: Place) -> None:
    tmux = opened("./editor.sh")
    tmux.type("half a pro")
    tmux.wait_for("❯ half a pro")
    tmux.press("C-g")
    tmux.wait_for("the editor is here")
    editor = int(Path(place.workspace, "editor.pid").read_text())

    tmux.kill("ui")

    tmux.wait_for("the screen was restarted")
    tmux.wait_for("❯ half a pro")
    until(lambda: not psutil.pid_exists(editor))
    tmux.type("mpt")
    tmux.press("Enter")
    tmux.wait_for_turn("The prompt was: half a prompt")
    tmux.press("C-d")
    tmux.wait_for("trouper -c goes on")


def test_a_note_is_edited_and_goes_with_the_same_answer(opened: Open, place: Place) -> None:
    tmux = opened("./editor.sh", *ASKS)
    noting(tmux)

    tmux.press("C-g")
    tmux.wait_for("the editor is here")
    (place.workspace / "go").write_text("on\n")

    tmux.wait(lambda: is_noting(tmux, "it is and more"))
    assert (place.workspace / "mode").read_text() == "600\n"
    goes_with(tmux, place, "it is and more")


@pytest.mark.parametrize("how", ["exit 1", "killed"])
def test_an_editor_that_fails_answers_nothing(opened: Open, place: Place, how: str) -> None:
    tmux = opened("false" if how == "exit 1" else "./editor.sh", *ASKS)
    noting(tmux)

    tmux.press("C-g")
    if how == "killed":
        tmux.wait_for("the editor is here")
        os.kill(int(Path(place.workspace, "editor.pid").read_text()), signal.SIGKILL)

    tmux.wait_for(f"ended with {1 if how == 'exit 1' else -9}; what you had written is as it was")
    tmux.wait(lambda: is_noting(tmux, "it is"))
    goes_with(tmux, place, "it is")


def test_a_screen_that_is_killed_meanwhile_has_the_question_and_its_note_again(opened: Open, place: Place) -> None:
    tmux = opened("./editor.sh", *ASKS)
    noting(tmux)
    tmux.press("C-g")
    tmux.wait_for("the editor is here")
    editor = int(Path(place.workspace, "editor.pid").read_text())

    tmux.kill("ui")

    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: is_noting(tmux, "it is"))
    until(lambda: not psutil.pid_exists(editor))
    goes_with(tmux, place, "it is")


def test_what_is_saved_is_the_note_of_a_question_that_was_asked_anew_meanwhile(opened: Open, place: Place) -> None:
    tmux = opened("./editor.sh", *ASKS)
    noting(tmux)
    tmux.press("C-g")
    tmux.wait_for("the editor is here")
    before = tmux.pid("gate")

    tmux.kill("gate")
    until(lambda: tmux.pid("gate") != before)
    (place.workspace / "go").write_text("on\n")

    tmux.wait(lambda: is_noting(tmux, "it is and more"))
    goes_with(tmux, place, "it is and more")
