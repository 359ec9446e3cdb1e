"""SIGSTOP to an actor of a turn: it is noticed, replaced, and the turn ends as if nothing had been."""

import os
import signal

import psutil
import pytest

from tests.system.harness import Event, Place, Session
from tests.system.scenario import FIRST, check, undisturbed, waiting

pytestmark = pytest.mark.slow
WHY = "frozen: it was stopped by a signal"
CASES = [
    ("providers", "streaming"),
    ("store", "streaming"),
    ("store", "in a call"),
    ("gate", "streaming"),
    ("gate", "in a call"),
    ("agent:main", "streaming"),
    ("agent:main", "in a call"),
    ("tools:main", "in a call"),
    ("ui", "in a call"),
]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    return undisturbed(tmp_path_factory.mktemp("undisturbed"))


@pytest.mark.parametrize(("actor", "moment"), CASES)
def test_a_frozen_actor_costs_nothing(place: Place, expected: list[Event], actor: str, moment: str) -> None:
    ends_the_call = moment == "in a call" and actor in {"tools:main", "agent:main"}
    with waiting(place) as run:
        run.reach(moment)
        os.kill(pid_of(run.session, actor), signal.SIGSTOP)

        run.go_on(first_runs=not ends_the_call)
        finished = run.session.finish()

    log = place.log()
    assert [line["actor"] for line in log if line["event"] == "started" and line["life"] > 1] == [actor]
    assert next(line["why"] for line in log if line["event"] == "ended" and line["actor"] == actor) == WHY
    check(place, finished, expected, unknown=(FIRST,) if ends_the_call else ())


def pid_of(session: Session, actor: str) -> int:
    """Of a tool worker that of itself, below its guardian."""
    pid = session.actors()[actor].pid
    return psutil.Process(pid).children()[0].pid if actor == "tools:main" else pid
