"""The window's title in a real terminal: whose session it is and what it does, and the one from before at the end."""

import shutil
from collections.abc import Iterator

import pytest

from tests.system.harness import Place, answer, call, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
EDIT = answer("I change it.", call("edit", path="a.txt", old="two", new="three"))


@pytest.fixture
def tmux(place: Place) -> Iterator[Tmux]:
    (place.workspace / "a.txt").write_text("one\ntwo\n")
    opened = Tmux(place, "--model", place.script(EDIT, answer("Done.")))
    yield opened
    opened.close()
    until(lambda: place.left() == [])


def test_it_says_what_waits_and_is_given_back_whatever_dies(tmux: Tmux, place: Place) -> None:
    before = tmux.title
    name = place.workspace.name
    tmux.wait(lambda: tmux.title.strip() == f"{name} · trouper")
    tmux.type("change it")
    tmux.press("Enter")
    tmux.wait(lambda: tmux.title.strip() == f"? {name} · trouper")

    tmux.kill("ui")
    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: tmux.title.strip() == f"? {name} · trouper")
    tmux.press("C-c")
    tmux.wait(lambda: tmux.title.strip() == f"{name} · trouper")
    tmux.press("C-d")

    tmux.check_terminal()
    tmux.wait(lambda: tmux.title == before)


def test_it_can_be_switched_off(place: Place) -> None:
    (place.home / "config.toml").write_text("announce = false\n")
    tmux = Tmux(place, "--model", place.script(answer("Done.")))
    try:
        before = tmux.title
        tmux.wait_for(" default")
        tmux.type("go")
        tmux.press("Enter")
        tmux.wait_for_turn("Done.")

        assert tmux.title == before
    finally:
        tmux.close()
        until(lambda: place.left() == [])
