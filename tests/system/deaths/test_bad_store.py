"""A database that is locked, damaged or out of space: said with the next step, nothing lost, nothing overwritten."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.harness import Place, answer, call, transcript
from tests.system.own_mounts import INSIDE, run_inside, small

pytestmark = pytest.mark.slow


def test_a_locked_database_is_named(place: Place) -> None:
    assert place.prompt(place.script()).finish().code == 0
    holder = sqlite3.connect(place.home / "trouper.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")

    refused = place.prompt(place.script()).finish()
    holder.close()

    assert refused.code == 1
    assert "is locked by another program" in refused.err
    assert "Close the program that holds it" in refused.err
    assert place.prompt(place.script()).finish().code == 0


def test_a_damaged_database_is_set_aside_unchanged(place: Place) -> None:
    damaged = b"this is no database " * 1000
    (place.home / "trouper.db").write_bytes(damaged)

    finished = place.prompt(place.script()).finish()

    aside = [path for path in place.home.iterdir() if "damaged" in path.name]
    assert finished.code == 0, finished.err
    assert [path.read_bytes() for path in aside] == [damaged]
    notices = [event["text"] for event in finished.events if event["type"] == "notice"]
    assert [str(aside[0]) in notice for notice in notices] == [True]
    assert "was set aside" in notices[0]


def test_a_database_damaged_in_the_middle_is_set_aside_too(place: Place) -> None:
    model = place.script(answer("x" * 100_000))
    assert place.prompt(model).finish().code == 0
    path = place.home / "trouper.db"
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    whole = path.read_bytes()
    broken = whole[:5000] + bytes(len(whole) - 6000) + whole[-1000:]
    path.write_bytes(broken)

    finished = place.prompt(model).finish()

    aside = [found for found in place.home.iterdir() if ".damaged-" in found.name and found.suffix != "-wal"]
    assert finished.code == 0, finished.err
    assert broken in [found.read_bytes() for found in aside]


@pytest.fixture
def small_home(place: Place) -> Iterator[Path]:
    """Half a megabyte."""
    with small(place.home, "512k"):
        yield place.home
        place.close()


def test_a_full_disk(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    run_inside(request, tmp_path, test_a_full_disk_is_named_and_the_session_goes_on_when_there_is_space)


@pytest.mark.skipif(not INSIDE, reason="test_a_full_disk runs it")
def test_a_full_disk_is_named_and_the_session_goes_on_when_there_is_space(place: Place, small_home: Path) -> None:
    big = place.script(answer("x" * 400_000, call("write", path="a.txt", content="a")), name="big")
    assert place.prompt(place.script()).finish().code == 0
    ballast = small_home / "ballast"
    ballast.write_bytes(bytes(100_000))

    full = place.prompt(big).finish()
    ballast.unlink()
    resumed = place.prompt(place.script(), "-c").finish()

    assert full.code == 1
    assert "no space left" in full.err
    assert "Free some space, then go on with: trouper -c" in full.err
    assert not (place.workspace / "a.txt").exists()
    assert resumed.code == 0, resumed.err
    stored = transcript(place.entries(resumed.events[-1]["session"]))
    assert stored[1] == {"type": "UserMessage", "text": "go on"}
    assert stored[-1]["reason"] == "done"
