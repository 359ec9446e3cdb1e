"""What subagents may use: each its own budget, and all of them what their parent may."""

import pytest

from tests.system.harness import Place, answer, call
from tests.system.subagents.words import case, spawn

pytestmark = pytest.mark.slow
USED = {"input_tokens": 1000, "output_tokens": 50, "cost_usd": 0.01}
LOOKS = [answer("", call("list", path="."), usage=USED) for _ in range(5)]


def asked(place: Place, session_id: str) -> int:
    """How often its model was."""
    return sum(entry["body"]["type"] == "AssistantMessage" for entry in place.entries(session_id))


@pytest.mark.parametrize(
    ("budget", "why"),
    [
        ({"usd": 0.02}, "the agent one has cost $0.02, and its budget is $0.02"),
        ({"tokens": 2000}, "the agent one has used 2,100 tokens, and its budget is 2,000"),
    ],
)
def test_one_that_has_used_its_own_ends_and_its_parent_goes_on(
    place: Place, budget: dict[str, float], why: str
) -> None:
    model = place.script(
        answer("", spawn("one", "look", budget=budget), usage=USED),
        answer("It was too dear.", usage=USED),
        cases=[case("look", *LOOKS, answer("All seen.", usage=USED))],
    )

    finished = place.prompt(model, "--max-cost", "1").finish()

    result = next(event for event in finished.events if event["type"] == "tool_result")
    assert (finished.code, finished.events[-1]["answer"]) == (0, "It was too dear.")
    assert result["failed"]
    assert why in result["output"]
    assert asked(place, f"{finished.events[0]['id']}.1") == 2


def test_what_they_use_counts_for_their_parent_and_for_one_another(place: Place) -> None:
    both = answer("", spawn("one", "look here"), spawn("two", "look there"), usage=USED)
    model = place.script(
        both,
        answer("Never said.", usage=USED),
        cases=[case(f"look {where}", *LOOKS, answer("All seen.", usage=USED)) for where in ("here", "there")],
    )

    finished = place.prompt(model, "--max-cost", "0.045").finish()

    parent = finished.events[0]["id"]
    assert finished.events[-1]["reason"] == "budget", finished
    assert sum(asked(place, each) for each in (parent, f"{parent}.1", f"{parent}.2")) == 5
