"""SIGKILL to every actor, at every kind of moment: the turn completes, the transcript is the undisturbed one."""

from pathlib import Path

import psutil
import pytest

from tests.system.harness import Event, Place, kill
from tests.system.scenario import FIRST, MOMENTS, check, undisturbed, waiting

pytestmark = pytest.mark.slow
ACTORS = ("providers", "gate", "store", "tools:main", "agent:main", "ui")
FRESH = [
    ("providers", "streaming"),
    ("gate", "idle"),
    ("store", "streaming"),
    ("tools:main", "in a call"),
    ("agent:main", "in a call"),
    ("ui", "streaming"),
]
"""Each actor once where actors are fresh interpreters."""
CASES = [*((actor, moment, "fork") for actor in ACTORS for moment in MOMENTS), *((*case, "exec") for case in FRESH)]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    return undisturbed(tmp_path_factory.mktemp("undisturbed"))


@pytest.mark.parametrize(("actor", "moment", "way"), CASES)
def test_a_killed_actor_costs_nothing(place: Place, expected: list[Event], actor: str, moment: str, way: str) -> None:
    ends_the_call = moment == "in a call" and actor in {"tools:main", "agent:main"}
    with waiting(place, TROUPER_SPAWN=way) as run:
        run.reach(moment)
        run.session.kill(actor)
        run.session.wait_for("restart", actor=actor)

        restarts = run.go_on(first_runs=not ends_the_call)
        finished = run.session.finish()

    assert restarts == {actor: 1}
    check(place, finished, expected, unknown=(FIRST,) if ends_the_call else ())


def test_a_worker_killed_below_its_guardian_is_replaced(place: Place, expected: list[Event]) -> None:
    with waiting(place) as run:
        run.reach("in a call")
        guardian = psutil.Process(run.session.actors()["tools:main"].pid)
        kill(guardian.children()[0].pid)

        restarts = run.go_on(first_runs=False)
        finished = run.session.finish()

    assert restarts == {"tools:main": 1}
    check(place, finished, expected, unknown=(FIRST,))


def test_without_its_zygote_a_session_still_replaces_actors(place: Place, expected: list[Event]) -> None:
    with waiting(place) as run:
        run.reach("in a call")
        kill(run.session.zygote())
        for actor in ("providers", "gate", "providers"):
            run.session.kill(actor)

        restarts = run.go_on(first_runs=True)
        finished = run.session.finish()

    assert restarts == {"providers": 2, "gate": 1}
    check(place, finished, expected)


def test_a_hung_actor_is_replaced_after_its_heartbeat(place: Place, expected: list[Event]) -> None:
    with waiting(place, TROUPER_CHAOS="store:hang@message:5") as run:
        restarts = run.go_on(first_runs=True)
        finished = run.session.finish()

    assert restarts == {"store": 1}
    assert next(line["why"] for line in place.log() if line["event"] == "ended") == "hung: no answer for 10 s"
    check(place, finished, expected)


def test_the_whole_first_generation_can_die_at_once(place: Place, expected: list[Event], tmp_path: Path) -> None:
    with waiting(place) as run:
        run.reach("streaming")
        for actor in ACTORS:
            run.session.kill(actor)

        restarts = run.go_on(first_runs=True)
        finished = run.session.finish()

    assert restarts == dict.fromkeys(restarts, 1)
    assert set(restarts) == set(ACTORS)
    check(place, finished, expected)
    assert list((tmp_path / "tmp").rglob("*/tmp*")) == []
