"""How sessions are listed: an id as short as it can be and still be told from the others."""

from ui.cli.sessions.listing import short_ids


def test_ids_are_shown_so_far_as_they_are_needed() -> None:
    one, other = "a1b2c3d4e5f6-7461736b31", "a1b2c3d4e5f6-7461736b32"
    alone, part = "0123456789abcdef", "a1b2c3d4e5f6-74"

    assert short_ids([one, alone, other, part]) == {one: one, other: other, alone: "01234567", part: part}


def test_ids_that_differ_late_are_shown_to_there() -> None:
    assert short_ids(["run-00000-aaaa", "run-00000-bbbb"]) == {
        "run-00000-aaaa": "run-00000-a",
        "run-00000-bbbb": "run-00000-b",
    }


def test_of_no_sessions_there_are_no_ids() -> None:
    assert short_ids([]) == {}
