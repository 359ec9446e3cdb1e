"""What killed programs have left running is ended, and nothing else, whatever numbers processes have by now."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from actors.common.folders.left_commands import MARK, SUFFIX, begin
from supervisor.process.leftovers import sweep
from tests import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it was never tried")
DEAD = "0123456789abcdef"
SWEEP = """
import sys, trio
from pathlib import Path
from supervisor.process.leftovers import sweep
trio.run(sweep, Path(sys.argv[1]), print)
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "run").mkdir()
    return tmp_path


@pytest.fixture
def started() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def sleeping(started: ExitStack, mark: str) -> subprocess.Popen[bytes]:
    """It has left the session of whoever started it, and runs by the time that this returns."""
    process = subprocess.Popen(["sleep", "300"], env={**os.environ, MARK: mark}, start_new_session=True)
    started.callback(process.wait)
    started.callback(process.kill)
    return process


def dead_worker(home: Path) -> Path:
    """Its file, as a kill leaves it."""
    path = home / "run" / f"{DEAD}{SUFFIX}"
    path.touch()
    return path


async def test_what_carries_the_mark_of_a_killed_worker_is_ended_and_told(home: Path, started: ExitStack) -> None:
    told: list[tuple[str, int]] = []
    file = dead_worker(home)
    left = [sleeping(started, f"{DEAD}-{call}") for call in "ab"]

    await sweep(home, lambda *ended: told.append(ended))

    assert [process.wait() for process in left] == [-9, -9]
    assert not file.exists()
    assert told == [(DEAD, 2)]


@pytest.mark.parametrize("mark", ["", "-call", "fedcba9876543210-call", f"{DEAD}", f"x{DEAD}-call", f"x={DEAD}-call"])
async def test_whose_number_or_variable_only_looks_like_it_is_spared(home: Path, started: ExitStack, mark: str) -> None:
    told: list[tuple[str, int]] = []
    file = dead_worker(home)
    other = sleeping(started, mark)
    file.write_text(str(other.pid))  # a number that was given out anew counts for nothing

    await sweep(home, lambda *ended: told.append(ended))

    assert other.poll() is None
    assert not file.exists()
    assert told == []


async def test_what_belongs_to_a_worker_that_lives_is_spared(home: Path, started: ExitStack) -> None:
    told: list[tuple[str, int]] = []
    file, _lock = begin(home)
    own = sleeping(started, f"{file.stem}-call")

    await sweep(home, lambda *ended: told.append(ended))

    assert own.poll() is None
    assert file.exists()
    assert told == []


def test_who_is_itself_among_what_was_left_ends_nothing_of_it(home: Path, started: ExitStack) -> None:
    file = dead_worker(home)
    other = sleeping(started, f"{DEAD}-call")

    subprocess.run(
        [sys.executable, "-c", SWEEP, str(home)],
        env={**os.environ, MARK: f"{DEAD}-call", "PYTHONPATH": str(ROOT)},
        check=True,
    )

    assert other.poll() is None
    assert file.exists()


async def test_without_a_folder_there_is_nothing_to_do(tmp_path: Path) -> None:
    told: list[tuple[str, int]] = []

    await sweep(tmp_path, lambda *ended: told.append(ended))

    assert told == []
