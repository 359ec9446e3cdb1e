"""Restarts as a table: how long is waited, when a server is given up, and when it is looked for again."""

import pytest

from actors.mcp import restarts


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 0.0), (1, 1.0), (2, 2.0), (3, 4.0), (6, 32.0), (7, 60.0), (100, 60.0)]
)
def test_each_failure_in_a_row_makes_the_wait_longer_up_to_a_minute(failures: int, seconds: float) -> None:
    assert restarts.delay(failures, 0.5) == seconds


def test_not_all_servers_come_back_at_the_same_moment() -> None:
    assert (restarts.delay(2, 0.0), restarts.delay(2, 1.0)) == (1.6, 2.4)


@pytest.mark.parametrize(
    ("failures", "given_up"),
    [((), False), ((0, 1, 2, 3), False), ((0, 1, 2, 3, 4), True), ((-400, -350, 2, 3, 4), False)],
)
def test_a_server_that_failed_too_often_not_long_ago_is_given_up(failures: tuple[float, ...], given_up: bool) -> None:
    assert restarts.given_up(failures, now=5.0) == given_up


def test_one_that_was_given_up_may_be_tried_again_after_a_while() -> None:
    assert not restarts.may_try_again((0.0, 100.0), now=699.0)
    assert restarts.may_try_again((0.0, 100.0), now=700.0)
