"""A subagent that learns nothing more is stopped and its parent told so; one that only takes its time is not."""

import pytest

from tests.system.harness import Place, answer, call
from tests.system.subagents.words import case, spawn, tool

pytestmark = pytest.mark.slow
MANY = 35
"""More answers than a turn that learns nothing may have."""


def test_one_that_goes_round_and_round_fails_and_its_parent_goes_on(place: Place) -> None:
    (place.workspace / "a.txt").write_text("alpha\n")
    stuck = case("look for A", *[answer("", call("read", path="a.txt"))] * MANY, answer("never said"))
    model = place.script(answer("", spawn("one", "look for A")), answer("{result}"), cases=[stuck])

    finished = place.prompt(model).finish()

    result = finished.events[-1]
    bodies = [entry["body"] for entry in place.entries(f"{result['session']}.1")]
    assert (finished.code, result["agents"]) == (0, {"one": "failed"})
    assert "no progress" in result["answer"]
    assert bodies[-1]["reason"] == "no_progress"
    assert sum("in a row" in body.get("output", "") for body in bodies) == 3


def test_whoever_asks_again_and_again_how_one_stands_is_not_stopped(place: Place) -> None:
    model = place.script(
        answer("", spawn("one", "look for A", background=True)),
        *[answer("", tool("list_agents"))] * MANY,
        answer("It is still at work."),
        cases=[case("look for A", answer("A is here.", delay_s=3600))],
    )

    finished = place.prompt(model, "--background", "cancel").finish()

    assert (finished.code, finished.events[-1]["answer"]) == (0, "It is still at work."), finished.err
    assert finished.events[-1]["turns"] == MANY + 2
