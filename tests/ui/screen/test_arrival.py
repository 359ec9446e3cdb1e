"""Another place of the session, or another session: what is shown of it, and that no two paths are mixed."""

from msgspec.structs import replace
from wcwidth import strip_sequences

from actors.messages.conversation import Entry, TurnEnded, UserMessage
from actors.messages.model import TextDelta
from actors.messages.turn import CaughtUp, EntryAdded, Event
from tests.ui.screen.test_session_view import BASH, ENTRIES, INFO, live, played, said
from ui.screen.session_view import SessionView
from ui.screen.transcript.open_answer import Mark

MOVED = replace(INFO, goes_on=False)
FIRST_TURN = ENTRIES[:8]


def stored(entries: list[Entry]) -> list[Event]:
    return [EntryAdded(entry=entry) for entry in entries]


def there(entries: list[Entry] = ENTRIES) -> SessionView:
    """A screen that has shown these."""
    session = SessionView()
    played(session, [INFO, CaughtUp(), *live(entries)])
    return session


def test_another_place_is_named_and_what_was_said_last_there_is_said_again() -> None:
    shown = played(there(), [MOVED, *stored(FIRST_TURN), CaughtUp()])

    assert shown == [
        "",
        "\x1b[2m· \x1b[0m\x1b[2mthe session goes on after prompt 1; /tree shows all\x1b[0m",
        "",
        "❯ \x1b[1mdo it\x1b[0m",
        "",
        "First paragraph.",
        "",
        "Second one.",
        "",
        "code",
        "",
        "The end.",
    ]


def test_where_only_the_end_of_the_path_comes_its_prompts_are_not_counted() -> None:
    shown = played(there(), [replace(MOVED, earlier=300), *stored(FIRST_TURN), CaughtUp()])

    assert "the session goes on from here; /tree shows all" in shown[1]
    assert [row for row in shown if "earlier" in row] == []


def test_the_last_prompt_counts_and_how_its_turn_ended() -> None:
    shown = played(there(), [MOVED, *stored(ENTRIES), CaughtUp()])

    assert "after prompt 2;" in shown[1]
    assert [row for row in shown if "do it" in row or "First" in row] == []
    assert shown[-1] == "\x1b[1m■ interrupted\x1b[0m"


def test_before_the_first_prompt_there_is_nothing_to_say_again() -> None:
    session = there()

    shown = played(session, [MOVED, CaughtUp()])

    assert len(shown) == 2
    assert "at its beginning" in shown[1]
    assert not session.prompted


def test_what_comes_then_is_shown_whole() -> None:
    session = there()
    played(session, [MOVED, *stored(FIRST_TURN), CaughtUp()])
    more = [replace(entry, id=f"n{entry.id}") for entry in ENTRIES[8:10]]

    assert played(session, live(more)) == played(there(FIRST_TURN), live(more))


def test_a_turn_that_was_left_in_the_middle_leaves_nothing_open() -> None:
    session = there([*ENTRIES[:3]])
    session.apply(TextDelta(text="half an ans"))

    played(session, [MOVED, *stored(FIRST_TURN), CaughtUp()])

    assert (session.calls, session.busy, session.open_answer.tail()) == ({}, False, [])


def test_a_screen_that_dies_on_the_way_arrives_in_its_next_life() -> None:
    first = there()
    shown = played(first, [MOVED, *stored(FIRST_TURN)])
    assert (shown, first.mark.last) == ([], ENTRIES[-1].id)

    second = SessionView(first.mark)
    shown = played(second, [MOVED, *stored(FIRST_TURN), CaughtUp()])

    assert "after prompt 1;" in shown[1]
    assert second.mark == Mark(last=FIRST_TURN[-1].id)


def test_an_agent_that_dies_on_the_way_is_heard_to_the_end_in_its_next_life() -> None:
    session = there()
    shown = played(session, [MOVED, *stored(FIRST_TURN[:3])])
    assert session.last_seen == FIRST_TURN[2].id

    shown += played(session, [INFO, *stored(FIRST_TURN[3:]), CaughtUp()])

    assert shown == played(there(), [MOVED, *stored(FIRST_TURN), CaughtUp()])


def test_moved_twice_before_one_has_arrived_the_session_that_was_left_is_still_named() -> None:
    session = there()
    other = replace(INFO, session_id="s2", goes_on=False)
    played(session, [other, *stored(FIRST_TURN[:1])])

    shown = played(session, [other, CaughtUp()])

    assert strip_sequences(" ".join(shown[1:3])).endswith("the one before goes on with:   /resume s")


def test_a_call_that_is_open_there_shows_its_result_when_it_comes() -> None:
    session = there()
    opened = Entry(id="n1", session_id="s", parent="", body=said("", BASH), at=1.0)
    asked = Entry(id="n0", session_id="s", parent="", body=UserMessage(text="x", turn_id="v", prompt_id="p"), at=1.0)
    played(session, [MOVED, *stored([asked, opened]), CaughtUp()])
    assert session.mark == Mark(last="n0", shown=1)

    result = replace(ENTRIES[5], id="n2")
    end = replace(ENTRIES[7], id="n3", body=TurnEnded(turn_id="v", reason="done"))
    shown = played(session, stored([result, end]))

    assert any("Bash" in row for row in shown)
    assert session.mark == Mark(last="n3")
