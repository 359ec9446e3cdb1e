"""A batch that is looked at: on its own terminal, from other terminals, and afterwards by what it left behind."""

import json
import re
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.system.harness import Place, answer, call, kill, until
from tests.system.screen.tmux import Tmux
from tests.system.subagents.words import case, repository, spawn

pytestmark = pytest.mark.slow
IDS = [f"task-{number}" for number in range(6)]
COMMON = ("--workers", "2", "--out", "out.jsonl", "--mode", "auto")
REPORTS = ("--report", "r.json", "--report", "r.xml", "--report", "r.md", "--report", "r.html")
GATE = 'while ! test -e "go"; do sleep 0.1; done'
"""Until the test says so."""


@pytest.fixture
def held(place: Place) -> str:
    """The model of tasks that wait within a command for a file `go`."""
    (place.workspace / "tasks.jsonl").write_text(
        "".join(json.dumps({"id": task_id, "prompt": task_id}) + "\n" for task_id in IDS)
    )
    return place.script(answer("", call("bash", command=GATE)), answer("It went on."))


@pytest.fixture
def terminal(place: Place, held: str) -> Iterator[Tmux]:
    tmux = Tmux(place, "batch", "tasks.jsonl", *COMMON, "--model", held, job_control=True)
    tmux.wait_for("bash while")
    yield tmux
    (place.workspace / "go").touch()
    tmux.close()
    until(lambda: place.left() == [])


def results(place: Place) -> Counter[str]:
    path = place.workspace / "out.jsonl"
    return Counter(json.loads(line)["id"] for line in path.read_text().splitlines()) if path.exists() else Counter()


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_the_terminal_has_a_row_for_each_worker_and_is_a_shell_again_afterwards(place: Place, terminal: Tmux) -> None:
    terminal.wait(
        lambda: (seen := flat(terminal.visible)).count("bash while") == 2 and "0/6 0 done, 2 at work, 4 left" in seen
    )
    (place.workspace / "go").touch()
    terminal.wait_for("[6/6]")
    terminal.wait_for("6 done")
    terminal.wait(lambda: "at work" not in terminal.visible)
    terminal.type("echo the she''ll is back\n")
    terminal.wait_for("the shell is back")

    assert [line.count("done") for line in terminal.text.splitlines() if line.startswith("[")] == [1] * 6
    assert results(place) == Counter(IDS)


def test_another_size_leaves_one_set_of_rows(terminal: Tmux) -> None:
    for width, height in ((60, 20), (30, 9), (100, 30)):
        terminal.resize(width, height)
        terminal.wait(lambda: re.search(r"batch \w{12} 0/6", terminal.visible) is not None)
    terminal.wait(lambda: flat(terminal.visible).count("bash while") == 2)
    terminal.wait(lambda: len(re.findall(r"batch \w{12} 0/6", terminal.visible)) == 1)


def test_ctrl_c_pauses_it_and_the_same_command_goes_on(place: Place, terminal: Tmux, held: str) -> None:
    terminal.press("C-c")
    terminal.wait_for("the same command goes on")
    terminal.wait(lambda: "at work" not in terminal.visible)
    (place.workspace / "go").touch()
    terminal.type("stty -g | cmp - " + str(place.temporary / "stty") + " && echo sa''ne\n")
    terminal.wait_for("sane")
    finished = place.run("batch", "tasks.jsonl", *COMMON, "--model", held)

    assert finished.code == 0, finished.err
    assert results(place) == Counter(IDS)


def test_a_front_that_is_killed_comes_back_and_draws_again(place: Place, terminal: Tmux) -> None:
    killed = terminal.pid("ui")
    kill(killed)
    until(lambda: terminal.pid("ui") != killed)
    (place.workspace / "go").touch()
    terminal.wait_for("6 done")
    terminal.type("echo the she''ll is back\n")
    terminal.wait_for("the shell is back")

    assert results(place) == Counter(IDS)


def test_nothing_is_drawn_while_the_job_is_stopped(terminal: Tmux) -> None:
    terminal.press("C-z")
    terminal.wait_for("Stopped")
    terminal.type("clear; echo cl''ean\n")
    terminal.wait(lambda: "clean" in terminal.visible and "at work" not in terminal.visible)
    terminal.type("fg\n")
    terminal.wait(lambda: "at work" in terminal.visible)


def test_another_program_sees_it_and_pauses_it_in_order(place: Place, held: str) -> None:
    batch = place.start("batch", "tasks.jsonl", *COMMON, "--model", held)
    until(lambda: _standing(place)[0] == 2)
    looking = place.start("batch", "attach", "latest")
    looking.err.until(lambda lines: b"looking on" in b"".join(lines))
    before = place.run("batch", "status", "tasks.jsonl")
    cancelled = place.run("batch", "cancel", "latest")
    paused, looked = batch.finish(), looking.finish()
    after = place.run("batch", "status")

    assert ": runs\n" in before.out
    assert "\x1b" not in before.out
    assert (cancelled.code, paused.code) == (0, 130)
    assert "asked to pause by trouper batch cancel" in paused.err
    assert looked.code == 130
    assert "asked to pause by trouper batch cancel" in looked.err
    assert ": paused\n" in after.out
    assert "to go on: trouper batch --resume" in after.out
    assert place.run("batch", "cancel", "latest").code == 1
    assert place.run("batch", "attach", "latest").code == 1


def test_a_batch_that_was_killed_is_told_as_cut_off(place: Place, held: str) -> None:
    batch = place.start("batch", "tasks.jsonl", *COMMON, "--model", held)
    until(lambda: _standing(place)[0] == 2)
    batch.kill_supervisor()
    told = place.run("batch", "status")

    assert ": was cut off\n" in told.out
    assert "2 running" in told.out


def test_what_failed_is_run_again_and_nothing_else(place: Place) -> None:
    lines = [{"id": task_id, "prompt": task_id, "check": f"test -e {task_id}"} for task_id in ("a", "b", "c")]
    (place.workspace / "tasks.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for name in ("a", "b"):
        (place.workspace / name).touch()
    (place.workspace / "b").unlink()
    model = place.script(answer("Nothing to do."))
    files = (*REPORTS, "--predictions", "p.jsonl", "--artifacts", "out", "--isolation", "none")
    first = place.run("batch", "tasks.jsonl", *COMMON, "--model", model, *files)
    before = json.loads((place.workspace / "r.json").read_text())
    (place.workspace / "b").touch()
    second = place.run("batch", "retry", "latest", "b")
    after = json.loads((place.workspace / "r.json").read_text())

    assert (first.code, second.code) == (1, 1)
    assert [task["verdict"] for task in before["tasks"]] == ["passed", "failed", "failed"]
    assert [task["verdict"] for task in after["tasks"]] == ["passed", "passed", "failed"]
    assert before["tasks"][2] == after["tasks"][2]
    suite = ET.parse(place.workspace / "r.xml").getroot().find("testsuite")  # noqa: S314  # our own
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    assert "| a | done |" in (place.workspace / "r.md").read_text()
    assert len((place.workspace / "p.jsonl").read_text().splitlines()) == 3
    assert sorted(path.name for path in (place.workspace / "out").iterdir()) == ["a", "b", "c"]
    assert "check: test -e c: exit code 1" in (place.workspace / "out" / "c" / "log.txt").read_text()
    assert json.loads((place.workspace / "out" / "a" / "trajectory.json").read_text())["schema_version"] == "ATIF-v1.8"


def test_what_agents_of_a_task_have_said_and_changed_is_with_its_own(place: Place) -> None:
    repository(place)
    (place.workspace / "tasks.jsonl").write_text('{"id": "t", "prompt": "t"}\n')
    model = place.script(
        answer(
            "",
            spawn("scout", "look for A"),
            spawn("writer", "make it", isolation="worktree", type="general"),
        ),
        answer("I leave it there."),
        cases=[
            case("look for A", answer("A is here")),
            case("make it", answer("", call("write", path="made.txt", content="made\n")), answer("It is made.")),
        ],
    )
    finished = place.run("batch", "tasks.jsonl", *COMMON, "--model", model, "--artifacts", "out", "--report", "r.json")

    (task,) = json.loads((place.workspace / "r.json").read_text())["tasks"]

    scout, writer = sorted(task["agents"], key=lambda agent: agent["name"])  # both were started at once
    assert finished.code == 0, finished.err
    assert (scout["name"], scout["state"], scout["folder"]) == ("scout", "completed", "t/agents/scout")
    assert (writer["name"], writer["state"]) == ("writer", "completed")
    assert _files(place, scout["folder"]) == ["trajectory.json", "transcript.md"]
    assert _files(place, writer["folder"]) == ["patch.diff", "trajectory.json", "transcript.md"]
    assert "A is here" in (place.workspace / "out" / scout["folder"] / "transcript.md").read_text()
    assert "+made\n" in (place.workspace / "out" / writer["folder"] / "patch.diff").read_text()


def _files(place: Place, folder: str) -> list[str]:
    return sorted(path.name for path in (place.workspace / "out" / folder).iterdir())


def test_a_file_that_is_called_like_a_word_is_still_a_file_of_tasks(place: Place) -> None:
    (place.workspace / "status").mkdir()
    Path(place.workspace, "status", "one.md").write_text("do it")
    finished = place.run("batch", "status", "--model", place.script(answer("Done.")))

    assert finished.code == 0, finished.err
    assert "[1/1] one: done" in finished.err


def test_a_row_says_what_is_done_with_its_task_beside_its_agent(place: Place) -> None:
    wait = 'while ! test -e "{}"; do sleep 0.1; done'
    line = {"id": "a", "prompt": "a", "setup": wait.format("ready"), "check": wait.format("looked")}
    (place.workspace / "tasks.jsonl").write_text(json.dumps(line) + "\n")
    batch = place.start("batch", "tasks.jsonl", *COMMON, "--model", place.script(answer("Done.")))
    until(lambda: f"sets up: {line['setup']}" in place.run("batch", "status").out)
    (place.workspace / "ready").touch()
    until(lambda: f"checks: {line['check']}" in place.run("batch", "status").out)
    (place.workspace / "looked").touch()

    assert batch.finish().code == 0


def _standing(place: Place) -> tuple[int, int]:
    """How many are at work, and how many are left, as another program sees it."""
    told = place.run("batch", "status", "--json")
    live = json.loads(told.out).get("live") if told.code == 0 else None
    return (len(live["at_work"]), live["left"]) if live else (0, 0)


def test_a_pause_by_a_signal_leaves_reports_of_what_is_there(place: Place, held: str) -> None:
    batch = place.start("batch", "tasks.jsonl", *COMMON, *REPORTS, "--model", held)
    until(lambda: _standing(place)[0] == 2)
    batch.signal(signal.SIGINT)
    finished = batch.finish()

    assert finished.code == 130
    assert json.loads((place.workspace / "r.json").read_text())["totals"]["skipped"] == 6
