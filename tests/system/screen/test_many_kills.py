"""The screen is killed again and again at random moments; TROUPER_SOAK=1 kills it 50 times, TROUPER_SEED repeats a run.

What must survive each: the draft, what is queued, the open question, the cost; and the terminal is as it was.
"""

import json
import os
import random
import shutil
import time
from collections.abc import Iterator

import pytest

from tests import SOAK
from tests.system.harness import Place, answer, call, until
from tests.system.screen.questions import decide
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
KILLS = 50 if SOAK else 6
LATEST_S = 0.4
BLOCKS = [f"Block {number:02d}: " + "some words that fill the row " * 6 for number in range(40)]
NAMES = [block.split(":")[0] for block in BLOCKS]
COST = {"input_tokens": 900, "output_tokens": 100, "cost_usd": 0.25}
DRAFT = "a draft of mine"


class Killer:
    def __init__(self, tmux: Tmux) -> None:
        self._tmux = tmux
        seed = int(os.environ.get("TROUPER_SEED", str(random.randrange(10**6))))
        print(f"TROUPER_SEED={seed}")
        self._random = random.Random(seed)
        self.kills = 0

    def kill(self) -> None:
        """At some moment soon; then until the next one is there."""
        time.sleep(self._random.uniform(0, LATEST_S))  # that it is any moment is the point
        self._tmux.kill("ui")
        self.kills += 1
        self._tmux.wait(lambda: self._tmux.text.count("the screen was restarted") == self.kills)


@pytest.fixture
def tmux(place: Place) -> Iterator[Tmux]:
    (place.workspace / "a.txt").write_text("one\ntwo\n")
    edit = call("edit", path="a.txt", old="two", new="three")
    text = "\n\n".join(BLOCKS)
    streamed = answer(text, edit, chunks=200, chunk_delay_s=KILLS * 0.01, usage=COST)
    opened = Tmux(place, "--model", place.script(streamed, answer("Both done.", usage=COST)))
    opened.wait_for(" default")
    yield opened
    opened.close()
    until(lambda: place.left() == [])


def test_a_screen_that_is_killed_at_any_moment_loses_nothing(tmux: Tmux, place: Place) -> None:
    killer = Killer(tmux)
    tmux.type("change it")
    tmux.press("Enter")
    tmux.wait_for(NAMES[0])
    tmux.type("also this")
    tmux.press("Enter")
    tmux.wait(lambda: "↳" in tmux.visible)
    tmux.type(DRAFT)
    until(lambda: [json.loads(value)["text"] for value in place.remembered("draft/")] == [DRAFT])

    while killer.kills < KILLS // 2:
        killer.kill()
        tmux.wait(lambda: f"❯ {DRAFT}" in tmux.visible)
        tmux.wait(lambda: "also this" in tmux.visible or "Allow?" in tmux.visible)
    tmux.wait_for("Allow?")
    while killer.kills < KILLS:
        killer.kill()
        tmux.wait(lambda: "Allow?" in tmux.visible and f"❯ {DRAFT}" in tmux.visible)

    tmux.press("C-u")
    decide(tmux, "y", " edit  ")
    tmux.wait_for_turn("Both done.")
    said = [row.split(":")[0] for row in tmux.text.split("\n") if row.startswith("Block ")]
    assert sorted(set(said)) == NAMES
    assert len(said) - len(NAMES) <= killer.kills  # a frame that was written and not noted is written again
    assert tmux.text.count("❯ also this") == 1
    assert (place.workspace / "a.txt").read_text() == "one\nthree\n"
    tmux.wait(lambda: "$0.50" in tmux.visible)
    tmux.press("C-d")
    tmux.check_terminal()
