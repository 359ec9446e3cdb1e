"""`trouper demo` with its output in a pipe: it works, it says what it killed, it leaves nothing."""

import sys

import pytest

from tests.system.harness import LAUNCHER, Place
from tests.ui.screen.pty_stage import PtyTerminal

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("way", ["fork", "exec"])
def test_the_demo_survives_a_kill_and_cleans_up(place: Place, way: str) -> None:
    before = sorted(path.name for path in place.workspace.iterdir())

    finished = place.run("demo", TROUPER_SPAWN=way)

    assert finished.code == 0, finished.err
    assert "providers was restarted (killed by signal 9)" in finished.err
    assert "demo: the test passes. One process was killed half-way, on purpose, and nothing was lost." in finished.err
    assert finished.out.startswith("Fixed. ")
    assert sorted(path.name for path in place.workspace.iterdir()) == before
    assert list(place.home.iterdir()) == []
    assert [path for path in place.temporary.rglob("*") if path.is_file()] == []
    assert list(place.temporary.glob("trouper-demo-*")) == []


def test_the_demo_tells_what_happened_when_the_answer_is_no(place: Place) -> None:
    environment = {**place.environment, "LANG": "C.UTF-8"}
    terminal = PtyTerminal([sys.executable, "-P", str(LAUNCHER), "demo"], place.workspace, environment)
    try:
        terminal.wait_for("Allow?")

        def refused() -> bool:
            if "Allow?" in terminal.text:
                terminal.type("n")
            return "That was not allowed, so nothing is changed" in terminal.text

        terminal.wait(refused)
        terminal.wait(lambda: "esc stops" not in terminal.text)
        terminal.type("\x15\x04")

        assert terminal.wait_for_end() == 1
        assert "Fixed." not in terminal.text
        assert "demo: nothing was changed, for the edit was not allowed" in terminal.text
    finally:
        terminal.close()
