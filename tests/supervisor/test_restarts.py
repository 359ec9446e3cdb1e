"""Who lives again, and when, without anybody."""

import pytest

from supervisor import restarts
from supervisor.child_spec import ChildSpec, Limit, Restart


@pytest.mark.parametrize(
    ("restart", "exit_status", "expected"),
    [
        ("permanent", 0, True),
        ("permanent", -9, True),
        ("transient", 0, False),
        ("transient", 1, True),
        ("temporary", -9, False),
    ],
)
def test_restart_policy(restart: Restart, exit_status: int, expected: bool) -> None:
    child = ChildSpec(name="a", entry="m:f", restart=restart)

    assert restarts.should_restart(child, exit_status) is expected


def test_the_first_deaths_are_answered_at_once_and_later_ones_ever_slower() -> None:
    deaths = [float(second) for second in range(10)]

    delays = [restarts.restart_delay(deaths[:count], now=10.0, jitter=1.0) for count in range(1, 11)]

    assert delays == [0.0, 0.0, 0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]


@pytest.mark.parametrize(
    ("exit_status", "expected"),
    [(1, True), (-11, True), (128 + 11, True), (-9, False), (-15, False), (128 + 9, False), (0, False)],
)
def test_whose_fault_a_death_is(exit_status: int, expected: bool) -> None:
    assert restarts.by_own_fault(exit_status) is expected


def test_deaths_long_ago_do_not_count() -> None:
    deaths = [0.0, 1.0, 2.0, 100.0]

    assert not restarts.too_many(deaths, now=100.0, limit=Limit(restarts=1, seconds=30))
    assert restarts.too_many([99.0, *deaths[3:]], now=100.0, limit=Limit(restarts=1, seconds=30))
