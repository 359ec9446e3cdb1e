"""`-c` on a session that another terminal has open: the screen offers a copy, and goes on with it."""

import json
import shutil
from collections.abc import Iterator

import pytest

from actors.store import locks
from tests.system.harness import Place, answer, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


@pytest.fixture
def session_id(place: Place) -> Iterator[str]:
    """Of a session that somebody else has open."""
    before = place.prompt(place.script(answer("Remember the number 42."))).finish()
    session_id = before.events[-1]["session"]
    path = place.home / "run" / f"{session_id}.lock"
    lock = locks.take(path)
    yield session_id
    locks.release(path, lock)


def test_a_copy_is_offered_and_gone_on_with(place: Place, session_id: str) -> None:
    tmux = Tmux(place, "--model", place.script(name="rest", end={"text": "It was 42."}), "-c")
    try:
        tmux.wait_for("Go on here with a copy of it?")

        def heard() -> bool:
            if "Go on here with a copy of it?" in tmux.visible:
                tmux.type("y")
            return "Remember the number 42." in tmux.text

        tmux.wait(heard)
        assert f"session {session_id} is open in another terminal" in tmux.text.replace("\n  ", " ")
        tmux.press("C-u")
        tmux.type("which one?")
        tmux.press("Enter")
        tmux.wait_for("It was 42.")
        tmux.press("C-d")
        tmux.check_terminal()
    finally:
        tmux.close()
        until(lambda: place.left() == [])

    listed = json.loads(place.run("sessions", "list", "--json").out)
    entries = {one["session_id"]: one["entries"] for one in listed}
    assert len(entries) == 2
    assert entries.pop(session_id) < min(entries.values())
