"""A batch by its whole command: what is said at the start, who works on it, checks, and how it is gone on with."""

import contextlib
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter

import pytest

from tests.system.harness import LAUNCHER, Event, Finished, Place, answer, call, until
from tests.system.subagents.words import repository

pytestmark = pytest.mark.slow
NOTE = (answer("I note it.", call("write", path="{prompt}.txt", content="{prompt}\n")), answer("Done."))
IDS = ["a", "b", "c"]


def write_tasks(place: Place, *tasks: Event) -> None:
    (place.workspace / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in tasks))


def task(task_id: str, **fields: object) -> Event:
    return {"id": task_id, "prompt": task_id, **fields}


def results(place: Place, name: str = "tasks.results.jsonl") -> dict[str, Event]:
    """By id, each once."""
    path = place.workspace / name
    whole = path.read_text().rpartition("\n")[0] if path.exists() else ""
    lines = [json.loads(line) for line in whole.splitlines()]
    assert set(Counter(line["id"] for line in lines).values()) <= {1}
    return {line["id"]: line for line in lines}


def batch(place: Place, model: str, *more: str) -> Finished:
    return place.run("batch", "tasks.jsonl", "--model", model, "--mode", "auto", *more)


def test_more_tasks_than_files_that_may_be_open(place: Place) -> None:
    write_tasks(place, *(task(f"t{number}") for number in range(100)))
    command = ["batch", "tasks.jsonl", "--workers", "2", "--model", place.script(answer("Done."))]
    finished = subprocess.run(
        ["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh", sys.executable, "-P", str(LAUNCHER), *command],
        cwd=place.workspace,
        env=place.environment,
        capture_output=True,
        check=False,
    )

    assert finished.returncode == 0, finished.stderr
    assert len(results(place)) == 100


def test_servers_of_a_task_s_own_folder_do_not_count_and_its_result_says_so(place: Place) -> None:
    folder = place.workspace / "there"
    folder.mkdir()
    (folder / ".mcp.json").write_text('{"mcpServers": {"theirs": {"command": "touch", "args": ["started"]}}}')
    (place.workspace / ".mcp.json").write_text('{"mcpServers": {"ours": {"command": "false"}}}')
    assert [place.run("mcp", "trust", "--yes", *more).code for more in ((), ("--cwd", str(folder)))] == [0, 0]
    write_tasks(place, task("here"), task("there", cwd="there"))

    finished = batch(place, place.script(answer("Done.")), "--artifacts", "artifacts")

    told = f"{folder}/.mcp.json: MCP servers of a task's own folder do not count, so left out: theirs."
    of_there = results(place)["there"]
    assert (finished.code, "notices" in results(place)["here"]) == (0, False)
    assert of_there["notices"] == [f"{told} Those of {place.workspace} and your own do."]
    assert told in (place.workspace / "artifacts" / "there" / "log.txt").read_text()
    prompts = {name: json.dumps(place.entries(result["session"])) for name, result in results(place).items()}
    assert {name: "MCP servers run elsewhere" in text for name, text in prompts.items()} == {
        "here": False,
        "there": True,
    }
    assert not (folder / "started").exists()


def journaled(place: Place) -> list[Event]:
    """Results in the journal."""
    with contextlib.closing(sqlite3.connect(f"file:{place.home}/trouper.db?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT result FROM batch_tasks WHERE result != ''").fetchall()
        return [json.loads(result) for (result,) in rows]


def test_a_result_that_only_the_journal_has_when_all_dies_is_in_the_file_at_the_next_start(place: Place) -> None:
    repository(place)
    write_tasks(place, task("new"))
    model = place.script(*NOTE)
    hangs = ",".join(["checkpoints:hang@text:RemoveWorktree"] * 3)
    session = place.start("batch", "tasks.jsonl", "--model", model, "--mode", "auto", TROUPER_CHAOS=hangs)
    session.err.until(lambda lines: any(b"to go on with it" in line for line in lines))
    until(lambda: bool(journaled(place)))
    before = results(place)
    assert session.kill_supervisor() == []
    (kept,) = journaled(place)
    finished = batch(place, place.script(answer("Never asked.")))

    assert before == {}
    assert finished.code == 0, finished.err
    assert "1 task (1 done before): nothing is left to do" in finished.err
    assert results(place) == {"new": {**kept, "kept": f"refs/trouper/work/{kept['session']}"}}
    assert "+new\n" in kept["patch"]


def test_a_task_whose_worktree_was_deleted_while_it_was_paused_begins_anew(place: Place) -> None:
    repository(place)
    write_tasks(place, task("new"))
    model = place.script(NOTE[0], answer("Done.", delay_s=100))
    session = place.start("batch", "tasks.jsonl", "--model", model, "--mode", "auto")
    until(lambda: any((place.home / "worktrees").glob("*/*/new.txt")))
    session.signal(signal.SIGINT)
    paused = session.finish()
    (folder,) = (place.home / "worktrees").glob("[!.]*")
    shutil.rmtree(folder)
    finished = batch(place, place.script(*NOTE))

    assert paused.code == 130
    assert finished.code == 0, finished.err
    assert "the worktree of new is gone, with what was done in it: it begins anew" in finished.err
    assert "+new\n" in results(place)["new"]["patch"]


def test_a_batch_whose_folder_was_moved_while_it_was_paused_says_what_to_do(place: Place) -> None:
    write_tasks(place, task("a"))
    (place.workspace / "there").mkdir()
    model = place.script(answer("Done."))
    batch(place, model, "--out", "there/r.jsonl")
    (place.workspace / "there").rename(place.workspace / "elsewhere")
    no_results = place.run("batch", "--resume", "latest")
    kept = next((place.home / "batches").glob("*.json"))
    kept.write_text(kept.read_text().replace(f'"cwd":"{place.workspace}"', f'"cwd":"{place.workspace}/moved"'))
    no_folder = place.run("batch", "--resume", "latest")

    assert (no_results.code, no_folder.code) == (2, 2)
    assert f"there is no folder {place.workspace}/there. Make it, or move it back." in no_results.err
    assert f"cannot go on in {place.workspace}/moved" in no_folder.err
    assert "move it back" in no_folder.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("statsu",), "Did you mean: trouper batch status"),
        (("resume", "latest"), "Did you mean: trouper batch --resume RUN"),
        (("tasks.jsonl", "--resume", "latest"), 'leave "tasks.jsonl" out.'),
        (("retry", "latest", "zzz"), 'there is no task "zzz" in the batch'),
        (("retry",), "the following arguments are required: RUN."),
        (("tasks.jsonl", "--timeout", "0"), "must be more than 0"),
        (("tasks.jsonl", "--retries", "x"), "must be a whole number, at least 0"),
    ],
)
def test_what_was_meant_is_said_where_it_is_called_otherwise(
    place: Place, arguments: tuple[str, ...], said: str
) -> None:
    write_tasks(place, task("a"))
    batch(place, place.script(answer("Done.")))
    finished = place.run("batch", *arguments)

    assert finished.code == 2
    assert said in finished.err


def test_a_second_program_is_told_who_has_the_batch_and_the_first_goes_on(place: Place) -> None:
    held = place.script(answer("", call("bash", command="while ! test -e go; do sleep 0.1; done")), answer("Done."))
    write_tasks(place, *map(task, IDS))
    first = place.start("batch", "tasks.jsonl", "--model", held, "--mode", "auto")
    until(lambda: any(name.startswith("agent:") for name in first.actors()))
    second = batch(place, held)
    by_name = place.run("batch", "--resume", "latest")

    assert (second.code, by_name.code) == (6, 6)
    for other in (second, by_name):
        assert f"this batch is being worked on: process {first.pid}" in other.err
    (place.workspace / "go").touch()
    assert first.finish().code == 0
    assert set(results(place)) == set(IDS)


def test_what_must_pass_before_and_afterwards_decides(place: Place) -> None:
    write_tasks(
        place,
        task("good", setup="echo {} > ready", check="cat good.txt ready"),
        task("bad", check="cat good.txt; echo not so; exit 3"),
        task("unready", setup="echo no; exit 1"),
        task("denied", check="cat denied.txt"),
    )
    finished = batch(place, place.script(*NOTE), "--workers", "1", "--deny", "Bash(cat denied.txt)")

    got = results(place)
    assert finished.code == 1
    assert {name: (line["reason"], line["turns"]) for name, line in got.items()} == {
        "good": ("done", 2),
        "bad": ("failed", 2),
        "unready": ("failed", 0),
        "denied": ("failed", 2),
    }
    assert got["good"]["check"] == {"command": "cat good.txt ready", "exit_code": 0, "output": "good\n{}"}
    assert got["bad"]["error"] == "the check failed: `cat good.txt; echo not so; exit 3` ended with 3: not so"
    assert got["unready"]["error"] == "the setup failed: `echo no; exit 1` ended with 1: no"
    assert "the check could not run: `cat denied.txt` may not run" in got["denied"]["error"]
    assert not (place.workspace / "unready.txt").exists()


def test_a_changed_task_is_said_and_run_and_the_others_are_not(place: Place) -> None:
    model = place.script(*NOTE)
    write_tasks(place, *map(task, IDS))
    batch(place, model)
    before = results(place)
    write_tasks(place, task("a"), task("b", prompt="other"), task("c", tags=["t"]))
    finished = batch(place, model)

    after = results(place)
    assert finished.code == 0
    assert "changed since, and so run anew: b\n" in finished.err
    assert "3 tasks (2 done before): 1 task to do" in finished.err
    assert (after["a"], after["c"]) == (before["a"], before["c"])
    assert after["b"]["session"] != before["b"]["session"]
    assert (place.workspace / "other.txt").exists()


def test_a_task_in_plan_mode_changes_nothing_in_a_batch_that_may(place: Place) -> None:
    write_tasks(place, task("a", mode="plan"), task("b"))
    batch(place, place.script(*NOTE))

    assert not (place.workspace / "a.txt").exists()
    assert (place.workspace / "b.txt").exists()


def test_a_batch_of_standard_input_goes_on_without_it(place: Place) -> None:
    model = place.script(answer("Done.", usage={"cost_usd": 0.5}))
    whole = "".join(json.dumps(task(one)) + "\n" for one in IDS)
    command = ["batch", "-", "--out", "out.jsonl", "--model", model, "--workers", "1"]
    first = subprocess.run(
        [sys.executable, "-P", str(LAUNCHER), *command, "--soft-cost", "0.4"],
        input=whole.encode(),
        cwd=place.workspace,
        env=place.environment,
        capture_output=True,
        timeout=60,
        check=False,
    )
    finished = place.run("batch", "--resume", "out.jsonl", "--soft-cost", "100")

    assert first.returncode == 4
    assert b"paused: this batch has cost $0.50, and --soft-cost is $0.40." in first.stderr
    assert finished.code == 0, finished.err
    assert set(results(place, "out.jsonl")) == set(IDS)


def test_no_task_is_begun_while_the_service_is_down_and_that_is_shown(place: Place) -> None:
    (place.home / "config.toml").write_text(
        '[providers.local]\napi = "openai-chat"\nbase_url = "http://127.0.0.1:9/v1"\n'
    )
    write_tasks(place, *map(task, IDS))
    finished = place.run("batch", "tasks.jsonl", "--model", "local/m", "--retry-for", "2s")

    assert finished.code == 1
    assert "no task is begun yet: " in finished.err
    assert finished.err.rstrip().endswith("The same command goes on once it can.")
    assert results(place) == {}
