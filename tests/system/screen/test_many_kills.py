"""The screen is killed again and again at random moments; TROUPER_SOAK=1 kills it 50 times, TROUPER_SEED repeats a run.

What must survive each: the draft, what is queued, the open question, the cost; and the terminal is as it was. With
`-s` it says how long it took after each until the draft, and what waits for the user, were there again.
"""

import json
import os
import random
import shutil
import statistics
import time
from collections.abc import Callable, Iterator

import pytest

from supervisor import restarts
from tests import SOAK
from tests.system.harness import Place, answer, call, kill, until
from tests.system.screen.questions import decide
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
ROUNDS, KILLS = (5, 5) if SOAK else (1, 3)
"""Turns, and kills in each while it streams and as many while a question is open: more than 7 give the question up."""
SOON_S = (10.0, 10.8) if SOAK else (0.0, 0.4)
"""More than ten within 30 s would end the session."""
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
        self.usable_s: list[float] = []
        """One for each kill: until the next screen could be used."""
        self.at_once_s: list[float] = []
        """The same of those after which the supervisor did not wait before it began the next life."""
        self._deaths: list[float] = []

    def kill(self, usable: Callable[[], bool]) -> None:
        """At some moment soon; then until the next one is there and can be used."""
        time.sleep(self._random.uniform(*SOON_S))  # that it is any moment is the point
        screen = self._tmux.pid("ui")
        killed_at = time.monotonic()
        kill(screen)
        kills = len(self.usable_s) + 1
        self._tmux.wait(lambda: self._tmux.text.count("the screen was restarted") == kills)
        self._tmux.wait(usable)
        self.usable_s.append(time.monotonic() - killed_at)
        self._deaths.append(killed_at)
        if not restarts.restart_delay(self._deaths, killed_at, 0.0):
            self.at_once_s.append(self.usable_s[-1])
        print(f"kill {kills}: usable after {self.usable_s[-1]:.2f} s")

    def report(self) -> None:
        """After the first kills of 30 s the supervisor starts the next life later and later."""
        for which, took in (("answered at once", self.at_once_s), ("all", self.usable_s)):
            facts = f"{statistics.median(took):.2f} s (median), {max(took):.2f} s (worst)"
            print(f"{len(took)} kills, {which}: usable after {facts}; target 0.5 s")


@pytest.fixture
def tmux(place: Place) -> Iterator[Tmux]:
    text = "\n\n".join(BLOCKS)
    script = []
    for number in range(ROUNDS):
        (place.workspace / f"{number}.txt").write_text("one\ntwo\n")
        edit = call("edit", path=f"{number}.txt", old="two", new="three")
        script.append(answer(text, edit, chunks=200, chunk_delay_s=0.35 if SOAK else 0.01, usage=COST))
        script.append(answer(f"Done with {number}.", usage=COST))
    opened = Tmux(place, "--model", place.script(*script))
    opened.wait_for(" default")
    yield opened
    opened.close()
    until(lambda: place.left() == [])


def test_a_screen_that_is_killed_at_any_moment_loses_nothing(tmux: Tmux, place: Place) -> None:
    killer = Killer(tmux)

    for number in range(ROUNDS):
        tmux.type(f"change {number}")
        tmux.press("Enter")
        tmux.wait(lambda number=number: tmux.text.count(NAMES[0]) > number)  # type: ignore[misc]
        tmux.type(f"also {number}")
        tmux.press("Enter")
        tmux.wait(lambda: "↳" in tmux.visible)
        tmux.type(DRAFT)
        until(lambda: DRAFT in [json.loads(value)["text"] for value in place.remembered("draft/")])
        for _ in range(KILLS):
            killer.kill(lambda number=number: drafted(tmux) and waits(tmux, f"also {number}"))  # type: ignore[misc]
        tmux.wait_for("Allow?")
        for _ in range(KILLS):
            killer.kill(lambda: drafted(tmux) and "Allow?" in tmux.visible)
        tmux.press("C-u")
        decide(tmux, "y", " edit  ")
        tmux.wait_for_turn(f"Done with {number}.")
        tmux.wait(lambda number=number: f"${0.5 * (number + 1):.2f}" in tmux.visible)  # type: ignore[misc]
        assert tmux.text.count(f"❯ also {number}") == 1
        assert (place.workspace / f"{number}.txt").read_text() == "one\nthree\n"

    said = [row.split(":")[0] for row in tmux.text.split("\n") if row.startswith("Block ")]
    assert sorted(set(said)) == NAMES
    assert len(said) - ROUNDS * len(NAMES) <= len(
        killer.usable_s
    )  # a frame that was written and not noted is written again
    tmux.press("C-d")
    tmux.check_terminal()
    killer.report()


def drafted(tmux: Tmux) -> bool:
    return f"❯ {DRAFT}" in tmux.visible


def waits(tmux: Tmux, text: str) -> bool:
    """It is queued still, or the turn has come to its question."""
    return text in tmux.visible or "Allow?" in tmux.visible
