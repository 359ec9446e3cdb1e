"""A batch while everything dies, the whole program twice: each task has one result, and nothing is left behind.

TROUPER_SOAK=1 has 200 tasks and 16 workers and tells what it took; that is minutes, and no part of the usual tests.
"""

import contextlib
import json
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import psutil
import pytest

from tests import SOAK
from tests.repositories import git
from tests.system.harness import Event, Place, Session, answer, call, lost, until

pytestmark = pytest.mark.slow
TASKS, WORKERS = (200, 16) if SOAK else (16, 4)
IDS = [f"task-{number}" for number in range(TASKS)]
WORK = (
    answer("I note it.", call("write", path="{prompt}.txt", content="{prompt}\n")),
    answer("", call("bash", command="cat {prompt}.txt; sleep 0.4")),
    answer("It says {result}"),
)
SHARED = ("store", "providers", "gate", "checkpoints", "ui")
KINDS = ("shared", "agent", "worker", "worker in a call", "guardian")
"""Of what is killed, each as often as the others."""


class Victim(NamedTuple):
    kind: str
    name: str
    pid: int


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


def victims(session: Session) -> Iterator[Victim]:
    """All that can be killed now."""
    for name, actor in session.actors().items() if session.running else ():
        if not actor.pid:
            continue
        if name in SHARED:
            yield Victim("shared", name, actor.pid)
        elif name.startswith("agent:"):
            yield Victim("agent", name, actor.pid)
        elif name.startswith("tools:"):
            yield Victim("guardian", name, actor.pid)
            for pid in workers_of(actor.pid):
                yield Victim("worker", name, pid)
                if actor.queue:
                    yield Victim("worker in a call", name, pid)


def workers_of(guardian: int) -> list[int]:
    """The processes of ours below it; what commands have left there is not among them."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return [child.pid for child in psutil.Process(guardian).children() if child.name().startswith("tr:")]
    return []


def kill_one(session: Session, kind: str, random: Random, killed: Counter[tuple[str, str]]) -> None:
    """As soon as there is one of the kind; of what only one task suffers from, each once."""
    found: list[Victim] = []

    def there() -> bool:
        with contextlib.suppress(AssertionError):  # it ended while its tree was asked for
            found[:] = [
                victim
                for victim in victims(session)
                if victim.kind == kind and (kind == "shared" or not killed[kind, victim.name])
            ]
        return bool(found) or not session.running

    until(there)
    if found:
        victim = random.choice(found)
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim.pid, signal.SIGKILL)
            killed[kind, victim.name] += 1


def disturb(place: Place, session: Session, counts: range, random: Random, killed: Counter[tuple[str, str]]) -> None:
    """Kill something each time that so many results are there: of each kind in turn, in any order."""
    kinds = [kind for _ in counts for kind in random.sample(KINDS, len(KINDS))]
    for count, kind in zip(counts, kinds, strict=False):
        until(lambda count=count: len(results(place)) >= count or not session.running)  # type: ignore[misc]
        if session.running:
            kill_one(session, kind, random, killed)


def left_worktrees(place: Place) -> list[str]:
    folder = place.home / "worktrees"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize("seed", [1, 2] if SOAK else [1])
def test_every_task_has_one_result_whatever_is_killed_when(place: Place, seed: int) -> None:
    random, killed, began = Random(seed), Counter[tuple[str, str]](), time.monotonic()
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
    kinds = Counter(kind for kind, _ in killed.elements())
    print(f"{len(got)} results in {time.monotonic() - began:.0f} s; killed {dict(kinds)} and the supervisor twice")
    assert finished.code == 0, finished.err
    assert set(kinds) == set(KINDS)
    assert Counter(result["id"] for result in got) == Counter(IDS)
    assert {result["reason"] for result in got} == {"done"}
    for result in got:
        said = [entry["body"] for entry in place.entries(result["session"])]
        assert f"+{result['id']}\n" in result["patch"] or lost(said), (result, said)
    assert left_worktrees(place) == [], finished.err
    assert place.left() == []
    assert sorted(path.name for path in place.workspace.iterdir()) == [".git", "a.txt"]
