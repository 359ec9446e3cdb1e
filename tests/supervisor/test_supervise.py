"""The supervisor with real processes: small actors that misbehave, and what it does about them."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

PATIENCE_S = 60
"""Guards against hanging only."""

pytestmark = pytest.mark.slow


def start(scene: str, home: Path, way: str = "fork") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.fakes.troupe", scene, str(home)],
        cwd=ROOT,
        env={**os.environ, "TROUPER_SPAWN": way, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def play(scene: str, home: Path, way: str = "fork") -> tuple[list[dict[str, object]], int, str]:
    """What the front saw, the exit code, stderr."""
    with start(scene, home, way) as process:
        try:
            out, err = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return [json.loads(line) for line in out.splitlines()], process.returncode, err


@pytest.mark.parametrize("way", ["fork", "exec"])
@pytest.mark.parametrize(
    ("scene", "seen"),
    [
        ("kill", {"other_pid": True, "why": "killed by signal 9"}),
        ("stubborn_cancel", {"why": "it did not answer a cancel within 0.1 s"}),
        ("wrong_way", {"codes": ["not_allowed", "gone"]}),
        ("by_name", {"left": ["echo", "closed", "ui"]}),
        ("wanted_again", {"answered": 2}),
        ("nonsense", {"code": "bad_request"}),
    ],
)
def test_with_either_way_to_start_processes(scene: str, seen: dict[str, object], way: str, tmp_path: Path) -> None:
    assert play(scene, tmp_path, way) == ([seen], 7, "")


@pytest.mark.parametrize(
    ("scene", "seen"),
    [
        ("hang", {"why": "hung: no answer for 0.5 s"}),
        ("hang_at_work", {"why": "hung: no answer for 0.5 s"}),
        ("stopped_at_work", {"why": "frozen: it was stopped by a signal"}),
        ("stopped_while_idle", {"why": "frozen: it was stopped by a signal"}),
        ("stopped_zygote", {"why": "killed by signal 9"}),
        ("no_descriptors", {"why": "it could not be started: Too many open files"}),
        ("grow", {"why": "too large"}),
        ("cancel_under_load", {"restarts": [0]}),
        ("daemon", {"unknown": []}),
        ("asked_before_it_was", {"restarts": [0]}),
        (
            "deadly",
            {
                **dict.fromkeys(("crash", "hang", "grow"), "deadly"),
                **dict.fromkeys(("harmless crash", "harmless hang", "harmless grow"), "Done"),
                "restarts": 6,
            },
        ),
    ],
)
def test_what_a_misbehaving_actor_leads_to(scene: str, seen: dict[str, object], tmp_path: Path) -> None:
    assert play(scene, tmp_path) == ([seen], 7, "")


def test_of_a_wait_for_the_disk_the_user_is_told_before_it_counts_as_hung(tmp_path: Path) -> None:
    told = "echo has been waiting for the disk for more than a second; it goes on when the disk answers."

    assert play("at_the_disk", tmp_path) == ([{"text": told}, {"why": "hung: no answer for 5 s"}], 7, "")


def test_who_may_start_actors_starts_only_its_own_so_many_and_they_end_with_it(tmp_path: Path) -> None:
    seen, code, err = play("spawning", tmp_path)

    assert seen == [
        {"its_own": ["Done", "Done", "Done"]},
        {"nobodys": ["not_allowed", "not_allowed", "not_allowed", "not_allowed", "Done"]},
        {"anothers": ["not_allowed", "not_allowed", "not_allowed"]},
        {"too_many": ["Done", "no_room", "Done"]},
        {"for_all": ["no_room"]},
        {"after_its_death": ["Done"], "same": True},
        {"room_again": ["Done", "Done", "Done", "Done"]},
        {"in_all": ["Done", "bad_request", "Done"]},
        {"before": ["kid:sub:1", "extra:sub:1", "extra:sub:1~none", "kid:sub:2"]},
        {"after_its_end": []},
    ]
    assert (code, err) == (7, "")


@pytest.mark.parametrize(("way", "shared"), [("fork", True), ("exec", False)])
def test_a_kind_with_a_template_of_its_own_shares_it_and_gets_another_when_that_dies(
    way: str, shared: bool, tmp_path: Path
) -> None:
    seen, code, err = play("of_a_kind", tmp_path, way)

    assert seen == [
        {"shared": shared, "by_itself": [not shared, not shared]},
        {"anew": True, "alive": [True, True]},
    ]
    assert (code, err) == (7, "")


def test_slow_deaths_are_too_many_as_well(tmp_path: Path) -> None:
    seen, code, err = play("slow_deaths", tmp_path)

    assert (seen, code) == ([{"given_up": "echo"}], 1)
    assert err.startswith("echo died 8 times; the last time: hung: no answer for 0.5 s")


def test_what_was_asked_as_it_died_fails_and_is_not_done_by_its_next_life(tmp_path: Path) -> None:
    assert play("asked_as_it_died", tmp_path) == ([{"died": "actor_died"}, {"restarts": [1]}], 7, "")


@pytest.mark.parametrize("way", ["fork", "exec"])
def test_secrets_of_the_settings_are_told_to_those_alone_who_may_know_them(way: str, tmp_path: Path) -> None:
    knows = {"knows": {"trusted": True, "knowing:1": False}}
    variables = {"variables": 2, "front": False}

    assert play("told", tmp_path, way) == ([knows, variables, knows, variables], 7, "")


def test_a_crash_is_told_and_logged_by_kind_and_place_never_by_its_text(tmp_path: Path) -> None:
    ((seen,), code, err) = play("crash", tmp_path)

    log = (tmp_path / "logs" / "trouper.log").read_text()

    assert str(seen["why"]).startswith("ValueError at ")
    assert "tests/fakes/troupe.py:" in log
    assert "secret text" not in log + err
    assert code == 7


def test_who_never_lives_is_given_up_and_the_session_ends_saying_so(tmp_path: Path) -> None:
    seen, code, err = play("given_up", tmp_path)

    assert (seen, code) == ([{"given_up": "fragile"}], 1)
    assert "fragile died 8 times; the last time: ValueError" in err
    assert err.endswith(". Go on.")


def test_actors_start_in_the_order_of_the_tree_and_end_in_reverse(tmp_path: Path) -> None:
    play("wrong_way", tmp_path)

    events = [json.loads(line) for line in (tmp_path / "logs" / "trouper.log").read_text().splitlines()]
    started = [event["actor"] for event in events if event["event"] == "started"]
    ended = [event["actor"] for event in events if event["event"] == "ended"]

    assert started == ["echo", "closed", "ui"]
    assert ended == ["ui", "closed", "echo"]


@pytest.mark.parametrize("way", ["fork", "exec"])
def test_nothing_outlives_a_supervisor_that_is_killed(way: str, tmp_path: Path) -> None:
    with start("wait", tmp_path, way) as process:
        assert process.stdout is not None
        pids = json.loads(process.stdout.readline())["pids"]
        handles = [os.pidfd_open(pid) for pid in pids]

        process.send_signal(signal.SIGKILL)

        for handle in handles:
            assert select.select([handle], [], [], PATIENCE_S)[0], "an actor outlived its supervisor"
            os.close(handle)
        process.communicate(timeout=PATIENCE_S)


def test_a_second_interrupt_ends_a_session_whose_front_does_not(tmp_path: Path) -> None:
    with start("wait", tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)

        assert process.wait(timeout=PATIENCE_S) in {130, 143}
        process.communicate()
