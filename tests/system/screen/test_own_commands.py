"""Commands that a prompt brings, in tmux before the real agent: Esc ends them, /rewind takes back what they did."""

import shutil
from pathlib import Path

import pytest

from tests.system.harness import Place, answer, until
from tests.system.screen.test_places import Start, choose, pick, prompts, say, send, start
from tests.system.screen.tmux import Tmux

__all__ = ["start"]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
ECHO = answer("You said: {prompt}.")


@pytest.fixture
def screen(start: Start, place: Place) -> Tmux:
    commands = place.home / "commands"
    commands.mkdir()
    (commands / "make.md").write_text("Look at it.\n!echo $1 >> made.txt\n")
    (commands / "hang.md").write_text("!echo before >> made.txt; touch reached; exec sleep 1000\n!touch never\n")
    return start(*[ECHO] * 9, more=("--mode", "auto"))


def sleeping(place: Place) -> list[str]:
    return [line for line in place.left() if line.startswith("sleep 1000")]


def test_escape_ends_the_commands_and_the_prompt_comes_back(screen: Tmux, place: Place) -> None:
    say(screen, "hello")
    screen.type("/hang")
    screen.press("Enter")
    until((place.workspace / "reached").exists)

    screen.press("Escape")
    screen.wait_for("the prompt was not sent")
    screen.wait_for("❯ /hang")

    until(lambda: not sleeping(place))
    assert not (place.workspace / "never").exists()
    assert prompts(place) == ["hello"]


def test_what_they_did_is_taken_back_with_their_prompt(screen: Tmux, place: Place) -> None:
    made: Path = place.workspace / "made.txt"
    say(screen, "hello")
    screen.type("/make one")
    screen.press("Enter")
    screen.wait_for_turn("You said: Look at it.")
    assert made.read_text() == "one\n"

    send(screen, "/rewind", "Go back to before which prompt?")
    pick(screen, "Look at it", "Go back to before which prompt?")
    screen.wait_for("1 file that came to be since is removed: made.txt")
    choose(screen, "b", "Take back 1 prompt")

    until(lambda: not made.exists())
    assert prompts(place) == ["hello"]
