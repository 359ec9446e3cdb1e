"""The decisions about a child, without one."""

import pytest

from supervisor import child_spec
from supervisor.child_spec import ChildSpec, Limit
from supervisor.tree import front, session, started_at_once

TREE = session(front("ui.headless.prompt:run", terminal=False), main_agent=True)


@pytest.mark.parametrize(
    ("sender", "to"),
    [
        ("agent:main", "gate"),
        ("agent:t1", "store"),
        ("agent:main", "providers"),
        ("gate", "tools:main"),
        ("gate", "ui"),
        ("ui", "agent:t1"),
        ("ui", "supervisor"),
    ],
)
def test_these_ways_are_open(sender: str, to: str) -> None:
    assert child_spec.may_send(TREE, sender, to)


@pytest.mark.parametrize(
    ("sender", "to"),
    [
        ("agent:main", "tools:main"),
        ("agent:main", "supervisor"),
        ("agent:main", "agent:t1"),
        ("tools:main", "store"),
        ("tools:main", "gate"),
        ("providers", "tools:main"),
        ("providers", "agent:main"),
        ("nobody", "store"),
    ],
)
def test_these_ways_are_closed(sender: str, to: str) -> None:
    assert not child_spec.may_send(TREE, sender, to)


def test_a_session_starts_the_store_first_and_the_ui_after_the_agent() -> None:
    assert started_at_once(TREE) == ["store", "providers", "gate", "agent:main", "ui", "tools:main"]


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
def test_restart_policy(restart: child_spec.Restart, exit_status: int, expected: bool) -> None:
    child = ChildSpec(name="a", entry="m:f", restart=restart)

    assert child_spec.should_restart(child, exit_status) is expected


def test_the_first_deaths_are_answered_at_once_and_later_ones_ever_slower() -> None:
    deaths = [float(second) for second in range(10)]

    delays = [child_spec.restart_delay(deaths[:count], now=10.0, jitter=1.0) for count in range(1, 11)]

    assert delays == [0.0, 0.0, 0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]


@pytest.mark.parametrize(("exit_status", "expected"), [(1, True), (-11, True), (-9, False), (-15, False), (0, False)])
def test_whose_fault_a_death_is(exit_status: int, expected: bool) -> None:
    assert child_spec.by_own_fault(exit_status) is expected


def test_deaths_long_ago_do_not_count() -> None:
    deaths = [0.0, 1.0, 2.0, 100.0]

    assert not child_spec.too_many(deaths, now=100.0, limit=Limit(restarts=1, seconds=30))
    assert child_spec.too_many([99.0, *deaths[3:]], now=100.0, limit=Limit(restarts=1, seconds=30))
