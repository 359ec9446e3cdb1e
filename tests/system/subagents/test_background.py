"""Subagents in the background: their turn waits for them, tells the model of each end, and goes on."""

import signal

import pytest

from actors.agent.session.ledger import QUOTED
from tests.system.harness import Event, Place, answer, call
from tests.system.subagents.words import case, spawn, tool

pytestmark = pytest.mark.slow


def entries(place: Place, session: str, kind: str) -> list[Event]:
    return [entry["body"] for entry in place.entries(session) if entry["body"]["type"] == kind]


def test_the_turn_waits_for_them_and_tells_the_model(place: Place) -> None:
    model = place.script(
        answer("", spawn("one", "look for A", background=True), spawn("two", "look for B", background=True)),
        answer("They work."),
        answer("I heard: {prompt}"),
        end=answer("I heard at last: {prompt}"),
        cases=[case("look for A", answer("A is here", delay_s=2.0)), case("look for B", answer("B is there"))],
    )

    finished = place.prompt(model).finish()

    said = finished.out
    assert finished.code == 0
    assert "runs in the background" in said
    ended = entries(place, finished.events[-1]["session"], "SubagentEnded")
    assert {body["name"]: body["summary"] for body in ended} == {"one": "A is here", "two": "B is there"}
    assert "I heard" in finished.events[-1]["answer"]


def test_one_waits_for_another_and_begins_with_what_that_has_found(place: Place) -> None:
    model = place.script(
        answer("", spawn("second", "sum up", depends_on=["first"]), spawn("first", "look for A")),
        answer("{result}"),
        cases=[case("look for A", answer("A is in a.txt")), case("sum up", answer("I was told: {prompt}"))],
    )

    finished = place.prompt(model).finish()

    result = next(event for event in finished.events if event.get("id") == "call_0_0" and "output" in event)
    assert finished.code == 0
    assert "> > A is in a.txt" in result["output"]


def test_who_waits_for_one_that_failed_fails_and_says_why(place: Place) -> None:
    model = place.script(
        answer("", spawn("first", "look for A"), spawn("second", "sum up", depends_on=["first"])),
        answer("{result}"),
        cases=[case("look for A", answer(error={"code": "bad_request", "text": "no such thing."}))],
    )

    finished = place.prompt(model).finish()

    results = {event["id"]: event for event in finished.events if event["type"] == "tool_result"}
    assert results["call_0_0"]["failed"]
    assert 'Agent "second" has failed.' in results["call_0_1"]["output"]
    assert 'the agent "first", which this one waited for, has failed: no such thing.' in results["call_0_1"]["output"]


def test_circles_and_unknown_names_are_told_to_the_model(place: Place) -> None:
    model = place.script(
        answer(
            "",
            spawn("one", "x", depends_on=["two"]),
            spawn("two", "y", depends_on=["one"]),
            spawn("three", "z", depends_on=["four"]),
        ),
        answer("Well."),
    )

    finished = place.prompt(model).finish()

    outputs = [event["output"] for event in finished.events if event["type"] == "tool_result"]
    assert sum("would wait for one another" in output for output in outputs) >= 1
    assert any('there is no agent "four"' in output for output in outputs)
    assert finished.code == 0


def test_one_that_ended_goes_on_with_what_is_said_to_it(place: Place) -> None:
    model = place.script(
        answer("", spawn("one", "look for A")),
        answer("", tool("send_to_agent", name="one", message="and B?")),
        answer("", tool("agent_result", name="one")),
        answer("{result}"),
        cases=[case("look for A", answer("A is here"), answer("B too"))],
    )

    finished = place.prompt(model).finish()

    assert finished.events[-1]["answer"] == f'Agent "one" has completed. {QUOTED}\n\n> B too'


def test_one_is_cancelled_and_says_so(place: Place) -> None:
    model = place.script(
        answer("", spawn("one", "look for A", background=True)),
        answer("", tool("cancel_agent", name="one")),
        answer("", call("list_agents")),
        answer("{result}"),
        cases=[case("look for A", answer("A is here", delay_s=100))],
    )

    finished = place.prompt(model).finish()

    assert finished.events[-1]["answer"] == "- one (explore, background): cancelled"


def one_left(place: Place) -> str:
    return place.script(
        answer("", spawn("slow", "look for A", background=True)),
        answer("I stop here."),
        cases=[case("look for A", answer("A is here", delay_s=100))],
    )


@pytest.mark.parametrize(("how", "code", "reason"), [("cancel", 0, "done"), ("fail", 1, "failed")])
def test_those_left_are_cancelled_where_nobody_waits_and_named(place: Place, how: str, code: int, reason: str) -> None:
    finished = place.prompt(one_left(place), "--background", how).finish()

    result = finished.events[-1]
    assert (finished.code, result["reason"], result["agents"]) == (code, reason, {"slow": "cancelled"})
    assert 'the agent "slow" was cancelled' in finished.err
    assert ("slow" in (result["error"] or "")) == (how == "fail")
    assert [body["state"] for body in entries(place, result["session"], "SubagentEnded")] == ["cancelled"]


@pytest.mark.parametrize("more", [(), ("--background", "wait")])
def test_those_left_are_waited_for_where_nothing_else_is_said_and_all_are_named(
    place: Place, more: tuple[str, ...]
) -> None:
    model = place.script(
        answer("", spawn("good", "look for A", background=True), spawn("bad", "look for B", background=True)),
        answer("I wait."),
        cases=[
            case("look for A", answer("A is here", delay_s=1.0)),
            case("look for B", answer(error={"code": "bad_request", "text": "no such thing."})),
        ],
    )

    finished = place.prompt(model, *more).finish()

    result = finished.events[-1]
    assert (finished.code, result["reason"], result["error"]) == (0, "done", None)
    assert result["agents"] == {"good": "completed", "bad": "failed"}


@pytest.mark.parametrize("background", [False, True])
def test_a_signal_ends_all_of_them_and_that_is_on_disk(place: Place, background: bool) -> None:
    model = place.script(
        answer("", spawn("slow", "look for A", background=background)),
        answer("I wait."),
        cases=[case("look for A", answer("A is here", delay_s=100))],
    )
    session = place.prompt(model)
    session.wait_for("agent", state="running")

    session.signal(signal.SIGINT)
    finished = session.finish()

    result = finished.events[-1]
    assert (finished.code, result["reason"], result["agents"]) == (130, "interrupted", {"slow": "cancelled"})
    bodies = [entry["body"] for entry in place.entries(result["session"])]
    assert [body["state"] for body in bodies if body["type"] == "SubagentEnded"] == ["cancelled"]
    assert place.left() == []


def test_a_cancelled_one_goes_on_in_a_later_run(place: Place) -> None:
    def model(delay_s: float) -> str:
        return place.script(
            answer("", spawn("slow", "look for A")),
            answer("", tool("send_to_agent", name="slow", message="go on")),
            answer("", tool("agent_result", name="slow")),
            answer("{result}"),
            cases=[case("look for A", answer("A is here", delay_s=delay_s), answer("and B"))],
        )

    session = place.prompt(model(3600))
    session.wait_for("agent", state="running")
    session.signal(signal.SIGINT)
    session.finish()
    model(0)

    finished = place.run("-c", "-p", "go on", "--output", "stream-json")

    assert finished.events[-1]["answer"] == f'Agent "slow" has completed. {QUOTED}\n\n> A is here'
