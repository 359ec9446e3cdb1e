"""How sessions are listed: an id as short as it can be and still be told from the others."""

from msgspec.structs import replace

from actors.messages.store import SessionSummary
from ui.cli.sessions.listing import short_ids, table

ONE = SessionSummary(
    session_id="0123456789abcdef", title="fix it", cwd="/w", model="p/m", entries=2, created_at=0.0, updated_at=0.0
)


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


def test_what_is_known_of_a_session_stands_in_columns() -> None:
    long = replace(ONE, model="anthropic/opus", cost_usd=1.5, bytes=3 * 1024 * 1024, updated_at=6400.0)
    named = replace(ONE, session_id="fedcba9876543210", name="the \x1b[1mbug", branch="main", updated_at=9990.0)

    assert table([named, long], 10_000.0, everywhere=False) == (
        "1  fedcba98  now  main  m         ?    1 KB  the \\x1b[1mbug\n"
        "2  01234567  1 h        opus  $1.50  3.0 MB  fix it\n"
    )
    assert table([named], 10_000.0, everywhere=True) == "1  fedcba98  now  main  m  ?  1 KB  /w  the \\x1b[1mbug\n"
