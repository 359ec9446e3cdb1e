"""However a headless run ends: its last line is the only result, that says so, and the exit code agrees."""

import signal

import pytest

from tests.system.harness import Event, Finished, Place, answer, call

pytestmark = pytest.mark.slow
NEVER = answer("Too late.", delay_s=3600)
LOOK = call("list", path=".")
NOTE = call("write", path="a.txt", content="a\n")
PAID = {"cost_usd": 1.0}
STUCK = [answer("", LOOK)] * 40


def check(finished: Finished, code: int, reason: str) -> Event:
    """The result."""
    results = [number for number, event in enumerate(finished.events) if event["type"] == "result"]
    assert results == [len(finished.events) - 1]
    result = finished.events[-1]
    assert (finished.code, result["reason"]) == (code, reason), finished.err
    assert (result["error"] is None) == (code == 0)
    return result


ENDS: dict[str, tuple[list[Event], tuple[str, ...], int, str]] = {
    "done": ([answer("It is done.")], (), 0, "done"),
    "done after a wait": ([answer("Here.", retry={"why": "overloaded", "wait_s": 0.1})], (), 0, "done"),
    "failed": ([answer(error={"code": "bad_request", "text": "no."})], (), 1, "failed"),
    "failed after a wait": (
        [answer(retry={"why": "overloaded", "wait_s": 0.1}, error={"code": "bad_request", "text": "no."})],
        (),
        1,
        "failed",
    ),
    "failed in its words": ([answer("Half", error={"code": "bad_request", "text": "no."})], (), 1, "failed"),
    "no progress": (STUCK, (), 1, "no_progress"),
    "refused": ([answer("", NOTE), answer("I cannot.")], ("--mode", "default"), 3, "refused"),
    "budget": ([answer("", LOOK, usage=PAID), answer("b", usage=PAID)], ("--max-cost", "1"), 4, "budget"),
    "turn limit": ([answer("", LOOK), answer("", LOOK)], ("--max-turns", "1"), 4, "turn_limit"),
    "timeout": ([NEVER], ("--timeout", "3"), 124, "timeout"),
}


@pytest.mark.parametrize("end", ENDS)
def test_an_end_is_told_once_and_by_the_exit_code(place: Place, end: str) -> None:
    answers, more, code, reason = ENDS[end]

    finished = place.prompt(place.script(*answers), *more).finish()

    check(finished, code, reason)
    kinds = [event["type"] for event in finished.events]
    assert "error" not in kinds
    assert ("retry" in kinds) == ("wait" in end)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_an_end_like_any_other(place: Place, number: signal.Signals) -> None:
    session = place.prompt(place.script(NEVER))
    session.wait_for("session")

    session.signal(number)

    check(session.finish(), 130, "interrupted")


def test_so_is_a_model_without_a_key(place: Place) -> None:
    check(place.prompt("anthropic/claude-opus-5-5").finish(), 5, "no_credentials")


@pytest.mark.parametrize("actor", ["agent:main", "providers", "store", "ui"])
def test_a_death_on_the_way_is_none(place: Place, actor: str) -> None:
    session = place.prompt(place.script(answer("", LOOK), answer("It is done.", delay_s=2.0, chunks=3)))
    session.wait_for("tool_result")

    session.kill(actor)

    assert check(session.finish(), 0, "done")["answer"] == "It is done."


def test_an_agent_that_dies_of_everything_is_a_failure(place: Place) -> None:
    deaths = ",".join(["agent:main:kill@message:2"] * 20)

    check(place.prompt(place.script(answer("", LOOK)), TROUPER_CHAOS=deaths).finish(), 1, "failed")
