"""A batch where a disk is full: no task has failed for it, what is full is named, and with space it goes on."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.system.harness import Event, Finished, Place, answer, call
from tests.system.own_mounts import INSIDE, enlarge, run_inside, small
from tests.system.subagents.words import git

pytestmark = pytest.mark.slow
IDS = [f"t{number}" for number in range(6)]
LONG = (answer("", call("write", path="{prompt}.txt", content="so\n")), answer("x" * 300_000))
WAYS = {
    "the journal": ("home", "1500k", "no space left for"),
    "the results": ("out", "400k", "r.jsonl: No space left on device. Free some space."),
    "worktrees": ("home/worktrees", "5m", "no space left for a worktree: "),
}
"""The folder that is small, how small, and what is said of it."""


def results(out: Path) -> list[Event]:
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


def repository(place: Place) -> None:
    """In which each copy takes 3 MB."""
    (place.workspace / "large.txt").write_text("x" * 3_000_000)
    git(place, "init", "-q")
    git(place, "add", "-A")
    git(place, "commit", "-qm", "first")


def batch(place: Place, model: str) -> Finished:
    return place.run(
        "batch", "tasks.jsonl", "--workers", "2", "--mode", "auto", "--model", model, "--out", "out/r.jsonl"
    )


def test_what_could_not_be_left_behind_is_said_and_is_no_success(place: Place) -> None:
    (place.workspace / "tasks.jsonl").write_text('{"id": "a", "prompt": "a"}\n')
    (place.workspace / "left").mkdir()
    (place.workspace / "left" / "a").write_text("no folder")
    command = ("batch", "tasks.jsonl", "--artifacts", "left", "--model", place.script(answer("Done.")))
    first = place.run(*command)
    (place.workspace / "left" / "a").unlink()
    second = place.run(*command)

    assert (first.code, second.code) == (1, 0), first.err
    assert "cannot write what a has left behind" in first.err
    assert "the same command tries again" in first.err
    assert (place.workspace / "left" / "a" / "result.json").exists()


def test_full_disks(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    run_inside(request, tmp_path, test_no_task_has_failed_and_all_go_on_with_space, passed=len(WAYS))


@pytest.mark.skipif(not INSIDE, reason="test_full_disks runs it")
@pytest.mark.parametrize("way", WAYS)
def test_no_task_has_failed_and_all_go_on_with_space(place: Place, way: str) -> None:
    name, size, said = WAYS[way]
    folder = place.workspace.parent / name if name.startswith("home") else place.workspace / name
    (place.workspace / "out").mkdir()
    (place.workspace / "tasks.jsonl").write_text("".join(json.dumps({"id": one, "prompt": one}) + "\n" for one in IDS))
    if way == "worktrees":
        repository(place)
    model = place.script(*LONG)
    with small(folder, size):
        full = batch(place, model)
        before = results(place.workspace / "out" / "r.jsonl")
        enlarge(folder, "100m")
        finished = batch(place, model)
        after = results(place.workspace / "out" / "r.jsonl")
        place.close()

    assert full.code == 1
    assert said in full.err
    assert full.err.rstrip().endswith("Free some space. The same command goes on once it can.")
    assert {result["reason"] for result in before} <= {"done"}
    assert finished.code == 0, finished.err
    assert Counter(result["id"] for result in after) == Counter(IDS)
    assert {result["reason"] for result in after} == {"done"}
