"""Subagents that are waited for: side by side, each with its own answers, and what becomes of it."""

import pytest

from actors.agent.session.ledger import QUOTED
from tests.system.harness import Place, answer, call
from tests.system.subagents.words import case, spawn

pytestmark = pytest.mark.slow


def test_two_that_look_give_their_answers_as_results(place: Place) -> None:
    (place.workspace / "a.txt").write_text("alpha\n")
    (place.workspace / "b.txt").write_text("beta\n")
    model = place.script(
        answer("I ask two.", spawn("one", "look for A"), spawn("two", "look for B")),
        answer("Both have answered."),
        cases=[
            case("look for A", answer("", call("read", path="a.txt")), answer("It says {result}")),
            case("look for B", answer("", call("read", path="b.txt")), answer("It says {result}")),
        ],
    )

    finished = place.prompt(model).finish()

    results = {event["id"]: event for event in finished.events if event["type"] == "tool_result"}
    assert finished.code == 0
    assert f'Agent "one" has completed. {QUOTED}\n\n> It says' in results["call_0_0"]["output"]
    assert "alpha" in results["call_0_0"]["output"]
    assert "beta" in results["call_0_1"]["output"]
    assert finished.events[-1]["answer"] == "Both have answered."
