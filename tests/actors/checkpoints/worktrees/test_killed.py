"""Killed at any moment: the same again completes it, and no work is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.checkpoints.scan import LEFTOVER
from tests.actors.checkpoints.killing import Forks, forks
from tests.actors.checkpoints.worktrees.copies import Copies, Editor, files

LONGEST_S = 0.25
"""About as long as one of them takes."""
KILLS = 4

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def program() -> Iterator[Forks]:
    with forks(__name__, act.__name__) as program:
        yield program


def act(folder: str, what: str) -> None:
    getattr(Copies(Path(folder)), what)()


def kill_in_the_middle(program: Forks, copies: Copies, seed: int, what: str) -> None:
    for again in range(KILLS):
        program.killed(seed * KILLS + again, LONGEST_S, copies.home.parent, what)


def a_large_repository(copies: Copies, seed: int) -> None:
    for number in range(200):
        copies.write(f"d{number % 7}/{number}", f"{seed} {number}\n" * 50)
    copies.begin()


@pytest.mark.parametrize("seed", range(8))
def test_making_is_completed(program: Forks, copies: Copies, seed: int) -> None:
    a_large_repository(copies, seed)
    wanted = files(copies.root)

    kill_in_the_middle(program, copies, seed, "make")
    program.wait_for_the_rest()
    made = copies.make()

    assert files(Path(made.top)) == wanted
    assert copies.git("status", "--short", cwd=Path(made.top)) == ""
    assert copies.patch().text == ""
    assert sorted(path.name for path in Path(made.top).parent.iterdir()) == ["git", "lock", "my work", "note", "owner"]


def test_what_a_git_that_lost_its_parent_went_on_making_is_gone_the_next_time(copies: Copies) -> None:
    copies.write("a", "x\n")
    copies.begin()
    made = copies.make()
    late = Path(made.top).parent / "making-late"
    (late / "git").mkdir(parents=True)

    again = copies.make()

    assert again.top == made.top
    assert not late.exists()


@pytest.mark.parametrize("seed", range(8))
def test_merging_is_whole_for_each_file_and_completed(program: Forks, copies: Copies, seed: int) -> None:
    a_large_repository(copies, seed)
    top = Path(copies.make().top)
    Editor(top, seed).edit(60)
    before, wanted = files(copies.root), files(top)

    kill_in_the_middle(program, copies, seed, "merge")
    torn = files(copies.root)
    copies.merge()

    halves = {path: now for path, now in torn.items() if not path.rpartition(b"/")[2].startswith(LEFTOVER)}
    assert all(now in (before.get(path), wanted.get(path)) for path, now in halves.items())
    assert files(copies.root) == wanted


@pytest.mark.parametrize("seed", range(12))
def test_removing_is_completed_and_all_is_kept(program: Forks, copies: Copies, seed: int) -> None:
    a_large_repository(copies, seed)
    top = Path(copies.make().top)
    Editor(top, seed).edit(30)
    copies.git("add", "-A", cwd=top)
    copies.git("commit", "-q", "--allow-empty", "-m", "half", cwd=top)
    Editor(top, seed + 100).edit(30)
    wanted = files(top)

    kill_in_the_middle(program, copies, seed, "remove")
    copies.remove()

    ref = "refs/trouper/work/s.1"
    assert files(copies.kept(ref)) == wanted
    assert "half" in copies.git("log", "--format=%s", ref).splitlines()
    assert copies.git("fsck", "--no-dangling") == ""
    assert copies.keys() == []
    assert not top.parent.exists()
