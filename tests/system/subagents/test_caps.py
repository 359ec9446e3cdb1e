"""What the program itself caps, counted where the requests arrive: depth, how many at once, and what all may cost."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import msgspec
import pytest
import trio

from actors.providers.scripted import Script
from supervisor.tree import SUBAGENTS_AT_ONCE, SUBAGENTS_IN_ALL
from tests.fakes.in_thread import in_thread
from tests.fakes.model_faults import Reply
from tests.fakes.model_server import ModelServer
from tests.system.harness import Event, Place, answer
from tests.system.subagents.words import case, spawn

pytestmark = pytest.mark.slow
USED = {"input_tokens": 1000, "output_tokens": 50}
COST = 0.0025
"""Of one such answer, at the prices below."""
CONFIG = """
[providers.local]
api = "openai-chat"
base_url = "{url}/v1"
[models."local/test-model"]
prices = [{{ input = 2, output = 10, cache_read = 0.2 }}]
"""
TASK = "task of "


class Counting:
    """A model service that knows who asks it at the same time."""

    def __init__(self, script: Script) -> None:
        self.server = ModelServer(script, refuses=self._note)
        self.asked: list[str] = []
        """The first prompt of each request's conversation."""

    def _note(self, body: dict[str, Any]) -> Reply | None:
        self.asked.append(next(str(one["content"]) for one in body["messages"] if one["role"] == "user"))
        return None

    @property
    def of_subagents(self) -> list[str]:
        return [prompt for prompt in self.asked if TASK in prompt]


@contextmanager
def counting(place: Place, *answers: Event, cases: list[Event], prices: str = "") -> Iterator[Counting]:
    """The model of this place is such a service."""
    script = msgspec.convert({"answers": answers, "end": answer("Done.", usage=USED), "cases": cases}, Script)

    @asynccontextmanager
    async def opened() -> AsyncIterator[Counting]:
        service = Counting(script)
        async with trio.open_nursery() as nursery:
            await nursery.start(service.server.serve)
            yield service
            nursery.cancel_scope.cancel()

    with in_thread(opened) as service:
        (place.home / "config.toml").write_text(CONFIG.format(url=service.server.url) + prices)
        yield service


def named(number: int) -> str:
    return f"{TASK}{number:03}"


def test_a_subagent_has_no_tool_to_spawn_with_and_cannot_call_it(place: Place) -> None:
    deeper = case("look for A", answer("", spawn("deeper", "look deeper")), answer("I was told: {result}"))
    model = place.script(answer("", spawn("one", "look for A")), answer("{result}"), cases=[deeper])

    finished = place.prompt(model).finish()

    result = finished.events[-1]
    listed = place.entries(f"{result['session']}.1")
    assert (finished.code, result["agents"]) == (0, {"one": "completed"})
    assert "I was told: " in result["answer"]
    assert "SubagentSpawned" not in {entry["body"]["type"] for entry in listed}
    assert place.run("sessions", "show", f"{result['session']}.1.1").code != 0


def test_no_more_work_at_once_than_may_and_the_others_wait_for_room(place: Place) -> None:
    many = SUBAGENTS_AT_ONCE + 2
    model = place.script(
        answer("", *(spawn(f"a{number}", named(number)) for number in range(many))),
        answer("All have answered."),
        cases=[case(TASK, answer("Found.", delay_s=3600))],
    )
    session = place.prompt(model)
    session.out.until(lambda lines: len(states(lines)) == many)
    session.out.until(lambda lines: list(states(lines).values()).count("running") >= SUBAGENTS_AT_ONCE)

    at_work = [name for name in session.actors() if name.startswith("agent:sub:")]

    assert len(at_work) == SUBAGENTS_AT_ONCE
    assert Counter(states(session.out.so_far()).values()) == {"running": SUBAGENTS_AT_ONCE, "pending": 2}
    assert session.kill_supervisor() == []


def test_no_more_in_all_than_may_and_one_too_many_is_told_so_while_the_turn_goes_on(place: Place) -> None:
    """Spawned by the dozen, as a model that has lost its way does it; each has its own process, and ends at once."""
    names = [f"a{number:03}" for number in range(SUBAGENTS_IN_ALL + 2)]
    dozens = [names[start : start + 12] for start in range(0, len(names), 12)]
    rounds = [answer("", *(spawn(name, f"{TASK}{name}") for name in dozen)) for dozen in dozens]
    model = place.script(*rounds, answer("I do the rest myself."), cases=[case(TASK, answer("Found."))])

    session = place.prompt(model)
    for number in range(len(names)):
        session.out.until(lambda lines, number=number: ended(lines) > number)  # type: ignore[misc]
    finished = session.finish()

    result = finished.events[-1]
    told = [event["answer"] for event in finished.events if event.get("state") == "failed"]
    assert (finished.code, result["answer"]) == (0, "I do the rest myself."), finished.err
    assert Counter(result["agents"].values()) == {"completed": SUBAGENTS_IN_ALL, "failed": 2}
    assert all(f"{SUBAGENTS_IN_ALL} " in text and "which is the most" in text for text in told)
    assert len(told) == 2


def states(lines: list[bytes]) -> dict[str, str]:
    """Of each subagent, as it was told last."""
    events = [json.loads(line) for line in lines]
    return {event["name"]: event["state"] for event in events if event["type"] == "agent"}


def ended(lines: list[bytes]) -> int:
    return sum(state in {"completed", "failed", "cancelled"} for state in states(lines).values())


@pytest.mark.parametrize(("prices", "estimate"), [("", None), ("max_output = 100\n", COST * 20)])
def test_thirty_two_under_one_budget_exceed_it_by_no_more_than_one_request(
    place: Place, prices: str, estimate: float | None
) -> None:
    budget = 12.5 * COST
    ask = answer("", *(spawn(f"a{number}", named(number)) for number in range(32)), usage=USED)
    looks = case(TASK, answer("Found.", usage=USED))
    with counting(place, ask, cases=[looks], prices=prices) as service:
        session = place.prompt("local/test-model", "--max-cost", str(budget))
        for number in range(32):
            session.out.until(lambda lines, number=number: ended(lines) > number)  # type: ignore[misc]
        finished = session.finish()
        cost = len(service.asked) * COST

    result = finished.events[-1]
    assert (finished.code, result["reason"]) == (4, "budget"), finished.err
    assert len(service.of_subagents) == len(set(service.of_subagents))
    assert budget <= cost + (estimate or COST)
    assert cost <= budget + COST
    assert len(result["agents"]) == 32
