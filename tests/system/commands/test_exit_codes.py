"""Each exit code of docs/headless.md, in each form of output: one end is told, and it agrees with the code."""

import json
import shutil
import signal
from typing import NamedTuple

import pytest

from tests.repositories import git
from tests.system.harness import Event, Fifo, Finished, Place, answer, call, until

pytestmark = pytest.mark.slow
LOOK, NOTE = call("list", path="."), call("write", path="a.txt", content="a\n")
BROKEN = answer(error={"code": "bad_request", "text": "no."})
PAID = {"cost_usd": 1.0}
NEVER = answer("Too late.", delay_s=3600)
FORMS = ("text", "json", "stream-json")


class End(NamedTuple):
    code: int
    reason: str
    """Of the result; "": nothing was begun, so there is none."""
    answers: tuple[Event, ...] = ()
    more: tuple[str, ...] = ()
    model: str = ""


ENDS = {
    "done": End(0, "done", (answer("It is done."),)),
    "failed": End(1, "failed", (BROKEN,)),
    "usage": End(2, "", (), ("--max-turns", "0")),
    "no such session": End(2, "failed", (answer("Never."),), ("-r", "ffffffff")),
    "refused": End(3, "refused", (answer("", NOTE), answer("I cannot.")), ("--mode", "default")),
    "budget": End(4, "budget", (answer("", LOOK, usage=PAID), answer("b", usage=PAID)), ("--max-cost", "1")),
    "turn limit": End(4, "turn_limit", (answer("", LOOK), answer("", LOOK)), ("--max-turns", "1")),
    "no credentials": End(5, "no_credentials", model="anthropic/claude-opus-5-5"),
    "timeout": End(124, "timeout", (NEVER,), ("--timeout", "3")),
}


def check(finished: Finished, form: str, code: int, reason: str) -> None:
    assert finished.code == code, finished.err
    assert ("trouper: " in finished.err) == (code != 0), finished.err
    if form == "text" or not reason:
        return
    results = [event for event in finished.events if event.get("type", "result") == "result"]
    assert results == [finished.events[-1]]
    assert (results[0]["reason"], results[0]["error"] is None) == (reason, code == 0)
    assert "error" not in {event.get("type") for event in finished.events}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("end", ENDS)
def test_a_prompt_ends_with_its_code_and_tells_so_once(place: Place, end: str, form: str) -> None:
    code, reason, answers, more, model = ENDS[end]

    asked = ("-p", "go on", "--mode", "auto", "--output", form, "--model", model or place.script(*answers), *more)
    finished = place.run(*asked)

    check(finished, form, code, reason)


@pytest.mark.parametrize("form", FORMS)
def test_so_it_does_where_another_program_has_the_session(place: Place, form: str) -> None:
    first = place.prompt(place.script(NEVER))
    session_id = first.wait_for("session")["id"]

    finished = place.run("-p", "x", "--model", place.script(name="other"), "--output", form, "-r", session_id)

    check(finished, form, 6, "failed")
    assert first.kill_supervisor() == []


@pytest.mark.parametrize("form", FORMS)
def test_so_it_does_when_it_is_interrupted(place: Place, form: str) -> None:
    session = place.start("-p", "go on", "--output", form, "--model", place.script(NEVER))
    until(lambda: "agent:main" in session.actors())
    session.signal(signal.SIGINT)

    check(session.finish(), form, 130, "interrupted")


@pytest.mark.parametrize("form", FORMS)
def test_what_was_asked_for_and_is_not_there_is_no_success(place: Place, form: str) -> None:
    folder = place.workspace / "gone"
    folder.mkdir()
    model = place.script(answer("", call("bash", command=f"rmdir {folder}")), answer("Done."))

    finished = place.run(
        *("-p", "x", "--mode", "auto", "--model", model, "--output", form, "--trajectory", "gone/t.json")
    )

    check(finished, form, 1, "failed")
    assert "cannot write the trajectory" in finished.err


def tasks(place: Place, *lines: Event) -> None:
    (place.workspace / "tasks.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def batch(place: Place, *answers: Event, more: tuple[str, ...] = ()) -> Finished:
    return place.run("batch", "tasks.jsonl", "--model", place.script(*answers), "--mode", "auto", *more)


def reasons(place: Place) -> list[str]:
    path = place.workspace / "tasks.results.jsonl"
    return [json.loads(line)["reason"] for line in path.read_text().splitlines()] if path.exists() else []


BATCHES: dict[str, tuple[int, list[str], Event, tuple[Event, ...], tuple[str, ...]]] = {
    "done": (0, ["done"], {}, (answer("Done."),), ()),
    "failed": (1, ["failed"], {}, (BROKEN,), ()),
    "a check fails": (1, ["failed"], {"check": "false"}, (answer("Done."),), ()),
    "a setup fails": (1, ["failed"], {"setup": "false"}, (answer("Done."),), ()),
    "refused": (1, ["refused"], {"mode": "default"}, (answer("", NOTE), answer("I cannot.")), ()),
    "out of time": (1, ["timeout"], {"timeout": "3s"}, (NEVER,), ("--retries", "0")),
    "usage": (2, [], {"nonsense": 1}, (answer("Never."),), ()),
    "budget": (4, [], {}, (answer("", LOOK, usage=PAID), answer("b", usage=PAID)), ("--max-cost", "1")),
}


@pytest.mark.parametrize("end", BATCHES)
def test_a_batch_ends_with_its_code_and_a_result_where_a_task_has_ended(place: Place, end: str) -> None:
    code, told, fields, answers, more = BATCHES[end]
    tasks(place, {"id": "a", "prompt": "go", **fields})

    finished = batch(place, *answers, more=more)

    assert (finished.code, reasons(place)) == (code, told), finished.err


def test_a_batch_that_is_interrupted_says_so_by_its_code(place: Place) -> None:
    tasks(place, {"id": "a", "prompt": "go"})
    session = place.start("batch", "tasks.jsonl", "--model", place.script(NEVER))
    until(lambda: any(name.startswith("agent:") for name in session.actors()))

    session.signal(signal.SIGINT)

    assert (session.finish().code, reasons(place)) == (130, [])


def test_a_patch_that_cannot_be_taken_is_no_success(place: Place) -> None:
    (place.workspace / "f").write_text("f\n")
    git(place.workspace, "init", "-q")
    git(place.workspace, "add", "f")
    git(place.workspace, "commit", "-qm", "one")
    tasks(place, {"id": "a", "prompt": "go"})
    model = place.script(answer("", call("bash", command="touch ready; while [ -e ready ]; do sleep 0.05; done")))
    session = place.start("batch", "tasks.jsonl", "--model", model, "--mode", "auto")
    worktrees = place.home / "worktrees"
    until(lambda: bool(list(worktrees.glob("**/ready"))))

    shutil.rmtree(worktrees, ignore_errors=True)
    finished = session.finish()

    assert finished.code == 1, finished.err
    assert reasons(place) == ["failed"]


@pytest.mark.parametrize("option", ["--report", "--predictions", "--artifacts"])
def test_a_report_that_cannot_be_written_is_no_success(place: Place, option: str) -> None:
    folder = place.workspace / "reports"
    folder.mkdir()
    tasks(place, {"id": "a", "prompt": "go"})
    fifo = Fifo(place.workspace / "fifo")
    model = place.script(answer("", call("bash", command="touch ready; read -r line < fifo")), answer("Done."))
    session = place.start(
        *("batch", "tasks.jsonl", "--model", model, "--mode", "auto", option, str(folder / "out.json"))
    )
    until((place.workspace / "ready").exists)

    folder.rmdir()
    folder.write_text("no folder any more\n")
    fifo.let_go()
    finished = session.finish()
    fifo.close()

    assert (finished.code, reasons(place)) == (1, ["done"]), finished.err
