"""Whatever does not come, a headless run ends: by which deadline is said in its result and by its exit code."""

import json
import os
import subprocess
import sys
from typing import NamedTuple

import pytest

from actors.providers.scripted import Script
from tests.fakes.in_thread import in_thread
from tests.fakes.model_server import open_model_server
from tests.system.harness import LAUNCHER, Place, answer
from tests.system.subagents.words import case, spawn

pytestmark = pytest.mark.slow
NEVER = answer("Too late.", delay_s=3600)


class Deadline(NamedTuple):
    fault: str
    """Of the model service."""
    more: tuple[str, ...]
    code: int
    reason: str
    said: str


CONFIG = 'model = "local/m"\nproviders.local.api = "openai-chat"\nproviders.local.base_url = "{url}/v1"\n'
SILENT = 'retry_for = "0"\nproviders.local.idle_timeout_s = 1.0\n'
DEADLINES = {
    "first byte": Deadline("silence", (), 1, "failed", "idle_timeout_s"),
    "idle stream": Deadline("stall", (), 1, "failed", "idle_timeout_s"),
    "turn, nothing comes": Deadline("silence", ("--timeout", "4"), 124, "timeout", "time was up after 4 s"),
    "turn, all is refused": Deadline("529", ("--timeout", "4"), 124, "timeout", "time was up after 4 s"),
}


@pytest.mark.parametrize("deadline", DEADLINES)
def test_a_run_ends_at_its_deadline_and_says_which(place: Place, deadline: str) -> None:
    fault, more, code, reason, said = DEADLINES[deadline]
    with in_thread(lambda: open_model_server(Script())) as server:
        server.down = fault
        (place.home / "config.toml").write_text(CONFIG.format(url=server.url) + ("" if more else SILENT))
        finished = place.run("-p", "hi", "--output", "stream-json", *more)

    assert (finished.code, finished.events[-1]["reason"]) == (code, reason), finished.err
    assert said in finished.err + str(finished.events[-1]["error"])
    assert server.asked


def test_one_whose_actors_never_answer_ends_at_its_time_too(place: Place) -> None:
    hung = ",".join(["agent:main:hang@message:1"] * 20)

    finished = place.prompt(place.script(NEVER), "--timeout", "3", TROUPER_CHAOS=hung).finish()

    assert (finished.code, finished.events[-1]["reason"]) == (124, "timeout")


HOOK = '[[hooks.prompt]]\ncommand = "sleep 3600"\ntimeout_s = 600\n'
STARTS = {
    "a hook": (HOOK, "", "agent:main waited for gate (rules and hooks), tools:main (commands and hooks)"),
    "the store": ("", ",".join(["store:hang@message:1"] * 20), "agent:main waited for store (the session database)"),
    "the agent": ("", ",".join(["agent:main:hang@message:1"] * 20), "agent:main"),
}


@pytest.mark.parametrize("held_up_by", STARTS)
def test_a_run_that_does_not_come_to_its_first_request_ends_and_says_who_held_it_up(
    place: Place, held_up_by: str
) -> None:
    config, hung, said = STARTS[held_up_by]
    (place.home / "config.toml").write_text(config)
    model = place.script(answer("Never."))

    finished = place.prompt(model, "--start-timeout", "4s", TROUPER_CHAOS=hung).finish()

    result = finished.events[-1]
    assert (finished.code, result["reason"], result["turns"]) == (124, "timeout", 0), finished.err
    assert result["error"].startswith("no model was asked within 4 s of the start (--start-timeout): ")
    assert said in result["error"]
    assert [event for event in finished.events if event["type"] == "result"] == [result]


@pytest.mark.parametrize("output", ["text", "json", "stream-json"])
def test_a_stdin_that_never_ends_is_not_waited_for_longer_than_all_may_take(place: Place, output: str) -> None:
    reading, writing = os.pipe()
    command = [sys.executable, "-P", str(LAUNCHER), "-p", "hi", "--timeout", "1", "--output", output]
    with os.fdopen(writing, "wb"):
        ended = subprocess.run(
            command, stdin=reading, capture_output=True, env=place.environment, cwd=place.workspace, text=True
        )
    os.close(reading)

    assert (ended.returncode, "while reading stdin" in ended.stderr) == (124, True)
    assert [json.loads(line)["reason"] for line in ended.stdout.splitlines()] == ["timeout"] * (output != "text")


def test_a_silent_run_shows_that_it_lives_and_for_whom_it_waits(place: Place) -> None:
    session = place.prompt(place.script(NEVER))

    assert session.wait_for("heartbeat")["waits_for"] == ["providers"]
    assert session.kill_supervisor() == []


def test_a_turn_that_waits_for_its_subagents_ends_at_its_time_with_them(place: Place) -> None:
    waits = [spawn("front", "look for A"), spawn("back", "look for B", background=True)]
    model = place.script(answer("", *waits), cases=[case("look for", NEVER)])

    finished = place.prompt(model, "--timeout", "6").finish()

    result = finished.events[-1]
    assert (finished.code, result["reason"]) == (124, "timeout")
    assert result["agents"] == {"front": "cancelled", "back": "cancelled"}


@pytest.mark.parametrize(("more", "said"), [({"timeout": "3s"}, "time was up after 3 s."), ({}, "(--stall)")])
def test_a_task_of_a_batch_ends_at_its_time_and_the_others_are_done(
    place: Place, more: dict[str, str], said: str
) -> None:
    tasks = [{"id": "slow", "prompt": "wait", **more}, {"id": "quick", "prompt": "go"}]
    (place.workspace / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in tasks))
    model = place.script(answer("Done."), cases=[case("wait", NEVER)])

    finished = place.run("batch", "tasks.jsonl", "--model", model, "--out", "out", "--stall", "8s", "--retries", "0")

    rows = {row["id"]: row for row in map(json.loads, (place.workspace / "out").read_text().splitlines())}
    assert (finished.code, rows["slow"]["reason"], rows["quick"]["reason"]) == (1, "timeout", "done"), finished.err
    assert said in rows["slow"]["error"]
