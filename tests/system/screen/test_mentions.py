"""What a prompt names with an @, in tmux: told below the prompt, refused, asked about, stopped by Esc."""

import json
import shutil
from collections.abc import Iterator

import pytest

from tests.system.harness import Place, answer, until
from tests.system.screen.test_places import prompts
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
NOT_SENT = ("cannot be read: denied by you", "the prompt was not sent")
"""Esc is a no, or ends the reading before the question listens."""
ECHO = answer("You said: {prompt}.")


@pytest.fixture
def screen(place: Place) -> Iterator[Tmux]:
    (place.workspace / "src").mkdir()
    (place.workspace / "src" / "a.py").write_text("".join(f"row {number}\n" for number in range(1, 51)))
    (place.workspace / ".env").write_text("TOKEN=secret-of-the-house\n")
    (place.workspace.parent / "outside.md").write_text("of the outside\n")
    tmux = Tmux(place, "--model", place.script(*[ECHO] * 9), "--deny", "Read(.env)")
    tmux.wait_for(" default")
    yield tmux
    tmux.close()
    until(lambda: place.left() == [])


def send(tmux: Tmux, text: str) -> None:
    tmux.type(f"{text} ")  # the blank closes the list of files
    tmux.press("Enter")


def test_lines_of_a_file_go_along_and_a_denied_file_gives_the_draft_back(screen: Tmux, place: Place) -> None:
    send(screen, "see @src/a.py:10-20")
    screen.wait_for("[src/a.py 10–20, 11 lines]")
    screen.wait_for("row 20")

    send(screen, "see @.env now")
    screen.wait_for("@.env cannot be read: ")
    screen.wait_for("❯ see @.env now")

    assert "secret-of-the-house" not in screen.text
    assert prompts(place) == ["see @src/a.py:10-20"]


def test_a_file_outside_is_asked_about_and_a_no_gives_the_draft_back(screen: Tmux, place: Place) -> None:
    send(screen, "see @../outside.md there")
    screen.wait_for("Allow?")
    screen.press_until(lambda: any(words in screen.visible for words in NOT_SENT), "Escape")
    screen.wait_for("❯ see @../outside.md there")

    screen.press("C-u")
    send(screen, "and @nowhere/b.py then")
    screen.wait_for("there is no file @nowhere/b.py: it went as text")
    screen.wait_for("You said: and @nowhere/b.py then.")

    assert prompts(place) == ["and @nowhere/b.py then"]


def test_an_earlier_session_is_chosen_and_what_it_was_about_goes_along(screen: Tmux, place: Place) -> None:
    place.run(
        "-p", "keep the totals in cents", "--model", place.script(answer("They are kept in cents."), name="other")
    )
    [earlier] = json.loads(place.run("sessions", "list", "--json").out)
    screen.type("go on as in #")
    screen.wait_for("keep the totals in cents")
    screen.type("cents")
    screen.wait_for("▸ keep the totals in cents")

    screen.press("Enter")
    screen.wait(lambda: "▸" not in screen.visible)
    until(lambda: f"as in #{earlier['session_id'][:8]}" in "".join(place.remembered("draft/")))
    screen.kill("ui")
    screen.wait_for("the screen was restarted")
    screen.wait_for("❯ go on as in #")
    screen.press("Enter")

    screen.wait_for_turn("They are kept in cents.")
    screen.wait_for(f"[#{earlier['session_id'][:8]}")
    assert prompts(place)[-1].startswith("go on as in #")


def test_a_session_that_was_deleted_meanwhile_gives_the_draft_back(screen: Tmux, place: Place) -> None:
    place.run(
        "-p", "keep the totals in cents", "--model", place.script(answer("They are kept in cents."), name="other")
    )
    [earlier] = json.loads(place.run("sessions", "list", "--json").out)
    name = f"#{earlier['session_id'][:12]}"
    screen.type(f"go on as in {name} ")
    screen.wait_for(f"❯ go on as in {name}")

    place.run("sessions", "delete", earlier["session_id"], "--yes")
    screen.press("Enter")

    screen.wait_for("cannot go along: session")
    screen.wait_for(f"❯ go on as in {name}")
    assert json.loads(place.run("sessions", "list", "--json").out) == []
