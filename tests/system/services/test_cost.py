"""What it costs, from end to end: in results, at the limit, in a batch that goes on with a higher one."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.system.harness import Event, Finished, Place, answer, call
from tests.system.services.servers import Serve, serving

pytestmark = pytest.mark.slow
PRICES = '[models."local/test-model"]\nprices = [{ input = 2, output = 10, cache_read = 0.2 }]\n'
LOOK = call("list")
USED = {"input_tokens": 1000, "output_tokens": 50}
COST = 0.0025
"""Of one such answer, at those prices."""
SCRIPT: Event = {
    "answers": [answer("a", LOOK, usage=USED), answer("b", LOOK, usage=USED)],
    "end": answer("Done.", usage=USED),
}


@pytest.fixture
def serve() -> Iterator[Serve]:
    with serving() as serve:
        yield serve


def configure(place: Place, url: str, prices: str = PRICES) -> None:
    provider = f'model = "local/test-model"\n[providers.local]\napi = "openai-chat"\nbase_url = "{url}/v1"\n'
    (place.home / "config.toml").write_text(provider + prices)


def prompt(place: Place, *more: str) -> Finished:
    return place.run("-p", "hi", "--output", "json", *more)


def result(finished: Finished) -> Event:
    return finished.events[-1]


def test_a_turn_and_its_session_have_their_cost(place: Place, serve: Serve) -> None:
    configure(place, serve(SCRIPT))

    first = result(prompt(place))
    second = result(prompt(place, "-c"))

    assert first["usage"]["cost_usd"] == pytest.approx(3 * COST)
    assert first["session_cost_usd"] == pytest.approx(3 * COST)
    assert second["usage"]["cost_usd"] == pytest.approx(COST)
    assert second["session_cost_usd"] == pytest.approx(4 * COST)


def test_a_cost_that_nobody_knows_is_null(place: Place, serve: Serve) -> None:
    configure(place, serve(SCRIPT), prices="")

    ended = result(prompt(place))

    assert (ended["usage"]["cost_usd"], ended["session_cost_usd"]) == (None, None)


def test_at_the_limit_it_stops_and_goes_on_with_a_higher_one(place: Place, serve: Serve) -> None:
    configure(place, serve(SCRIPT))

    stopped = prompt(place, "--max-cost", "0.005")
    still = prompt(place, "-c", "--max-cost", "0.005")
    gone_on = prompt(place, "-c", "--max-cost", "0.01")

    assert (stopped.code, result(stopped)["reason"], result(stopped)["turns"]) == (4, "budget", 2)
    assert "Go on with: trouper -c --max-cost 0.01" in stopped.err
    assert (still.code, result(still)["turns"]) == (4, 0)
    assert (gone_on.code, result(gone_on)["reason"]) == (0, "done")


def test_without_a_known_price_nothing_is_asked(place: Place, serve: Serve) -> None:
    configure(place, serve(SCRIPT), prices="")

    refused = prompt(place, "--max-cost", "1")

    assert (refused.code, result(refused)["reason"], result(refused)["turns"]) == (4, "budget", 0)
    assert "the price of local/test-model is unknown" in refused.err
    assert '[models."local/test-model"]' in refused.err


def test_a_script_may_say_what_it_costs(place: Place) -> None:
    priced = place.script(answer("a", LOOK, usage={"cost_usd": 0.5}), answer("b", usage={"cost_usd": 0.5}))

    assert prompt(place, "--max-cost", "0.6", "--model", priced).code == 0
    assert prompt(place, "--max-cost", "0.5", "--model", priced).code == 4
    assert prompt(place, "--max-cost", "0.5", "--model", place.script(answer("a"), name="unpriced")).code == 4


@pytest.mark.parametrize("amount", ["0", "-1", "much", "inf", "nan"])
def test_a_limit_that_is_none_is_wrong_usage(place: Place, amount: str) -> None:
    assert prompt(place, f"--max-cost={amount}").code == 2


def batch(place: Place, limit: float) -> tuple[Finished, dict[str, Event]]:
    tasks = "".join(json.dumps({"id": f"t{number}", "prompt": f"p{number}"}) + "\n" for number in range(6))
    (place.workspace / "tasks.jsonl").write_text(tasks)
    common = ("--workers", "2", "--out", "out.jsonl", "--max-cost", str(limit))
    finished = place.run("batch", "tasks.jsonl", *common)
    lines = (place.workspace / "out.jsonl").read_text().splitlines()
    return finished, {line["id"]: line for line in map(json.loads, lines)}


def test_a_limit_is_for_the_whole_batch_and_a_higher_one_goes_on(place: Place, serve: Serve) -> None:
    configure(place, serve(SCRIPT))
    limit = 3 * COST * 3

    stopped, results = batch(place, limit)
    again, unchanged = batch(place, limit)
    gone_on, all_done = batch(place, 1.0)

    assert (stopped.code, again.code, gone_on.code) == (4, 4, 0)
    assert 0 < len(results) < 6
    assert {line["reason"] for line in results.values()} == {"done"}
    assert "paused: this batch has cost $" in stopped.err
    assert unchanged == results
    assert len(all_done) == 6
    assert {line["reason"] for line in all_done.values()} == {"done"}
    assert len({line["session"] for line in all_done.values()}) == 6
    assert results.items() <= all_done.items()


@pytest.mark.parametrize(("less", "more"), [({"max_cost": 1.5 * COST}, {"max_cost": 1}), ({"max_tokens": 1500}, {})])
def test_a_task_at_its_own_limit_ends_alone_and_with_more_goes_on_in_its_session(
    place: Place, serve: Serve, less: Event, more: Event
) -> None:
    configure(place, serve(SCRIPT))

    def run(limits: Event) -> tuple[Finished, dict[str, Event]]:
        tasks = ({"id": "small", "prompt": "p", **limits}, {"id": "free", "prompt": "q"})
        (place.workspace / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in tasks))
        finished = place.run("batch", "tasks.jsonl", "--out", "out.jsonl")
        lines = (place.workspace / "out.jsonl").read_text().splitlines()
        assert len(lines) == 2
        return finished, {line["id"]: line for line in map(json.loads, lines)}

    stopped, first = run(less)
    same, still = run(less)
    gone_on, then = run(more)

    assert (stopped.code, same.code, gone_on.code) == (1, 1, 0)
    assert {name: (line["reason"], line["turns"]) for name, line in first.items()} == {
        "small": ("budget", 2),
        "free": ("done", 3),
    }
    assert 'the task "small" has ' in first["small"]["error"]
    assert still == first
    assert then["free"] == first["free"]
    assert (then["small"]["reason"], then["small"]["session"]) == ("done", first["small"]["session"])
    kinds = [entry["body"]["type"] for entry in place.entries(then["small"]["session"])]
    assert kinds.count("AssistantMessage") >= 3
    assert then["small"]["usage"]["cost_usd"] == pytest.approx(kinds.count("AssistantMessage") * COST)


def test_an_effort_the_model_does_not_know_is_refused(place: Place, serve: Serve) -> None:
    configure(place, serve(SCRIPT), '[models."local/test-model"]\nefforts = ["low", "high"]\n')

    wrong = prompt(place, "--effort", "extreme")
    right = prompt(place, "--effort", "high")

    assert wrong.code == 1
    assert 'local/test-model knows no effort "extreme". It knows: low, high, off' in wrong.err
    assert result(wrong)["turns"] == 0
    assert right.code == 0


def test_models_are_listed(place: Place, serve: Serve) -> None:
    configure(place, serve(SCRIPT))

    found = place.run("models", "test-model", "--json")
    none = place.run("models", "test-modle")
    piped = place.run("models", "opus-5-5", ANTHROPIC_API_KEY="planted-key")

    rows = {row["model"]: row for row in json.loads(found.out)}
    assert (found.code, rows["local/test-model"]["usable"]) == (0, True)
    assert rows["local/test-model"]["prices"][0]["input"] == 2
    assert none.code == 1
    assert "local/test-model" in none.err
    assert piped.out.startswith("anthropic/claude-opus-5-5\t1M\t4\t20\t")
    assert piped.out.splitlines()[0].endswith("\tusable")


@pytest.mark.parametrize("model", ["claude-opus-5-5", "antropic/claude-opus-5-5"])
def test_an_unknown_provider_is_answered_with_the_nearest_models(place: Place, model: str) -> None:
    finished = prompt(place, "--model", model)

    assert finished.code == 1
    assert "anthropic/claude-opus-5-5" in finished.err


def test_many_sessions_under_one_budget_exceed_it_by_less_than_one_request(place: Place, serve: Serve) -> None:
    """A request is estimated at more than the whole budget here: they go one by one, and none is begun too many."""
    configure(place, serve(SCRIPT))
    limit = 10.5 * COST
    tasks = "".join(json.dumps({"id": f"t{number}", "prompt": f"p{number}"}) + "\n" for number in range(32))
    (place.workspace / "tasks.jsonl").write_text(tasks)

    stopped = place.run("batch", "tasks.jsonl", "--workers", "8", "--out", "out.jsonl", "--max-cost", str(limit))
    with closing(sqlite3.connect(place.home / "trouper.db")) as database:
        (spent,) = database.execute("SELECT total(cost) FROM sessions").fetchone()

    assert stopped.code == 4
    assert spent == pytest.approx(11 * COST)


def test_whoever_is_killed_no_budget_is_exceeded_and_nothing_holds_up_the_others(place: Place, serve: Serve) -> None:
    """Several requests fit beside one another here, until little is left."""
    configure(place, serve(SCRIPT), PRICES + "max_output = 100\n")
    limit = 25 * COST
    tasks = "".join(json.dumps({"id": f"t{number}", "prompt": f"p{number}"}) + "\n" for number in range(16))
    (place.workspace / "tasks.jsonl").write_text(tasks)
    agents = [f"agent:{f't{number}'.encode().hex()}" for number in range(0, 8, 2)]
    rules = [f"{agent}:kill@message:{4 + at * 2}" for at, agent in enumerate(agents)]
    rules += [f"store:kill@message:{messages}" for messages in (20, 35, 50)]

    common = ("--workers", "6", "--out", "out.jsonl", "--max-cost", str(limit))
    stopped = place.run("batch", "tasks.jsonl", *common, TROUPER_CHAOS=",".join(rules))
    with closing(sqlite3.connect(place.home / "trouper.db")) as database:
        (spent,) = database.execute("SELECT total(cost) FROM sessions").fetchone()
        (held,) = database.execute("SELECT count(*) FROM leases").fetchone()
    died = {line["actor"].partition(":")[0] for line in place.log() if line["event"] == "started" and line["life"] > 1}

    assert (stopped.code, held) == (4, 0)
    assert died >= {"agent", "store"}
    assert limit <= spent < limit + COST + 1e-9
