"""How long one request goes on, and how far its tries are apart."""

from actors.providers.faults.backoff import Patience, too_long
from actors.providers.faults.fault import Fault, broken

NOW = 1_800_000_000.0
AGAIN = Fault("overloaded", "busy.", "while it lasts")


def test_waits_double_up_to_half_a_minute_and_the_dice_take_any_part_of_them() -> None:
    patience = Patience(600.0)

    assert [patience.wait_s(AGAIN, 0.0, 1.0) for _ in range(9)] == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 32.0, 32.0]
    assert Patience(600.0).wait_s(AGAIN, 0.0, 0.25) == 0.125
    assert Patience(600.0).wait_s(AGAIN, 0.0, 0.0) == 0.0


def test_a_server_of_this_machine_is_asked_again_soon_unless_a_limit_is_meant() -> None:
    limited = Fault("rate_limited", "slow down.", "while it lasts")
    here, behind = Patience(600.0, here=True), Patience(600.0, here=True)

    assert [here.wait_s(AGAIN, 0.0, 1.0) for _ in range(6)] == [0.5, 1.0, 2.0, 3.0, 3.0, 3.0]
    assert [behind.wait_s(limited, 0.0, 1.0) for _ in range(6)] == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0]


def test_what_failed_for_others_before_counts_for_the_length_of_a_wait() -> None:
    assert Patience(600.0).wait_s(AGAIN, 0.0, 1.0, in_a_row=4) == 8.0


def test_patience_is_time_from_the_first_trouble_on_with_a_last_try_at_its_end() -> None:
    patience = Patience(60.0)

    waits = [patience.wait_s(AGAIN, now, 1.0, in_a_row=9) for now in (1000.0, 1032.0, 1060.0)]

    assert waits == [32.0, 28.0, None]


def test_patience_begins_with_the_waiting_for_others_and_is_whole_again_after_it() -> None:
    waited, spared = Patience(60.0), Patience(60.0)
    for patience in (waited, spared):
        patience.trouble(1000.0)
    spared.no_trouble()

    assert waited.wait_s(AGAIN, 1059.0, 1.0, in_a_row=9) == 1.0
    assert spared.wait_s(AGAIN, 1059.0, 1.0, in_a_row=9) == 32.0


def test_a_wait_that_is_asked_for_is_kept_up_to_the_budget_and_else_said() -> None:
    asks = Fault("rate_limited", "", "while it lasts", wait_s=1800.0)

    assert (Patience(1800.0).wait_s(asks, 0.0, 0.5), too_long(asks, 1800.0, NOW)) == (1800.0, "")
    assert Patience(1799.0).wait_s(asks, 0.0, 0.5) is None
    assert "30 minutes, until " in too_long(asks, 1799.0, NOW)


def test_what_cannot_be_read_is_asked_for_four_times() -> None:
    patience = Patience(600.0)

    assert [patience.wait_s(broken("?"), 0.0, 1.0) for _ in range(4)] == [0.5, 1.0, 2.0, None]


def test_an_outage_in_between_is_none_of_these_tries() -> None:
    patience = Patience(600.0)

    waits = [patience.wait_s(fault, 0.0, 1.0) for fault in (broken("?"), AGAIN, broken("?"), AGAIN, broken("?"))]

    assert None not in waits
    assert patience.wait_s(broken("?"), 0.0, 1.0) is None
