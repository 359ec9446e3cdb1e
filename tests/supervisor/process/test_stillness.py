"""Frozen or only slow: what looks from outside say of a process."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from supervisor.process import stillness
from supervisor.process.stillness import Look, Still, followed

SINCE = 3.0
SPINNING = "while True: pass"


@pytest.mark.parametrize(
    ("before", "now", "since"),
    [
        (None, Look("stopped", 7), 5.0),
        (Look("stopped", 7), Look("stopped", 7), SINCE),
        (Look("stopped", 7), Look("stopped", 8), 5.0),  # it ran for a moment
        (Look("disk", 7), Look("disk", 7), SINCE),
        (Look("disk", 7), Look("disk", 8), 5.0),  # one page after another
        (Look("disk", 7), Look("stopped", 7), 5.0),
        (Look("stopped", 7), Look("other", 8), None),
        (Look("stopped", 7), Look("traced", 7), None),
        (Look("other", 7), Look("other", 7), None),  # it sleeps, or waits for its turn
    ],
)
def test_still_is_who_has_not_run_since_and_could_not(before: Look | None, now: Look, since: float | None) -> None:
    still = followed(None if before is None else Still(before, SINCE), now, 5.0)

    assert still == (None if since is None else Still(now, since))


@pytest.fixture
def spinning() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", SPINNING]) as process:
        yield process.pid
        process.kill()


def test_a_process_that_is_stopped_and_goes_on_has_run(spinning: int) -> None:
    os.kill(spinning, signal.SIGSTOP)
    os.waitpid(spinning, os.WUNTRACED)
    first = stillness.look(spinning)
    again = stillness.look(spinning)
    os.kill(spinning, signal.SIGCONT)
    os.waitpid(spinning, os.WCONTINUED)
    going_on = stillness.look(spinning)
    os.kill(spinning, signal.SIGSTOP)
    os.waitpid(spinning, os.WUNTRACED)

    assert first.state == "stopped"
    assert again == first
    assert going_on.state == "other"
    assert stillness.look(spinning).turns > first.turns


@pytest.mark.parametrize(
    ("lines", "seen"),
    [
        (["Name:\tpython", "State:\tT (stopped)"], Look("stopped", 0)),  # gVisor does not count turns
        (["Name:\tpython"], Look("other", 0)),
        ([], Look("other", 0)),
    ],
)
def test_a_kernel_that_says_less_is_no_reason_to_end(lines: list[str], seen: Look) -> None:
    assert stillness.read(lines) == seen


def test_one_that_has_ended_does_not_stand_still() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()

    assert stillness.look(process.pid).state == "other"
