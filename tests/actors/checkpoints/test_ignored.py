"""What git leaves out is asked for again when what says so has changed, and only then are new files judged by it."""

import os
import time
from collections.abc import Callable

import pytest

from actors.checkpoints.known_files import TICK_NS
from tests.actors.checkpoints.places import Place

IGNORES: dict[str, Callable[[Place], object]] = {
    "the list at the top": lambda place: place.write(".gitignore", "*.log\n"),
    "a list in its folder": lambda place: place.write("logs/.gitignore", "a.log\n"),
    "a list that ignores itself": lambda place: place.write("logs/.gitignore", "*\n"),
    "the repository's own list": lambda place: place.write(".git/info/exclude", "*.log\n"),
    "the user's own list": lambda place: place.write("../user/.config/git/ignore", "*.log\n"),
}


@pytest.fixture
def place(place: Place) -> Place:
    """With a log, which was recorded twice: nothing is new at the second time."""
    place.git("init", "-q")
    place.write(".gitignore", "*.tmp\n")
    place.write("logs/a.log")
    place.write("logs/.gitignore", "*.tmp\n")
    place.take("t1")
    written = time.time_ns()
    while time.time_ns() <= written + TICK_NS:
        os.sched_yield()  # until what was written cannot change any more and look the same
    place.take("t2")
    return place


@pytest.mark.parametrize("change", IGNORES)
def test_a_file_is_ignored_from_then_on(place: Place, change: str) -> None:
    IGNORES[change](place)
    checkpoint = place.take("t3")
    (place.root / "logs" / "a.log").unlink()

    place.restore(checkpoint)

    assert not (place.root / "logs" / "a.log").exists()


def test_a_file_that_is_not_ignored_any_more_comes_back(place: Place) -> None:
    place.write("logs/b.tmp")
    place.take("t3")
    place.write("logs/.gitignore", "")
    place.write(".gitignore", "")
    checkpoint = place.take("t4")
    (place.root / "logs" / "b.tmp").unlink()

    place.restore(checkpoint)

    assert (place.root / "logs" / "b.tmp").exists()


def test_an_ignored_file_that_git_is_told_of_comes_back(place: Place) -> None:
    place.write("logs/b.tmp")
    place.take("t3")
    place.git("add", "-f", "logs/b.tmp")
    checkpoint = place.take("t4")
    (place.root / "logs" / "b.tmp").unlink()

    place.restore(checkpoint)

    assert (place.root / "logs" / "b.tmp").exists()


def test_a_new_file_is_judged_by_what_held_before(place: Place) -> None:
    for name in ("c.tmp", "c.log"):
        place.write(name)
    checkpoint = place.take("t3")
    for name in ("c.tmp", "c.log"):
        (place.root / name).unlink()

    place.restore(checkpoint)

    assert [name for name in ("c.tmp", "c.log") if (place.root / name).exists()] == ["c.log"]
