"""/rewind in tmux before the real agent: the files and what was said go back, only with consent, and forth again."""

import shutil

import pytest

from tests.system.harness import Place, answer, call
from tests.system.screen.test_places import Start, choose, pick, prompts, say, send, start
from tests.system.screen.tmux import Tmux

__all__ = ["start"]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
ECHO = answer("You said: {prompt}.")
WHICH = "Go back to before which prompt?"
TAKE_BACK = 'Take back 1 prompt, from "change it" on?'


@pytest.fixture
def changed(start: Start, place: Place) -> Tmux:
    """A session that has changed a file and made one."""
    (place.workspace / "a.txt").write_text("one\ntwo\n")
    tmux = start(
        ECHO,
        answer("", call("read", path="a.txt")),
        answer("", call("edit", path="a.txt", old="two", new="three"), call("write", path="new.txt", content="new\n")),
        *[ECHO] * 9,
        more=("--mode", "auto"),
    )
    say(tmux, "hello")
    say(tmux, "change it")
    assert (place.workspace / "a.txt").read_text() == "one\nthree\n"
    return tmux


def ask_back(tmux: Tmux) -> None:
    send(tmux, "/rewind", WHICH)
    pick(tmux, "change it", WHICH)
    tmux.wait_for(TAKE_BACK)


def test_what_would_change_is_shown_and_escape_leaves_all(changed: Tmux, place: Place) -> None:
    ask_back(changed)

    seen = changed.visible
    assert "1 file gets back what it had: a.txt" in seen
    assert "1 file that came to be since is removed: new.txt" in seen
    assert "-three" in seen
    assert "+two" in seen
    choose(changed, "Escape", TAKE_BACK)
    assert (place.workspace / "a.txt").read_text() == "one\nthree\n"
    assert prompts(place) == ["hello", "change it"]


def test_both_go_back_and_forth_again(changed: Tmux, place: Place) -> None:
    ask_back(changed)
    choose(changed, "b", TAKE_BACK)

    changed.wait_for("1 file brought back, 1 file removed; /rewind undo takes it back")
    changed.wait(lambda: "❯ change it" in changed.visible.split("takes it back")[1])
    assert (place.workspace / "a.txt").read_text() == "one\ntwo\n"
    assert not (place.workspace / "new.txt").exists()
    assert prompts(place) == ["hello"]

    changed.press("C-u")
    send(changed, "/rewind undo", "the last rewind is taken back")
    changed.wait_for("the session goes on after prompt 2; /tree shows all")
    assert (place.workspace / "a.txt").read_text() == "one\nthree\n"
    assert (place.workspace / "new.txt").read_text() == "new\n"
    assert prompts(place) == ["hello", "change it"]


@pytest.mark.parametrize(("key", "text", "said"), [("f", "two", ["hello", "change it"]), ("c", "three", ["hello"])])
def test_the_files_or_the_conversation_alone(changed: Tmux, place: Place, key: str, text: str, said: list[str]) -> None:
    ask_back(changed)
    choose(changed, key, TAKE_BACK)

    changed.wait_for("; /rewind undo takes it back")
    assert (place.workspace / "a.txt").read_text() == f"one\n{text}\n"
    assert prompts(place) == said


def test_where_nothing_can_be_taken_back_that_is_said(start: Start) -> None:
    tmux = start()

    send(tmux, "/rewind", "there is no earlier prompt to go back to")
    send(tmux, "/rewind undo", "there is no rewind on this path that could be taken back")
