"""Whoever dies while subagents work: each of them ends exactly once, and their parent's turn has all their results."""

import random

import pytest

from tests.system.harness import Place, answer, call
from tests.system.subagents.words import case, spawn

pytestmark = pytest.mark.slow

NAMES = ("one", "two", "three")
LOOKS = [answer("", call("read", path="a.txt"), delay_s=0.3) for _ in range(4)]


def model(place: Place) -> str:
    (place.workspace / "a.txt").write_text("alpha\n")
    return place.script(
        answer("", *(spawn(name, f"task of {name}") for name in NAMES)),
        answer("All have answered."),
        cases=[case(f"task of {name}", *LOOKS, answer(f"{name} is done", delay_s=0.3)) for name in NAMES],
    )


def check(place: Place, session: str) -> None:
    bodies = [entry["body"] for entry in place.entries(session)]
    ends = [body for body in bodies if body["type"] == "SubagentEnded"]
    results = [body for body in bodies if body["type"] == "ToolResult"]
    assert sorted((body["name"], body["state"], body["summary"]) for body in ends) == sorted(
        (name, "completed", f"{name} is done") for name in NAMES
    )
    assert [any(f"{name} is done" in body["output"] for body in results) for name in NAMES] == [True] * 3
    assert bodies[-1]["type"] == "TurnEnded"
    assert bodies[-1]["reason"] == "done"


@pytest.mark.parametrize("actor", ["agent:main", "gate", "store", "providers", "agent:sub", "tools:sub"])
def test_one_of_them_is_killed(place: Place, actor: str) -> None:
    session = place.prompt(model(place))
    info = session.wait_for("session")
    child = session.wait_for("agent", state="running")["session"].replace(".", "-")
    session.kill(f"{actor}:{child}" if ":sub" in actor else actor)

    finished = session.finish()

    assert (finished.code, finished.events[-1]["answer"]) == (0, "All have answered.")
    check(place, info["id"])


@pytest.mark.parametrize("seed", range(2))
def test_several_of_them_are_killed_at_random(place: Place, seed: int) -> None:
    dice = random.Random(seed)
    session = place.prompt(model(place))
    info = session.wait_for("session")
    session.wait_for("agent", state="running")
    for _ in range(6):
        alive = [name for name in session.actors() if name not in ("ui", "zygote")]
        session.kill_if_alive(dice.choice(alive))

    finished = session.finish()

    assert (finished.code, finished.events[-1]["answer"]) == (0, "All have answered.")
    check(place, info["id"])


def test_the_supervisor_is_killed_and_the_next_run_goes_on(place: Place) -> None:
    session = place.prompt(model(place))
    info = session.wait_for("session")
    session.wait_for("agent", state="running")
    assert session.kill_supervisor() == []

    finished = place.run("-c", "-p", "and now?", "--mode", "auto", "--output", "stream-json")

    assert finished.code == 0, finished
    bodies = [entry["body"] for entry in place.entries(info["id"])]
    ends = [body for body in bodies if body["type"] == "SubagentEnded"]
    assert sorted(body["name"] for body in ends) == sorted(NAMES)
    assert {body["state"] for body in ends} == {"completed"}
    assert place.left() == []
