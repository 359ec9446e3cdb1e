"""Killed at any moment: the same again completes it, and no work is lost."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from actors.checkpoints.scan import LEFTOVER
from tests import ROOT
from tests.actors.checkpoints.worktrees.copies import Copies, Editor, files

PROGRAM = """
import sys
from pathlib import Path
from tests.actors.checkpoints.worktrees.copies import Copies
copies = Copies(Path(sys.argv[1]))
print("ready", flush=True)
getattr(copies, sys.argv[2])()
"""
LONGEST_S = 0.25
"""About as long as one of them takes."""
KILLS = 4

pytestmark = pytest.mark.slow


def kill_in_the_middle(copies: Copies, seed: int, what: str) -> None:
    for again in range(KILLS):
        argv = [sys.executable, "-c", PROGRAM, str(copies.home.parent), what]
        with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            try:
                process.wait(random.Random(seed * KILLS + again).uniform(0, LONGEST_S))
            except subprocess.TimeoutExpired:
                process.kill()


def a_large_repository(copies: Copies, seed: int) -> None:
    for number in range(200):
        copies.write(f"d{number % 7}/{number}", f"{seed} {number}\n" * 50)
    copies.begin()


@pytest.mark.parametrize("seed", range(8))
def test_making_is_completed(copies: Copies, seed: int) -> None:
    a_large_repository(copies, seed)
    wanted = files(copies.root)

    kill_in_the_middle(copies, seed, "make")
    made = copies.make()

    assert files(Path(made.top)) == wanted
    assert copies.git("status", "--short", cwd=Path(made.top)) == ""
    assert copies.patch().text == ""
    assert sorted(path.name for path in Path(made.top).parent.iterdir()) == ["git", "lock", "my work", "note", "owner"]


@pytest.mark.parametrize("seed", range(8))
def test_merging_is_whole_for_each_file_and_completed(copies: Copies, seed: int) -> None:
    a_large_repository(copies, seed)
    top = Path(copies.make().top)
    Editor(top, seed).edit(60)
    before, wanted = files(copies.root), files(top)

    kill_in_the_middle(copies, seed, "merge")
    torn = files(copies.root)
    copies.merge()

    halves = {path: now for path, now in torn.items() if not path.rpartition(b"/")[2].startswith(LEFTOVER)}
    assert all(now in (before.get(path), wanted.get(path)) for path, now in halves.items())
    assert files(copies.root) == wanted


@pytest.mark.parametrize("seed", range(12))
def test_removing_is_completed_and_all_is_kept(copies: Copies, seed: int) -> None:
    a_large_repository(copies, seed)
    top = Path(copies.make().top)
    Editor(top, seed).edit(30)
    copies.git("add", "-A", cwd=top)
    copies.git("commit", "-q", "--allow-empty", "-m", "half", cwd=top)
    Editor(top, seed + 100).edit(30)
    wanted = files(top)

    kill_in_the_middle(copies, seed, "remove")
    copies.remove()

    ref = "refs/trouper/work/s.1"
    assert files(copies.kept(ref)) == wanted
    assert "half" in copies.git("log", "--format=%s", ref).splitlines()
    assert copies.git("fsck", "--no-dangling") == ""
    assert copies.keys() == []
    assert not top.parent.exists()
