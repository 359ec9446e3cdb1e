"""Many tasks at once: every one gets its own result, once, whoever is killed meanwhile."""

import json
import signal
from collections import Counter
from random import Random

import psutil
import pytest

from supervisor.tree import SUBAGENTS_IN_ALL
from tests import SOAK
from tests.system.harness import OF_A_DEATH, Event, Finished, Place, Session, answer, call, lost, until
from tests.system.subagents.words import case, spawn

pytestmark = pytest.mark.slow
NOTE = call("write", path="{prompt}.txt", content="{prompt}\n")
RAN = "echo {prompt} >> {prompt}.ran"
COUNT = call("bash", command=RAN)
GATED = call("bash", command=f"while ! test -e go; do sleep 0.1; done; {RAN}")
"""Not before the test makes the file `go`."""
READ = call("read", path="{prompt}.txt")
WORK = (answer("I note it.", NOTE, COUNT), answer("", READ), answer("It says {result}"))
EFFECTS = {"call_0_0": "txt", "call_0_1": "ran"}
"""The suffix of the file that each call writes."""
IDS = [f"task-{number}" for number in range(32)]
FEW, FEW_WORKERS = IDS[:12], 4
"""Where nothing follows from there being many."""


def start(place: Place, model: str, tasks: list[Event], workers: int, **environment: str) -> Session:
    lines = "".join(json.dumps(task) + "\n" for task in tasks)
    (place.workspace / "tasks.jsonl").write_text(lines)
    common = ("--workers", str(workers), "--out", "out.jsonl", "--model", model, "--mode", "auto")
    return place.start("batch", "tasks.jsonl", *common, **environment)


def results(place: Place) -> list[Event]:
    whole, _, _being_written = (place.workspace / "out.jsonl").read_text().rpartition("\n")
    return [json.loads(line) for line in whole.splitlines()]


def tasks(ids: list[str]) -> list[Event]:
    return [{"id": task_id, "prompt": task_id} for task_id in ids]


def check_all_done(place: Place, finished: Finished, ids: list[str]) -> None:
    """Every task once, and what it was to write is written: all but that of a call whose outcome is unknown."""
    got = results(place)
    assert finished.code == 0, finished.err
    assert Counter(result["id"] for result in got) == Counter(ids)
    assert {result["reason"] for result in got} == {"done"}
    for result in got:
        without = without_effect(place, result)
        assert without <= (unknown(place, result) if without else set()), result


def without_effect(place: Place, result: Event) -> set[str]:
    """The calls of a task that have not done what they were to do. A file that holds anything else fails."""
    task_id = result["id"]
    without = set()
    for call_id, suffix in EFFECTS.items():
        path = place.workspace / f"{task_id}.{suffix}"
        if path.exists():
            assert set(path.read_text().splitlines()) == {task_id}
        else:
            without.add(call_id)
    said = result["answer"].partition(OF_A_DEATH)[0]
    return without if said.endswith(f"1\t{task_id}") else {*without, "call_1_0"}


def unknown(place: Place, result: Event) -> set[str]:
    """The calls of a task whose outcome is unknown; a read of what was not written has none either."""
    calls = lost(entry["body"] for entry in place.entries(result["session"]))
    return {*calls, "call_1_0"} if "call_0_0" in calls else calls


def faults(random: Random) -> str:
    """Some agents and workers die once or twice, what they share dies twice, each at a moment of its own."""
    rules = []
    for task_id in random.sample(IDS, 16):
        kind = random.choice(("agent", "tools"))
        most = 12 if kind == "agent" else 3
        rules += [f"{kind}:{task_id.encode().hex()}:kill@message:{random.randint(1, most)}"] * random.randint(1, 2)
    for shared, most in (("store", 60), ("providers", 20), ("gate", 40), ("ui", 60)):
        rules += [f"{shared}:kill@message:{random.randint(1, most)}" for _ in range(2)]
    return ",".join(rules)


@pytest.mark.parametrize("seed", [1, 2] if SOAK else [1])
def test_thirty_two_tasks_are_done_once_each_while_everything_dies(place: Place, seed: int) -> None:
    session = start(place, place.script(*WORK), tasks(IDS), 8, TROUPER_CHAOS=faults(Random(seed)))

    check_all_done(place, session.finish(), IDS)
    assert all(len(path.read_text().splitlines()) == 1 for path in place.workspace.glob("*.ran"))
    died = Counter(
        line["actor"].partition(":")[0] for line in place.log() if line["event"] == "started" and line["life"] > 1
    )
    assert died.keys() == {"agent", "tools", "store", "providers", "gate", "ui"}


def test_the_same_command_goes_on_after_an_interrupt(place: Place) -> None:
    slow = place.script(*WORK[:2], answer("It says {result}", delay_s=1.0))
    session = start(place, slow, tasks(FEW), FEW_WORKERS)
    until(lambda: (place.workspace / "out.jsonl").exists() and len(results(place)) >= FEW_WORKERS)
    session.signal(signal.SIGINT)
    interrupted = session.finish()
    before = results(place)

    assert interrupted.code == 130
    assert "the same command goes on" in interrupted.err
    assert place.left() == []
    assert FEW_WORKERS <= len(before) < len(FEW)
    quick = place.script(*WORK)
    check_all_done(place, start(place, quick, tasks(FEW), FEW_WORKERS).finish(), FEW)
    assert results(place)[: len(before)] == before


def test_a_task_that_cannot_succeed_costs_only_itself(place: Place) -> None:
    broken = place.script(answer(error={"code": "overloaded", "text": "Too many.", "hint": "Wait."}), name="broken")
    wanted = [
        *tasks(["a", "b"]),
        {"id": "c", "prompt": "c", "model": broken},
        {"id": "d", "prompt": "d", "model": "x/y"},
    ]
    fatal = f"agent:{b'b'.hex()}:kill@message:1"
    session = start(place, place.script(*WORK), wanted, 2, TROUPER_CHAOS=",".join([fatal] * 20))
    finished = session.finish()

    got = {result["id"]: (result["reason"], result["error"]) for result in results(place)}
    assert finished.code == 1
    assert got["a"] == ("done", None)
    assert got["b"][0] == got["c"][0] == got["d"][0] == "failed"
    assert got["c"][1] == "Too many. Wait."
    assert "x/y" in got["d"][1] or '"x"' in got["d"][1]
    assert len(results(place)) == 4


def test_a_disk_that_is_full_ends_the_batch_and_the_same_command_goes_on(place: Place) -> None:
    held = place.script(answer("I note it.", NOTE, GATED), *WORK[1:])
    session = start(place, held, tasks(FEW), FEW_WORKERS)
    until(lambda: len(list(place.workspace.glob("*.txt"))) == FEW_WORKERS)
    psutil.Process(session.actors()["ui"].pid).rlimit(psutil.RLIMIT_FSIZE, (600, 600))
    (place.workspace / "go").touch()
    full = session.finish()

    assert full.code == 1
    assert full.err.count("out.jsonl: File too large. The same command goes on once it can.") >= 1
    assert 0 < len(results(place)) < FEW_WORKERS
    quick = place.script(*WORK)
    check_all_done(place, start(place, quick, tasks(FEW), FEW_WORKERS).finish(), FEW)


def test_tasks_have_more_subagents_together_than_one_agent_may_start(place: Place) -> None:
    each, several = SUBAGENTS_IN_ALL // 3 + 1, ["a", "b", "c"]
    model = place.script(
        answer("", *(spawn(f"s{number}", "look for A") for number in range(each))),
        answer("So."),
        cases=[case("look for A", answer("A is here"))],
    )
    finished = start(place, model, tasks(several), workers=3).finish()

    got = results(place)
    assert finished.code == 0, finished.err
    assert sorted(result["id"] for result in got) == several
    ends = [entry["body"] for result in got for entry in place.entries(result["session"])]
    states = Counter(body["state"] for body in ends if body["type"] == "SubagentEnded")
    assert states == {"completed": each * len(several)}
