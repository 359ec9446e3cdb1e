"""A terminal of 20 columns, played through."""

import shutil
from collections.abc import Iterator

import pytest

from tests.system.harness import Place, answer, call, until
from tests.system.screen.questions import decide
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
EDIT = answer("I change it.", call("edit", path="a.txt", old="two", new="three"))
UNREAD = ("go on", "more:", "not yet")
"""What a question says while not all of it was on the screen."""


@pytest.fixture
def tmux(place: Place) -> Iterator[Tmux]:
    (place.workspace / "a.txt").write_text("one\ntwo\n")
    script = place.script(EDIT, answer("All **done**, as you wished it."))
    opened = Tmux(place, "--model", script, width=20, height=20)
    opened.wait_for(" default")
    yield opened
    opened.close()
    until(lambda: place.left() == [])


def test_all_of_a_session_works_in_20_columns_and_at_80_and_back(tmux: Tmux, place: Place) -> None:
    tmux.type("/mo")
    tmux.wait(lambda: "▸ /mo" in tmux.visible)
    tmux.press("Escape")
    tmux.wait(lambda: "▸" not in tmux.visible)
    tmux.press("C-u")
    tmux.type("change the second line")
    tmux.wait(lambda: "❯ change the" in tmux.visible and "  second line" in tmux.visible)
    tmux.press("Enter")
    tmux.wait(lambda: "Allow?" in tmux.visible)
    tmux.press_until(lambda: not any(words in tmux.visible for words in UNREAD), "PageDown")
    decide(tmux, "y")
    tmux.wait_for_turn("All done, as you")

    tmux.press("C-u")
    tmux.press("C-o")
    tmux.wait(lambda: "q close" in tmux.visible and "◆ Answer" in tmux.visible)
    tmux.press("q")
    tmux.wait(lambda: " default" in tmux.visible)
    tmux.type("a draft that goes over rows")
    for width in (80, 20):
        tmux.resize(width, 20)
        tmux.wait(lambda width=width: rules(tmux, width) == 2 and composers(tmux) == 1)  # type: ignore[misc]

    assert (place.workspace / "a.txt").read_text() == "one\nthree\n"
    assert "❯ a draft that\n  goes over rows\n" in tmux.visible
    assert all(len(row.rstrip()) <= 20 for row in tmux.visible.split("\n"))
    tmux.press("C-u", "C-d")
    tmux.check_terminal()


def rules(tmux: Tmux, width: int) -> int:
    return [row.rstrip() for row in tmux.visible.split("\n")].count("─" * width)


def composers(tmux: Tmux) -> int:
    """Rows that one types into."""
    return sum(row.startswith("❯") for row in tmux.visible.split("\n"))
