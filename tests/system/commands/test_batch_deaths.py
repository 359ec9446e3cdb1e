"""A batch while everything dies, the whole program twice: each task has one result, and nothing is left behind.

TROUPER_SOAK=1 has 200 tasks and 16 workers and tells what it took; that is minutes, and no part of the usual tests.
"""

import json
import time
from collections import Counter
from random import Random

import pytest

from tests import SOAK
from tests.repositories import git
from tests.system.harness import Event, Place, Session, answer, call, lost, until

pytestmark = pytest.mark.slow
TASKS, WORKERS = (200, 16) if SOAK else (24, 4)
IDS = [f"task-{number}" for number in range(TASKS)]
WORK = (
    answer("I note it.", call("write", path="{prompt}.txt", content="{prompt}\n")),
    answer("", call("bash", command="cat {prompt}.txt"), delay_s=0.3),
    answer("It says {result}"),
)
OF_TASKS = 0.5
"""Share of the kills that only one task suffers from."""
SHARED = ("store", "providers", "gate", "checkpoints", "ui")


def results(place: Place) -> list[Event]:
    out = place.workspace.parent / "out.jsonl"
    whole = out.read_text().rpartition("\n")[0] if out.exists() else ""
    return [json.loads(line) for line in whole.splitlines()]


def begin(place: Place) -> Session:
    top = place.workspace.parent
    lines = "".join(json.dumps({"id": one, "prompt": one}) + "\n" for one in IDS)
    (top / "tasks.jsonl").write_text(lines)
    common = ("--workers", str(WORKERS), "--out", str(top / "out.jsonl"), "--mode", "auto", "--retries", "5")
    return place.start("batch", str(top / "tasks.jsonl"), *common, "--model", place.script(*WORK))


def kill_some(session: Session, random: Random, killed: Counter[str]) -> None:
    """One of those that all share, an agent or a worker; of the last each once."""
    living = session.actors() if session.running else {}
    own = [name for name in living if name.startswith(("agent:", "tools:")) and name not in killed]
    name = random.choice(own) if own and random.random() < OF_TASKS else random.choice(SHARED)
    session.kill_if_alive(name)
    killed[name] += 1


def disturb(place: Place, session: Session, counts: range, random: Random, killed: Counter[str]) -> None:
    """Kill something each time that so many results are there."""
    for count in counts:
        until(lambda count=count: len(results(place)) >= count or not session.running)  # type: ignore[misc]
        if session.running:
            kill_some(session, random, killed)


def unknown(place: Place, result: Event) -> set[str]:
    """The calls of a task whose outcome nobody knows, for their worker was killed."""
    return lost(entry["body"] for entry in place.entries(result["session"]))


def left_worktrees(place: Place) -> list[str]:
    folder = place.home / "worktrees"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize("seed", [1, 2] if SOAK else [1])
def test_every_task_has_one_result_whatever_is_killed_when(place: Place, seed: int) -> None:
    random, killed, began = Random(seed), Counter[str](), time.monotonic()
    (place.workspace / "a.txt").write_text("a\n")
    git(place.workspace, "init", "-q")
    git(place.workspace, "add", "a.txt")
    git(place.workspace, "commit", "-qm", "one")
    session = begin(place)
    for part in (1, 2):
        disturb(place, session, range((part - 1) * TASKS // 3, part * TASKS // 3), random, killed)
        assert session.kill_supervisor() == []
        session = place.start("batch", "--resume", "latest")
    disturb(place, session, range(2 * TASKS // 3, TASKS - WORKERS), random, killed)
    for count in range(TASKS - WORKERS, TASKS + 1):
        until(lambda count=count: len(results(place)) >= count or not session.running)  # type: ignore[misc]
    finished = session.finish()

    got = results(place)
    kinds = Counter(name.partition(":")[0] for name in killed.elements())
    print(f"{len(got)} results in {time.monotonic() - began:.0f} s; killed {dict(kinds)} and the supervisor twice")
    assert finished.code == 0, finished.err
    assert Counter(result["id"] for result in got) == Counter(IDS)
    assert {result["reason"] for result in got} == {"done"}
    for result in got:
        assert f"+{result['id']}\n" in result["patch"] or unknown(place, result), result
    assert left_worktrees(place) == [], finished.err
    assert place.left() == []
    assert sorted(path.name for path in place.workspace.iterdir()) == [".git", "a.txt"]
