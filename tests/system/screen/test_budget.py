"""A session at its limit, in tmux: the turn stops, /budget says where it stands, and with more it goes on."""

import shutil

import pytest

from tests.system.harness import Place, answer, call, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
PAID = {"cost_usd": 1.0}


def enter(tmux: Tmux, text: str) -> None:
    tmux.type(text)
    tmux.press("Enter")


def test_a_turn_that_stopped_at_the_limit_goes_on_with_more(place: Place) -> None:
    model = place.script(answer("I look.", call("list", path="."), usage=PAID), answer("All is seen.", usage=PAID))
    tmux = Tmux(place, "--model", model, "--mode", "auto", "--max-cost", "1")

    try:
        tmux.wait_for(" auto: ")
        enter(tmux, "begin")
        tmux.wait_for("/budget +")
        assert "All is seen." not in tmux.text
        enter(tmux, "/budget")
        tmux.wait_for("$1.00 spent of $1.00")
        enter(tmux, "/budget +5")
        tmux.wait_for("$1.00 spent of $6.00")
        enter(tmux, "go on")

        tmux.wait_for("All is seen.")
    finally:
        tmux.close()
    until(lambda: place.left() == [])
