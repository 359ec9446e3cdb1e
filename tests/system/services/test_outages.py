"""A batch through outages of its model service: every task is done, and nobody is asked twice for what it had.

TROUPER_OUTAGES="40 8 30" runs it with so many tasks and workers through two outages of so many seconds, while random
actors are killed; TROUPER_SEED=N says which. That takes minutes and is no part of the usual tests.
"""

import contextlib
import json
import os
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from actors.providers.scripted import Script
from supervisor import tree_client
from tests import SOAK
from tests.fakes.in_thread import in_thread
from tests.fakes.outages import REFUSED, Outage, UnsteadyServer, open_unsteady_server
from tests.system.harness import Event, Place, Session, answer, call, until

pytestmark = pytest.mark.slow
SCRIPT = msgspec.convert(
    {
        "answers": [
            answer("I note it.", call("write", path="{prompt}.txt", content="{prompt}\n")),
            answer("", call("edit", path="{prompt}.txt", old="{prompt}", new="{prompt} again")),
        ],
        "end": answer("{prompt} is done.", chunks=4),
    },
    Script,
)
REQUESTS = 3
"""Of each task."""
LARGE = os.environ.get("TROUPER_OUTAGES", "")
SEED = int(os.environ.get("TROUPER_SEED", "1"))
KILL_EVERY_S = 2.0
HALF_DONE = 0.3, 0.7


def begin(place: Place, server: UnsteadyServer, tasks: int, workers: int) -> Session:
    (place.home / "config.toml").write_text(
        f'[providers.local]\napi = "openai-chat"\nbase_url = "{server.server.url}/v1"\n'
    )
    lines = (json.dumps({"id": f"task-{n}", "prompt": f"task-{n}"}) + "\n" for n in range(tasks))
    (place.workspace / "tasks.jsonl").write_text("".join(lines))
    common = ("--workers", str(workers), "--out", "out.jsonl", "--model", "local/test-model", "--mode", "auto")
    return place.start("batch", "tasks.jsonl", *common)


def results(place: Place) -> list[Event]:
    out = place.workspace / "out.jsonl"
    whole, _, _being_written = out.read_text().rpartition("\n") if out.exists() else ("", "", "")
    return [json.loads(line) for line in whole.splitlines()]


def entries(place: Place) -> Iterator[tuple[str, float, Event]]:
    """Task, time and body of all that the sessions hold, once all have their results."""
    tasks = {result["session"]: result["id"] for result in results(place)}
    with contextlib.closing(sqlite3.connect(f"file:{place.home}/trouper.db?mode=ro", uri=True)) as database:
        for session_id, at, body in database.execute("SELECT session_id, at, body FROM entries ORDER BY number"):
            yield tasks[session_id], at, json.loads(body)


def asked_again(place: Place, server: UnsteadyServer) -> list[tuple[str, int]]:
    """Task and number of the answer, of every request for one that was on disk by then."""
    saved: dict[str, list[float]] = {}
    for task, at, body in entries(place):
        if body["type"] == "AssistantMessage":
            saved.setdefault(task, []).append(at)
    again = []
    for at, body in server.asked:
        task = re.findall(rb"task-\d+", body)[0].decode()
        number = sum(message["role"] == "assistant" for message in json.loads(body)["messages"])
        if number < len(saved[task]) and at > saved[task][number]:
            again.append((task, number))
    return again


def check(place: Place, server: UnsteadyServer, tasks: int) -> list[Event]:
    """All done, their files written, each asked for exactly what it had not. Returns the results."""
    got = results(place)
    assert {result["id"]: (result["reason"], result["answer"]) for result in got} == {
        f"task-{n}": ("done", f"task-{n} is done.") for n in range(tasks)
    }
    assert len(got) == tasks
    bodies = list(entries(place))
    lost = {task for task, _, body in bodies if "outcome unknown" in body.get("output", "")}
    for task in {f"task-{n}" for n in range(tasks)} - lost:
        assert (place.workspace / f"{task}.txt").read_text() == f"{task} again\n"
    answers = Counter(task for task, _, body in bodies if body["type"] == "AssistantMessage")
    assert set(answers.values()) == {REQUESTS}
    ran = Counter((task, body["call_id"]) for task, _, body in bodies if body["type"] == "ToolResult")
    assert (len(ran), set(ran.values())) == (tasks * (REQUESTS - 1), {1})
    assert asked_again(place, server) == []
    return got


def test_no_task_is_lost_to_any_kind_of_outage(place: Place) -> None:
    tasks, faults = 6, ("529", "429", "500", REFUSED)
    outages = [Outage(fault, after=1 + 4 * number, seconds=4.0) for number, fault in enumerate(faults)]
    with in_thread(lambda: open_unsteady_server(SCRIPT, outages)) as server:
        session = begin(place, server, tasks, 4)
        for number in range(1, 5):
            until(lambda number=number: server.over >= number)  # type: ignore[misc]
        for number in range(1, tasks + 1):
            until(lambda number=number: len(results(place)) >= number)  # type: ignore[misc]
        finished = session.finish()
        got = check(place, server, tasks)

    assert finished.code == 0, finished.err
    assert sum(result["failed_tries"] for result in got) >= 4
    assert sum(result["waited_s"] for result in got) > 10


def test_nothing_is_lost_where_every_request_is_refused_for_a_while_and_the_wait_is_shown(place: Place) -> None:
    tasks, workers = (32, 8) if SOAK else (6, 3)
    refused_s = 20.0 if SOAK else 3.0
    outage = Outage("429", after=4, seconds=refused_s, refuses=workers)
    with in_thread(lambda: open_unsteady_server(SCRIPT, [outage])) as server:
        session = begin(place, server, tasks, workers)
        until(lambda: server.over == 1)
        finished = session.finish()
        got = check(place, server, tasks)

    assert finished.code == 0, finished.err
    assert re.search(r"^task-\d+ waits for its model service: local: .*429", finished.err, re.MULTILINE)
    assert finished.err.splitlines()[-1].startswith(f"{tasks} done, 0 failed, 0 not begun")
    assert {result["attempts"] for result in got} == {1}
    assert sum(result["failed_tries"] for result in got) >= workers
    assert sum(result["waited_s"] for result in got) > 0


@pytest.mark.skipif(not LARGE, reason="takes minutes: TROUPER_OUTAGES='40 8 30'")
def test_many_tasks_get_through_two_outages_while_actors_are_killed(place: Place) -> None:
    tasks, workers, seconds = map(int, LARGE.split())
    faults = ("529", REFUSED)
    outages = [
        Outage(fault, int(tasks * REQUESTS * share), seconds) for fault, share in zip(faults, HALF_DONE, strict=True)
    ]
    random, killed = Random(SEED), Counter[str]()
    with in_thread(lambda: open_unsteady_server(SCRIPT, outages)) as server:
        began, session = time.monotonic(), begin(place, server, tasks, workers)
        while session.running:
            time.sleep(KILL_EVERY_S * random.random() * 2)
            living = [actor.name for tree in tree_client.running(place.home) for actor in tree.actors]
            if living:  # else it is over by now
                actor = random.choice(living)
                session.kill_if_alive(actor)
                killed[actor.partition(":")[0]] += 1
        finished = session.finish()
        got = check(place, server, tasks)
        took = time.monotonic() - began
    tries, waited = (sum(result[key] for result in got) for key in ("failed_tries", "waited_s"))
    print(f"{tasks} of {tasks} in {took:.0f} s; killed {dict(killed)}")
    print(f"{len(server.asked)} requests, {tries} failed tries, {waited:.0f} s waited in all")

    assert finished.code == 0, finished.err
    assert server.over == len(outages)
