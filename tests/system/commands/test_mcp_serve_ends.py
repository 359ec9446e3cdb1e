"""How tasks of `trouper mcp serve` end: cancelled, with their client, and whoever dies."""

import json
import signal

import pytest

from tests.system.commands.mcp_client import ELICITS, WRITES, Client, Serving, StatelessClient, said
from tests.system.harness import Place, answer, call, kill, until

pytestmark = pytest.mark.slow
SLOW = answer("", delay_s=600.0)


def test_a_question_outlives_the_gate_and_the_task_is_done_once(place: Place) -> None:
    client = Client(place, "--model", place.script(*WRITES))
    client.greet(**ELICITS)
    task = client.call("run_task", prompt="write it")
    first = client.heard(method="elicitation/create")

    client.session.kill("gate")
    client.session.out.until(lambda lines: sum(b"elicitation/create" in line for line in lines) == 2)
    (second,) = [
        one for one in client.session.events() if one.get("method") == first["method"] and one["id"] != first["id"]
    ]
    for question in (first, second):
        client.send({"id": question["id"], "result": {"action": "accept", "content": {"decision": "yes, this once"}}})
    outcome = client.result(task)["structuredContent"]

    assert (outcome["status"], outcome["files_changed"]) == ("done", ["a.txt"])
    assert client.leave() == 0


def test_a_question_that_is_open_ends_with_its_client(place: Place) -> None:
    client = StatelessClient(place, "--model", place.script(*WRITES))
    asked = client.done("run_task", prompt="write it")

    code = client.leave()

    hits = json.loads(place.run("sessions", "search", "write", "--json").out)
    assert asked["resultType"] == "input_required"
    assert place.entries(hits[0]["session_id"])[-1]["body"]["reason"] == "interrupted"
    assert code == 0


def test_whoever_cancels_a_task_ends_its_turn_and_its_processes_and_nothing_else(
    place: Place, serving: Serving
) -> None:
    sleeps = answer("", call("bash", command="sleep 600"))
    client = serving(place.script(sleeps), "--mode", "auto")
    task = client.call("run_task", prompt="sleep")
    client.until_progress(task, "sleep 600")
    until(lambda: any("sleep 600" in one for one in place.left()))

    client.tell("notifications/cancelled", requestId=task, reason="enough")
    until(lambda: not any(name.startswith(("agent:", "tools:")) for name in client.session.actors()))
    found = client.done("search_sessions", words="sleep")["structuredContent"]["sessions"]
    read = client.done("read_session", session_id=found[0]["session_id"])

    assert not any("sleep 600" in one for one in place.left())
    assert "[interrupted]" in said(read)
    assert [one for one in client.session.events() if one.get("id") == task] == []


@pytest.mark.parametrize("end", ["eof", "SIGTERM", "SIGHUP", "SIGINT"])
def test_with_the_client_all_tasks_end_in_order(place: Place, serving: Serving, end: str) -> None:
    sleeps = answer("", call("bash", command="sleep 600"))
    client = serving(place.script(sleeps), "--mode", "auto")
    for number in (client.call("run_task", prompt="sleep"), client.call("run_task", prompt="sleep")):
        client.until_progress(number, "sleep 600")

    if end != "eof":
        client.session.signal(signal.Signals[end])
        client.session.wait()
    code = client.leave()

    ended = json.loads(place.run("sessions", "search", "sleep", "--json").out)
    reasons = [place.entries(one)[-1]["body"]["reason"] for one in {hit["session_id"] for hit in ended}]
    assert code == (0 if end == "eof" else 130)
    assert reasons == ["interrupted", "interrupted"]
    assert place.left() == []


@pytest.mark.parametrize("actor", ["agent:31", "gate", "store", "providers"])
def test_a_task_comes_to_its_end_whoever_dies_and_is_told_once(place: Place, serving: Serving, actor: str) -> None:
    model = place.script(answer("I look.", call("list", path="."), delay_s=2.0), answer("Done.", delay_s=0.5))
    client = serving(model)
    task = client.call("run_task", prompt="look")
    client.until_progress(task, "session")

    client.session.kill(actor)
    outcome = client.result(task)["structuredContent"]
    code = client.leave()

    assert (outcome["status"], outcome["answer"]) == ("done", "Done.")
    assert len([one for one in client.session.events() if one.get("id") == task]) == 1
    assert code == 0


def test_after_a_kill_of_the_whole_server_its_session_can_be_gone_on_with(place: Place, serving: Serving) -> None:
    model = place.script(answer("First."), SLOW, answer("Third."))
    client = serving(model)
    session_id = client.done("run_task", prompt="one")["structuredContent"]["session_id"]
    task = client.call("run_task", prompt="two", session_id=session_id)
    client.until_progress(task, "session")
    left = client.session.kill_supervisor()

    model = place.script(answer("First."), answer("Second."), answer("Third."), name="next")
    result = serving(model).done("run_task", prompt="three", session_id=session_id)

    assert left == []
    assert result["structuredContent"]["answer"] in (
        "Second.",
        "Third.",
    )  # as the kill came before its prompt, or after


def test_a_death_of_the_front_ends_the_connection(place: Place, serving: Serving) -> None:
    client = serving(place.script(SLOW))
    client.until_progress(client.call("run_task", prompt="x"), "session")

    kill(client.session.actors()["ui"].pid)
    finished = client.session.finish()

    assert finished.code == 1
    assert "connect again" in finished.err
