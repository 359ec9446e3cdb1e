"""/context and /compact in tmux before the real agent: shown, stopped by Esc, and nothing lost."""

import shutil

import pytest

from tests.system.harness import Place, answer
from tests.system.screen.test_places import Start, prompts, say, send, start

__all__ = ["start"]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
SHORT = answer("You said: first.")
"""To the first prompt, and as a summary: it is asked for as a conversation that nobody has answered yet."""
LONG = answer("You said: {prompt}." + " And more of it." * 200)
NEVER = answer("Long.", delay_s=1000.0)


def test_the_window_is_shown_and_less_is_sent_from_then_on(start: Start, place: Place) -> None:
    tmux = start(SHORT, *[LONG] * 9)
    for text in ("first", "second", "third"):
        say(tmux, text)

    send(tmux, "/context", "in tokens", "for the next request", "system prompt", "messages")
    send(tmux, "/compact keep the first word", "compacted: ")

    say(tmux, "fourth")
    assert prompts(place) == ["first", "second", "third", "fourth"]
    assert all(tmux.text.count(f"❯ {text}") == 1 for text in ("first", "second", "third", "fourth"))


def test_what_has_nothing_to_sum_up_says_so(start: Start) -> None:
    tmux = start()

    send(tmux, "/compact", "there is nothing to sum up yet")

    tmux.wait(lambda: "Compacting" not in tmux.visible)
    say(tmux, "first")


def test_a_summary_that_would_be_longer_than_what_was_said_is_not_made(start: Start, place: Place) -> None:
    tmux = start()
    for text in ("first", "second", "third"):
        say(tmux, text)

    send(tmux, "/compact heed the order", "nothing would be gained")

    say(tmux, "fourth")
    assert "compacted: " not in tmux.text
    assert prompts(place) == ["first", "second", "third", "fourth"]


def test_escape_stops_a_compaction_and_nothing_has_changed(start: Start, place: Place) -> None:
    tmux = start(SHORT, *[LONG] * 9)
    for text in ("first", "second", "third"):
        say(tmux, text)
    place.script(NEVER, *[LONG] * 9)

    send(tmux, "/compact")
    tmux.wait(lambda: "Compacting" in tmux.visible and "esc stops" in tmux.visible)
    tmux.press("Escape")

    tmux.wait_for("compaction stopped: the session is as it was")
    tmux.wait(lambda: "Compacting" not in tmux.visible)
    say(tmux, "fourth")
    assert prompts(place) == ["first", "second", "third", "fourth"]
    assert "compacted: " not in tmux.text
