"""`trouper review` on a terminal: the report for people, and which findings are to be fixed."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.repositories import git
from tests.system.harness import Event, Place, until
from tests.system.review.changed import DIVIDES, UNTESTED, begin, case, edits, finding, model, says
from tests.system.screen.tmux import Tmux

pytestmark = pytest.mark.slow
QUESTION = "[y/n/a/q]"
MENDS = case(UNTESTED, *edits("count.py", "line five", "line 5"))


@contextmanager
def asked(place: Place, *cases: Event) -> Iterator[Tmux]:
    """With the first question on it."""
    screen = Tmux(place, "review", "--model", model(place, *cases), "--fix", width=120)
    try:
        screen.wait_for(QUESTION)
        yield screen
    finally:
        screen.close()
        until(lambda: place.left() == [])  # tmux ends a moment after it has said so


def reply(screen: Tmux, word: str) -> None:
    screen.type(word)
    screen.press("Enter")


def test_each_finding_is_asked_about_and_what_is_accepted_is_fixed(place: Place) -> None:
    root = begin(place)
    with asked(place, MENDS) as screen:
        screen.wait_for(f"1. high: {DIVIDES} (divide.py:2) {QUESTION}")
        report = screen.text
        reply(screen, "maybe")
        screen.wait(lambda: screen.text.count("y: fix it, n: leave it") == 2)
        reply(screen, "n")
        screen.wait_for(f"2. low: {UNTESTED} (count.py:5) {QUESTION}")
        reply(screen, "y")
        screen.wait_for("ended with 0")

    assert f"## 2. low: {UNTESTED}" in report
    assert "<!--" not in report
    branch = git(root, "for-each-ref", "--format=%(refname:short)", "refs/heads/trouper")
    assert git(root, "log", "--format=%s", f"HEAD..{branch}").split("\n")[0] == UNTESTED


def test_what_a_finding_says_cannot_steer_the_terminal_or_pass_for_a_question_of_ours(place: Place) -> None:
    begin(place)
    title = f"Evil \x1b[2J\x1b]0;stolen\x07\n9. low: fine {QUESTION} y\u202e"
    with asked(place, case('path="divide.py"', says(finding(title, "divide.py", 2, "    return x / 0")))) as screen:
        text, named = screen.text, screen.title
        reply(screen, "q")
        screen.wait_for("ended with 0")

    assert "stolen" not in named
    assert "# Review of what is not committed" in text
    assert all("high: Evil" in row or "| high | Evil" in row for row in text.split("\n") if "9. low" in row)
