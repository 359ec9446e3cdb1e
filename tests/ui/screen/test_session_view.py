"""What the screen knows: events in, pieces out; and nothing twice when a life ends in between."""

import msgspec
import pytest
import wcwidth
from wcwidth import strip_sequences

from actors.messages.conversation import (
    AssistantMessage,
    Body,
    CallStarted,
    Entry,
    PromptQueued,
    Quoted,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import Retrying, TextDelta
from actors.messages.subagent import SubagentEnded
from actors.messages.tool import ToolProgress
from actors.messages.turn import CaughtUp, EntryAdded, Event, FromSubagent, Notice, SessionInfo
from actors.messages.usage import Usage
from ui.screen.session_view import SessionView
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.blocks import Note
from ui.screen.transcript.open_answer import Mark
from ui.screen.transcript.todo import Step
from ui.screen.transcript.waiting import Sent

PLAIN = Theme(colour=False)
INFO = SessionInfo(session_id="s", model="p/m", cwd="/w", mode="default", busy=False)
INFO_AGAIN = msgspec.structs.replace(INFO, session_id="3fa9c1d2e4")
BUSY = msgspec.structs.replace(INFO, busy=True)
ANSWER = "First paragraph.\n\nSecond one.\n\n```\ncode\n```\n\nThe end."
BASH = ToolCall(call_id="c1", name="Bash", arguments='{"command": "make"}')
READ = ToolCall(call_id="c2", name="Read", arguments='{"path": "a.py"}')


def said(text: str, *calls: ToolCall) -> AssistantMessage:
    return AssistantMessage(blocks=(Text(text=text), *calls), stop_reason="end_turn", model="p/m")


SESSION: list[Body] = [
    UserMessage(text="do it", turn_id="t", prompt_id="p1"),
    said("I look.", BASH, READ),
    CallStarted(call_id="c1"),
    CallStarted(call_id="c2"),
    ToolResult(call_id="c2", name="Read", output="", summary="3 lines"),
    ToolResult(call_id="c1", name="Bash", output="boom\nexit 2", failed=True),
    said(ANSWER),
    TurnEnded(turn_id="t", reason="done"),
    UserMessage(text="again", turn_id="u", prompt_id="p2"),
    said("Again."),
    TurnEnded(turn_id="u", reason="interrupted"),
]
ENTRIES = [Entry(id=f"e{at}", session_id="s", parent="", body=body, at=1.0) for at, body in enumerate(SESSION)]


def live(entries: list[Entry]) -> list[Event]:
    """As the agent tells it to somebody who was there: text in small pieces before its message."""
    events: list[Event] = []
    for entry in entries:
        if isinstance(entry.body, AssistantMessage):
            text = entry.body.text
            events += [TextDelta(text=text[at : at + 3]) for at in range(0, len(text), 3)]
        events.append(EntryAdded(entry=entry))
    return events


def rows(session: SessionView) -> list[str]:
    return [row for piece in session.take() for row in piece.rows(60, PLAIN)]


def played(session: SessionView, events: list[Event]) -> list[str]:
    shown: list[str] = []
    for event in events:
        session.apply(event)
        shown += rows(session)
    return shown


WHOLE = played(SessionView(), [INFO, *live(ENTRIES)])


def after(mark: Mark) -> list[Entry]:
    ids = [entry.id for entry in ENTRIES]
    return ENTRIES[ids.index(mark.last) + 1 if mark.last else 0 :]


def test_a_session_told_live_and_told_from_the_store_look_the_same() -> None:
    assert played(SessionView(), [INFO, *[EntryAdded(entry=entry) for entry in ENTRIES]]) == WHOLE


@pytest.mark.parametrize("killed_after", range(len(live(ENTRIES)) + 1))
def test_a_new_life_shows_the_rest_and_nothing_twice(killed_after: int) -> None:
    first = SessionView()
    events = [INFO, *live(ENTRIES)]
    shown = played(first, events[: killed_after + 1])

    second = SessionView(first.mark)
    shown += played(second, [INFO, *[EntryAdded(entry=entry) for entry in after(first.mark)]])

    assert shown == WHOLE


@pytest.mark.parametrize("killed_after", range(0, len(live(ENTRIES)) + 1, 3))
def test_a_new_life_that_finds_an_answer_half_written(killed_after: int) -> None:
    events = [INFO, *live(ENTRIES)]
    first = SessionView()
    shown = played(first, events[: killed_after + 1])
    stored = [event.entry for event in events[: killed_after + 1] if isinstance(event, EntryAdded)]
    partial = ""
    for event in events[: killed_after + 1]:
        partial = partial + event.text if isinstance(event, TextDelta) else ""

    second = SessionView(first.mark)
    shown += played(second, [BUSY, *[EntryAdded(entry=e) for e in after(first.mark) if e in stored]])
    shown += played(second, [TextDelta(text=partial), CaughtUp(), *events[killed_after + 1 :]])

    assert shown == WHOLE


def test_a_new_life_repeats_nothing_when_an_agent_has_ended_in_the_middle_of_an_answer() -> None:
    over = SubagentEnded(name="scout", state="completed", summary="It is there.", used=Usage(cost_usd=0.5))
    ended = EntryAdded(entry=Entry(id="x", session_id="s", parent="", body=over, at=2.0))
    first = SessionView()
    shown = played(first, [BUSY, TextDelta(text=ANSWER[:40]), ended])

    second = SessionView(first.mark)
    shown += played(second, [BUSY, TextDelta(text=ANSWER), CaughtUp(), EntryAdded(entry=ENTRIES[6])])

    assert first.mark.last == "x"
    assert sum("scout" in row for row in shown) == 1
    whole = played(SessionView(), [INFO, EntryAdded(entry=ENTRIES[6])])
    assert [row for row in shown if row and "scout" not in row] == [row for row in whole if row]
    assert first.used.cost_usd == 0.5


def test_an_answer_that_begins_again_with_the_same_words_goes_on() -> None:
    session = SessionView()
    shown = played(session, [INFO, TextDelta(text=ANSWER[:40])])

    shown += played(session, [Retrying(why="lost", wait_s=1), TextDelta(text=ANSWER), EntryAdded(entry=ENTRIES[6])])

    assert "Second one." in shown
    assert shown == played(SessionView(), [INFO, EntryAdded(entry=ENTRIES[6])])


@pytest.mark.parametrize("size", range(1, len(ANSWER) + 1))
def test_it_does_not_matter_in_what_pieces_an_answer_begins_again(size: int) -> None:
    session = SessionView()
    shown = played(session, [INFO, TextDelta(text=ANSWER[:40])])

    again = [TextDelta(text=ANSWER[at : at + size]) for at in range(0, len(ANSWER), size)]
    shown += played(session, [INFO, *again, EntryAdded(entry=ENTRIES[6])])

    assert shown == played(SessionView(), [INFO, EntryAdded(entry=ENTRIES[6])])


def test_an_answer_that_begins_again_with_other_words_says_so() -> None:
    session = SessionView()
    played(session, [INFO, TextDelta(text=ANSWER[:40])])

    shown = played(session, [Retrying(why="lost", wait_s=1), TextDelta(text="Something else entirely. " * 4 + "\n\nx")])

    assert shown[:2] == [*Note("the answer begins again").rows(60, PLAIN), ""]
    assert "Something else" in shown[2]


def test_a_running_call_is_open_until_its_result() -> None:
    session = SessionView()
    played(session, [INFO, *[EntryAdded(entry=entry) for entry in ENTRIES[:3]]])

    session.apply(ToolProgress(call_id="c1", text="10 %\r20 %\r30 %"))

    assert list(session.calls) == ["c1", "c2"]
    assert session.calls["c1"].title == "make"
    assert session.calls["c1"].output == "10 %\n20 %\n30 %"


def test_a_queued_prompt_is_shown_until_it_joins() -> None:
    session = SessionView()
    session.sent.append(Sent("p9", "and this"))
    queued = Entry(id="q", session_id="s", parent="", body=PromptQueued(prompt_id="p9", text="and this"), at=1.0)
    joined = Entry(
        id="r", session_id="s", parent="", body=UserMessage(text="and this", turn_id="t", prompt_id="p9"), at=1.0
    )

    session.apply(EntryAdded(entry=queued))
    waiting = list(session.sent)
    session.apply(EntryAdded(entry=joined))

    assert waiting == [Sent("p9", "and this", waits=True)]
    assert session.sent == []


def test_a_prompt_queued_in_the_middle_of_an_answer_does_not_repeat_it() -> None:
    queued = Entry(id="q", session_id="s", parent="", body=PromptQueued(prompt_id="p9", text="x"), at=1.0)
    first = SessionView()
    shown = played(first, [BUSY, TextDelta(text=ANSWER[:40]), EntryAdded(entry=queued)])

    second = SessionView(first.mark)
    shown += played(second, [BUSY, TextDelta(text=ANSWER), EntryAdded(entry=ENTRIES[6])])

    assert shown == played(SessionView(), [INFO, EntryAdded(entry=ENTRIES[6])])


def test_what_was_quoted_with_a_prompt_is_named_below_it() -> None:
    quoted = Quoted(of="@docs:\x1b[2Jx", head="Theirs:", text="one\ntwo")
    said = UserMessage(text="look at it", turn_id="t", prompt_id="p", quoted=(quoted,))

    shown = played(SessionView(), [INFO, EntryAdded(entry=Entry(id="1", session_id="s", parent="", body=said, at=1.0))])

    assert any("[@docs:\\x1b[2Jx, 2 lines]" in row for row in shown)
    assert not any("\x1b[2J" in row for row in shown)


def test_what_comes_from_outside_cannot_steer_the_terminal() -> None:
    evil = "\x1b]0;title\x07\x1b[2J\u202ehidden\x9b31m"
    call = ToolCall(call_id="c", name=evil, arguments=msgspec.json.encode({"command": evil}).decode())
    bodies: list[Body] = [
        UserMessage(text=evil, turn_id="t", prompt_id="p"),
        said(f"text {evil}\n\n```{evil}\n{evil}\n```\n[{evil}](http://{evil})\n\n| {evil} |\n|---|\n| {evil} |", call),
        ToolResult(call_id="c", name=evil, output=evil, failed=True, summary=evil, warning=evil),
        TurnEnded(turn_id="t", reason="failed", text=evil),
    ]
    session = SessionView()

    shown = played(
        session,
        [
            INFO,
            *[
                EntryAdded(entry=Entry(id=str(n), session_id="s", parent="", body=b, at=1.0))
                for n, b in enumerate(bodies)
            ],
        ],
    )

    assert not any(sign in "".join(shown) for sign in ("\x1b]", "\x07", "\x1b[2J", "\u202e", "\x9b"))


def test_another_session_begins_empty_and_names_the_one_before() -> None:
    session = SessionView()
    played(session, [INFO, *live(ENTRIES[:6])])
    session.sent.append(Sent("p9", "and this"))
    anew = [
        Entry(id="n0", session_id="s2", parent="", body=UserMessage(text="go", turn_id="t", prompt_id="p"), at=1.0),
        Entry(id="n1", session_id="s2", parent="n0", body=said("Gone."), at=1.0),
    ]

    shown = played(session, [msgspec.structs.replace(BUSY, session_id="s2"), CaughtUp(), *live(anew)])

    note = Note("session s2 from here on; the one before goes on with: /resume s").rows(60, PLAIN)
    assert shown == ["", *note, *played(SessionView(), [BUSY, *live(anew)])]
    assert (session.sent, session.calls, session.last_seen) == ([], {}, "n1")


def test_the_newest_list_of_steps_is_the_one_that_counts() -> None:
    session = SessionView()
    first, second, wrong = (
        ToolCall(call_id=f"t{at}", name="todo", arguments=msgspec.json.encode({"items": items}).decode())
        for at, items in enumerate(([{"task": "a"}], [{"task": "a", "status": "completed"}], [{"task": "x"}]))
    )
    bodies: list[Body] = [
        said("", first, second, wrong),
        ToolResult(call_id="t0", name="todo", output="Noted."),
        ToolResult(call_id="t1", name="todo", output="Noted."),
        ToolResult(call_id="t2", name="todo", output="no", failed=True),
    ]

    for at, body in enumerate(bodies):
        session.apply(EntryAdded(entry=Entry(id=str(at), session_id="s", parent="", body=body, at=1.0)))

    assert session.steps == (Step("a", "completed"),)


def test_a_turn_that_goes_on_elsewhere_says_so_and_not_that_it_failed() -> None:
    end = TurnEnded(turn_id="t", reason="done", text="The plan is carried out in a new session.")
    entries = [*ENTRIES[:1], Entry(id="end", session_id="s", parent="e0", body=end, at=1.0)]

    shown = played(SessionView(), [INFO, *live(entries)])

    assert [row for row in shown if "in a new session" in row] == Note(end.text).rows(60, PLAIN)
    assert not any("✗" in row or "■" in row for row in shown)


def test_what_is_explained_goes_on_below_its_own_column() -> None:
    rows = Note("enter      send; while the agent works: steer it\nctrl+d  quit").rows(34, PLAIN)

    assert [strip_sequences(row) for row in rows] == [
        "",
        "· enter      send; while the agent",
        "             works: steer it",
        "  ctrl+d  quit",
    ]


def test_where_a_long_session_begins_on_the_screen_one_line_says_what_is_not_shown() -> None:
    session = SessionView()
    late = msgspec.structs.replace(INFO, session_id="3fa9c1d2e4", earlier=49_940)

    shown = played(session, [late, *(EntryAdded(entry=entry) for entry in ENTRIES[8:]), INFO_AGAIN, CaughtUp()])

    said = [wcwidth.strip_sequences(row) for row in shown]
    assert said[0] == "· 49,940 earlier entries · ctrl+o"
    assert [row for row in said if "earlier" in row or "again" in row] == [said[0], "❯ again"]
    assert session.prompted


def test_a_notice_of_a_subagent_says_whose_it_is_and_its_waiting_is_not_the_sessions() -> None:
    session = SessionView()

    shown = played(
        session,
        [
            FromSubagent(name="scout", event=Retrying(why="429", wait_s=2.0)),
            FromSubagent(name="scout", event=Notice(text="no\x1b[2Jcheckpoint", level="warning")),
        ],
    )

    assert session.retry is None
    assert len(shown) == 1
    assert strip_sequences(shown[0]) == "! scout: no\\x1b[2Jcheckpoint"
