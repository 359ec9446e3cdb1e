"""`trouper agents`: the subagents of running programs are listed, steered and cancelled from outside, whoever dies."""

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from tests.system.harness import Event, Place, Session, answer, until
from tests.system.subagents.words import case, spawn

pytestmark = pytest.mark.slow
NEVER_S = 3600.0
SLOW = answer("It is found.", delay_s=NEVER_S)


def working(place: Place, *names: str, model: str = "script") -> Session:
    """A session without a screen that waits for its agents, which work for as long as they are let."""
    script = place.script(
        answer("", *(spawn(name, f"look for {name}", background=True) for name in names or ("scout",))),
        name=model,
        cases=[case(f"look for {name}", SLOW, answer("It is in src.")) for name in names or ("scout",)],
        end=answer("So be it."),
    )
    session = place.prompt(script)
    for name in names or ("scout",):
        session.wait_for("agent", name=name, state="running")
    return session


def listed(place: Place) -> list[Event]:
    found: list[Event] = json.loads(place.run("agents", "list", "--json").out)
    return found


def bodies(place: Place, session_id: str, kind: str) -> list[Event]:
    return [entry["body"] for entry in place.entries(session_id) if entry["body"]["type"] == kind]


@contextmanager
def stopped(*pids: int) -> Iterator[None]:
    for pid in pids:
        psutil.Process(pid).send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            psutil.Process(pid).send_signal(signal.SIGCONT)


def somebody_is_at_the_door(session: Session) -> bool:
    """Beside the socket that waits for visitors there is one of somebody who has come."""
    agent = psutil.Process(session.actors()["agent:main"].pid)
    return sum(str(one.laddr).endswith(".closed") for one in agent.net_connections("unix")) > 1


def test_all_that_is_known_of_one_is_listed_and_it_is_told_something_cancelled_and_gone_on_with(place: Place) -> None:
    session = working(place, "scout", "porter")
    parent = session.wait_for("session")["id"]

    one = next(agent for agent in listed(place) if agent["name"] == "scout")
    table = place.run("agents")
    steered = place.run("agents", "steer", one["session_id"].replace(parent, parent[:6]), "only", "in src")
    cancelled = place.run("agents", "cancel", one["session_id"])
    too_late = place.run("agents", "steer", "scout", "and in lib")
    twice = place.run("agents", "cancel", "scout")
    resumed = place.run("agents", "resume", "scout", "--json")
    for name in ("porter", "scout"):
        place.run("agents", "cancel", name)
    finished = session.finish()

    assert (one["session_id"].rpartition(".")[0], one["parent"], one["name"]) == (parent, parent, "scout")
    assert (one["kind"], one["state"], one["folder"]) == ("explore", "running", str(place.workspace))
    assert (one["pid"], one["started_at"] > 0) == (session.pid, True)
    assert f"session {parent[:8]}  {place.workspace}  (process {session.pid} without a screen)" in table.out
    assert "  scout   explore  running" in table.out
    assert (steered.code, steered.out) == (0, "scout was told, and is running\n")
    assert (cancelled.code, cancelled.out.startswith("scout is cancelled. To go on with it: ")) == (0, True)
    assert (too_late.code, twice.code) == (1, 1)
    way_on = f"To go on with it: trouper agents resume {one['session_id']}"
    assert f'the agent "scout" has ended (cancelled). {way_on}' in too_late.err
    assert "has ended already (cancelled)" in twice.err
    assert json.loads(resumed.out)["name"] == "scout"
    assert finished.code == 0
    assert [body["text"] for body in bodies(place, parent, "SubagentPrompted")] == [
        "only in src",
        "Go on where you stopped.",
    ]


def test_what_was_written_by_mistake_is_told_from_what_is_not_there(place: Place) -> None:
    nobody = place.run("agents")
    none = place.run("agents", "cancel", "3fa9.1")
    one, other = working(place), working(place, model="other")

    ambiguous = place.run("agents", "cancel", "scout")
    unknown = place.run("agents", "steer", "porter", "look")
    nothing = place.run("agents", "steer", "scout", " ")

    assert (nobody.code, "no program runs now" in nobody.err) == (0, True)
    assert (none.code, 'no running program has an agent "3fa9.1"' in none.err) == (2, True)
    assert (ambiguous.code, '"scout" may be any of 2 agents: ' in ambiguous.err) == (2, True)
    assert (unknown.code, "See: trouper agents list" in unknown.err) == (2, True)
    assert (nothing.code, "say what it should be told" in nothing.err) == (2, True)
    assert [agent["state"] for agent in listed(place)] == ["running", "running"]
    for session in (one, other):
        session.signal(signal.SIGINT)
        session.finish()


def test_a_program_that_does_not_answer_is_named(place: Place) -> None:
    session = working(place)
    with stopped(*(process.pid for process in session.processes())):
        table = place.run("agents")
        order = place.run("agents", "cancel", "scout")

    assert (table.code, f"process {session.pid} without a screen does not answer" in table.err) == (1, True)
    assert (order.code, "it may be stopped (then: fg in its terminal)" in order.err) == (2, True)
    assert [agent["state"] for agent in listed(place)] == ["running"]


def test_the_parent_is_killed_in_the_middle_of_a_cancel_and_it_is_cancelled_once(place: Place) -> None:
    session = working(place)
    parent = session.wait_for("session")["id"]
    child = session.actors()[f"agent:sub:{parent}-1"].pid
    with stopped(child):  # its turn does not end before it is killed: until then the order is under way
        order = place.start("agents", "cancel", "scout")
        until(lambda: somebody_is_at_the_door(session))
        session.kill("agent:main")

    cancelled = order.finish()
    finished = session.finish()

    assert (cancelled.code, cancelled.out.startswith("scout is cancelled.")) == (0, True), cancelled.err
    assert finished.code == 0
    assert [body["state"] for body in bodies(place, parent, "SubagentEnded")] == ["cancelled"]


def test_the_parent_is_killed_while_what_was_said_is_written_down_and_it_is_said_once(place: Place) -> None:
    session = working(place)
    parent = session.wait_for("session")["id"]
    with stopped(session.actors()["store"].pid):
        order = place.start("agents", "steer", "scout", "only in src")
        until(lambda: somebody_is_at_the_door(session))
        session.kill("agent:main")

    steered = order.finish()
    child = f"{parent}.1"
    until(lambda: any(body["text"] == "only in src" for body in bodies(place, child, "PromptQueued")))
    place.run("agents", "cancel", "scout")
    session.finish()

    # its parent, which has just come back, may not have found its processes yet: it is pending until then
    assert steered.code == 0
    assert re.fullmatch("scout was told, and is (running|pending)\n", steered.out)
    assert [body["text"] for body in bodies(place, parent, "SubagentPrompted")] == ["only in src"]
    for kind in ("PromptQueued", "UserMessage"):
        said = [body["text"] for body in bodies(place, child, kind)]
        assert said.count("only in src") == 1


def test_the_program_is_killed_in_the_middle_and_that_is_said(place: Place) -> None:
    session = working(place)
    parent = session.wait_for("session")["id"]
    child = session.actors()[f"agent:sub:{parent}-1"].pid
    psutil.Process(child).send_signal(signal.SIGSTOP)
    order = place.start("agents", "cancel", "scout")
    until(lambda: somebody_is_at_the_door(session))
    session.kill_supervisor()

    finished = order.finish()

    assert (finished.code in (1, 2), finished.out) == (True, "")
    assert "its program has ended" in finished.err or "no running program has an agent" in finished.err


def test_agents_of_the_tasks_of_a_batch_are_there_too(place: Place) -> None:
    (place.workspace / "tasks.jsonl").write_text('{"id": "a", "prompt": "begin"}\n')
    model = place.script(
        answer("", spawn("scout", "look for A", background=True)),
        cases=[case("look for A", SLOW)],
        end=answer("So be it."),
    )
    batch = place.start("batch", "tasks.jsonl", "--mode", "auto", "--model", model)
    until(lambda: [one["state"] for one in listed(place)] == ["running"])

    cancelled = place.run("agents", "cancel", "scout")
    finished = batch.finish()

    assert (cancelled.code, cancelled.out.startswith("scout is cancelled.")) == (0, True), cancelled.err
    assert finished.code == 0
