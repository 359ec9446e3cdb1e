"""Ctrl-G: what is being written in the user's own editor, which has the terminal meanwhile."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.system.harness import Place, answer, until
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
Open = Callable[[str], Tmux]


@pytest.fixture
def opened(place: Place) -> Iterator[Open]:
    begun: list[Tmux] = []

    def begin(editor: str) -> Tmux:
        (place.workspace / "editor.sh").write_text(WAITS)
        (place.workspace / "editor.sh").chmod(0o755)
        os.mkfifo(place.workspace / "go")
        place.environment["VISUAL"] = editor
        begun.append(Tmux(place, "--model", place.script(answer("The prompt was: {prompt}")), job_control=True))
        begun[0].wait_for(" default")
        return begun[0]

    yield begin
    for tmux in begun:
        tmux.close()
    until(lambda: place.left() == [])


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
