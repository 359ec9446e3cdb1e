"""An answer that is written to hang the screen: every language that can be coloured, with lines that lexers dislike."""

import time
from collections.abc import Iterator

from pygments.lexers import get_all_lexers

from tests.bench.bench import Bench
from tests.bench.figures import Figure
from tests.ui.screen import golden
from tests.ui.screen.test_hostile import EVILS, frames
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.blocks import ModelSaid
from ui.screen.transcript.markdown import MarkdownStream

LINE = 1990
UNITS = (" ", '"', "'", "(", "[", "{", "\\", "<", "a ", "#")
"""Of which a line is made."""


def colouring(_bench: Bench, runs: int) -> list[Figure]:
    languages = [aliases[0] for _, aliases, _, _ in get_all_lexers() if aliases]
    worst, whole = [], []
    for _ in range(runs):
        times = [
            _rows(f"```{language}\n" + f"{unit * LINE}"[:LINE] + "\n```\n") for language in languages for unit in UNITS
        ]
        worst.append(max(times) * 1000)
        whole.append(sum(times))
    return [
        Figure(
            what=f"a line of {LINE} characters in the worst of {len(languages)} languages",
            unit="ms",
            values=worst,
            target=200.0,
        ),
        Figure(what=f"{len(languages) * len(UNITS)} such lines: CPU", unit="s", values=whole, target=10.0),
    ]


def drawing(_bench: Bench, runs: int) -> list[Figure]:
    """Each stored screen with all its texts hostile."""
    took = [ms for _ in range(runs) for evil in EVILS for name in golden.SCENES for ms in _frames(name, evil)]
    return [Figure(what=f"the longest of {len(took)} hostile frames", unit="ms", values=[max(took)], target=100)]


def _frames(name: str, evil: str) -> Iterator[float]:
    """CPU milliseconds of each, with what it took to hear of it."""
    drawn = frames(name, evil, 80)
    while True:
        began = time.thread_time()
        if next(drawn, None) is None:
            return
        yield (time.thread_time() - began) * 1000


def _rows(answer: str) -> float:
    """CPU seconds; what was imported for its language is not counted."""
    MarkdownStream().feed(answer.split("\n")[0] + "\nx\n")
    began = time.thread_time()
    for chunk in MarkdownStream().feed(answer):
        ModelSaid(chunk, gap=False).rows(80, Theme(colour=True))
    return time.thread_time() - began
