"""SIGKILL to the supervisor and to the guardians at once: what their commands leave is ended by the next program."""

import os
import signal
import sys

import psutil
import pytest

from actors.confinement.processes.descendants import children
from tests.processes import still_alive, watch
from tests.system.harness import BOUND_S, Place, answer, call, until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it was never tried")]
AWAY = "(setsid sleep 300 & echo $! > left); sleep 300"
FREE = {"TROUPER_UNRESTRICTED": "1"}
"""Commands have no process namespace that would end them."""


def test_a_command_that_got_away_from_a_killed_program_is_ended_by_the_next(place: Place) -> None:
    session = place.prompt(place.script(answer("", call("bash", command=AWAY))), "--unrestricted", **FREE)
    until(lambda: (place.workspace / "left").exists() and (place.workspace / "left").read_text().endswith("\n"))
    left = psutil.Process(int((place.workspace / "left").read_text()))
    guardian = session.actors()["tools:main"].pid
    both = watch([guardian, *children(guardian)])
    assert len(both) == 2
    session.was_killed = True
    os.kill(session.pid, signal.SIGSTOP)  # so that it sees nothing of the other's end
    os.kill(guardian, signal.SIGKILL)
    assert still_alive(both, BOUND_S) == []  # a worker that lives a moment longer ends its commands
    os.kill(session.pid, signal.SIGKILL)
    assert session.wait() == -signal.SIGKILL
    until(lambda: not psutil.pid_exists(guardian))
    watched = watch([left.pid])
    assert left.is_running()

    assert place.prompt(place.script(answer("Done."), name="next")).finish().code == 0

    assert still_alive(watched, BOUND_S) == []
    assert place.left() == []
    ended = [line["processes"] for line in place.log() if line["event"] == "ended what a killed program had left"]
    assert len(ended) == 1
    assert list((place.home / "run").glob("*.worker")) == []


def test_a_session_that_ends_in_order_leaves_no_word_of_its_workers(place: Place) -> None:
    finished = place.prompt(place.script(answer("", call("bash", command="true")), answer("Done."))).finish()

    assert finished.code == 0
    assert list((place.home / "run").glob("*.worker")) == []
