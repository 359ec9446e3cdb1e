"""A week of turns in one session: no process of it grows, nor what an entry takes on disk; times are printed.

The short version has a day of it. `just soak` runs the whole, and there the memory of each actor is held to 10 %: of
the store, the agent, the gate and the workers. The screen and the providers are the test's own here.
"""

import sqlite3
import statistics
import uuid
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from actors.messages.conversation import Compacted
from actors.store.schema import FILE
from tests import SOAK
from tests.fakes.driven_session import ROUNDS
from tests.system.sessions.driver import Driver, driven

pytestmark = pytest.mark.slow
TURNS = 2000 if SOAK else 30
LOOKS = 10
"""How often it is measured, evenly over the turns."""
APPENDS = 100
GROWS_ONCE = {"agent:main": 800 * 1024}
"""Bytes: Python's table of names is made anew once, twice as large, when enough of them have come and gone, and pathlib
has each part of a path in it. In the gate that is before the first look; the others have few paths."""


class Look(NamedTuple):
    memory: dict[str, int]
    """Bytes that each actor has for itself alone."""
    entries: int
    bytes: int
    """Of the database."""
    append_p99_ms: float
    open_ms: float

    def __str__(self) -> str:
        memory = " ".join(f"{name} {size / 1e6:.1f}" for name, size in sorted(self.memory.items()))
        return (
            f"{self.entries:>6} entries, {self.bytes / max(self.entries, 1):5.0f} bytes each, append p99 "
            f"{self.append_p99_ms:.1f} ms, open {self.open_ms:.1f} ms, MB: {memory}"
        )


def size_of(database: Path) -> int:
    """With what is still in its log."""
    with closing(sqlite3.connect(database)) as reader:
        (pages,), (size,) = (
            reader.execute("PRAGMA page_count").fetchone(),
            reader.execute("PRAGMA page_size").fetchone(),
        )
    return int(pages * size)


def look(driver: Driver, home: Path, session: str) -> Look:
    times = driver.do("times", session=session, appends=APPENDS)
    own = ("ui", "providers")  # the test's, not ours
    actors = {name: pid for name, pid in driver.do("actors").items() if name not in own}
    return Look(
        memory={name: psutil.Process(pid).memory_full_info().uss for name, pid in actors.items()},
        entries=driver.do("count", session=session),
        bytes=size_of(home / FILE),
        append_p99_ms=statistics.quantiles(times["appends"], n=100)[98],
        open_ms=statistics.median(times["opened"]),
    )


def grown(one: Look, later: Look) -> float:
    """Bytes of the database for each entry between them."""
    return (later.bytes - one.bytes) / (later.entries - one.entries)


def test_a_long_session_stays_as_it_was(tmp_path: Path) -> None:
    looks: list[Look] = []
    with driven(tmp_path) as driver:
        session = driver.do("session")["session"]
        for turn in range(TURNS):
            driver.do("prompt", id=uuid.uuid4().hex, text=f"{ROUNDS}{turn} {'what is to be done, at length ' * 10}")
            if (turn + 1) % (TURNS // LOOKS) == 0:
                looks.append(look(driver, tmp_path / "home", session))
                print(looks[-1])  # shown by `just soak`
        compactions = sum(isinstance(body, Compacted) for body in driver.path(session))

    print(f"{compactions} compactions")
    assert looks[-1].entries >= 20 * TURNS
    first_half, second_half = (grown(looks[0], looks[LOOKS // 2]), grown(looks[LOOKS // 2], looks[-1]))
    assert second_half < 1.25 * first_half
    if SOAK:
        assert compactions >= 30
        first, last = looks[0].memory, looks[-1].memory
        bounds = {name: 1.1 * size + GROWS_ONCE.get(name, 0) for name, size in first.items()}
        assert {name: size for name, size in last.items() if size > bounds[name]} == {}
