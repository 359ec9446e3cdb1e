"""A hidden file that was somewhere else for a moment is noticed; what happens beside it is not taken for that."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from actors.tools.search.restless_files import TICK_NS, Watched

KEY = "conf/inner/key"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "conf" / "inner").mkdir(parents=True)
    (tmp_path / KEY).write_text("private")
    return tmp_path


def there_and_back(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.with_name("elsewhere").rename(path)


def settled(workspace: Path, *, key: str = KEY) -> Watched:
    """As it is once the clock of file times has moved on."""
    latest = max(path.lstat().st_ctime_ns for path in (workspace, *workspace.rglob("*")))
    while time.time_ns() <= latest + TICK_NS:
        os.sched_yield()
    return Watched([workspace / key], {}, workspace)


MOVES: dict[str, Callable[[Path], object]] = {
    "the file": lambda top: there_and_back(top / KEY),
    "its folder": lambda top: there_and_back(top / "conf" / "inner"),
    "the folder around that": lambda top: there_and_back(top / "conf"),
    "it is gone": lambda top: (top / KEY).unlink(),
}


@pytest.mark.parametrize("move", MOVES)
def test_what_moves_there_and_back_is_noticed(workspace: Path, move: str) -> None:
    watched = settled(workspace)

    MOVES[move](workspace)

    assert watched.have_moved()


def test_one_that_moves_in_the_moment_in_which_it_is_looked_at_counts_as_moving(workspace: Path) -> None:
    watched = None
    while watched is None:  # a busy machine may need longer than the moment, and the clock of file times lags behind
        began = time.time_ns()
        there_and_back(workspace / "conf")
        looked = Watched([workspace / KEY], {}, workspace)
        watched = looked if time.time_ns() - began < TICK_NS // 2 else None

    assert watched.have_moved()


BESIDE: dict[str, Callable[[Path], object]] = {
    "files in the workspace": lambda top: (top / "made").write_text("x"),
    "files in its folder": lambda top: (top / "conf" / "inner" / "made").write_text("x"),
    "folders that hold nothing hidden": lambda top: ((top / "other").mkdir(), there_and_back(top / "other")),
}


@pytest.mark.parametrize("change", BESIDE)
def test_what_happens_beside_it_is_none_of_that(workspace: Path, change: str) -> None:
    watched = settled(workspace)

    BESIDE[change](workspace)

    assert not watched.have_moved()


def test_one_that_is_not_there_and_never_comes_stands_still(workspace: Path) -> None:
    assert not settled(workspace, key="none/key").have_moved()


def test_one_that_is_not_any_more_where_it_was_counts_as_moving(workspace: Path) -> None:
    info = (workspace / KEY).lstat()
    (workspace / KEY).rename(workspace / "elsewhere")

    for there in ("elsewhere", KEY):
        held = {workspace / there: (info.st_dev, info.st_ino)}
        settled(workspace)
        assert Watched([], held, workspace).have_moved() == (there == KEY)
