"""Which session is on the screen, and what of the own one waits meanwhile."""

import wcwidth
from msgspec.structs import replace

from actors.messages.conversation import Entry, UserMessage
from actors.messages.subagent import SubagentIs, SubagentsAre
from actors.messages.turn import EntryAdded, SessionInfo
from tests.ui.screen.terminals import PLAIN
from ui.screen.session_view import SessionView
from ui.screen.shown import Shown
from ui.screen.status import StatusLine
from ui.screen.surroundings.known import Surroundings
from ui.screen.terminal.piece import Piece
from ui.screen.transcript.blocks import Note

SCOUT = SubagentIs(name="scout", kind="explore", session_id="s.1", state="running", background=True)
INFO = SessionInfo(session_id="s", model="p/m", cwd="/w", mode="default", busy=False)


def said(entry_id: str, text: str) -> EntryAdded:
    body = UserMessage(text=text, turn_id="t", prompt_id=entry_id)
    return EntryAdded(entry=Entry(id=entry_id, session_id="s", parent="", body=body, at=1.0))


def rows(pieces: list[Piece]) -> list[str]:
    return [wcwidth.strip_sequences(row) for piece in pieces for row in piece.rows(60, PLAIN) if row]


def test_what_the_own_session_says_waits_until_one_is_back() -> None:
    own, other = SessionView(), SessionView()
    shown = Shown(own)
    own.apply(INFO)
    own.apply(said("e1", "before"))
    shown.look_at(SCOUT, other)
    own.apply(said("e2", "meanwhile"))
    other.apply(said("o1", "look for A"))

    while_looking, mark = shown.take()
    shown.back()

    assert rows(while_looking) == ["❯ before", "❯ look for A"]
    assert mark.last == "e1"
    assert rows(shown.take()[0]) == ["· back from scout", "❯ meanwhile"]
    assert shown.take()[1].last == "e2"


def test_what_the_program_says_is_said_where_one_looks() -> None:
    own, other = SessionView(), SessionView()
    shown = Shown(own)
    shown.look_at(SCOUT, other)

    shown.say(Note("heard"))

    assert rows(shown.take()[0]) == ["· heard"]


def test_escape_reaches_the_view_then_the_turn_then_the_agents() -> None:
    own = SessionView()
    shown = Shown(own)
    reached = [shown.reach]
    own.apply(INFO)
    own.apply(SubagentsAre(subagents=(SCOUT,)))
    reached.append(shown.reach)
    own.busy = True
    reached.append(shown.reach)
    shown.look_at(SCOUT, SessionView())
    reached.append(shown.reach)

    assert reached == ["nothing", "agents", "turn", "view"]


def test_who_only_looks_on_at_a_session_cancels_nothing_of_it() -> None:
    own = SessionView()
    own.apply(replace(INFO, read_only="open elsewhere"))
    own.apply(SubagentsAre(subagents=(SCOUT,)))

    assert Shown(own).reach == "nothing"


def test_an_agent_of_another_program_can_be_cancelled_as_long_as_it_can_be_steered() -> None:
    own = SessionView()
    shown = Shown(own)
    own.apply(replace(INFO, read_only="open elsewhere", steered="sc\x1bout"))
    while_it_works = (shown.reach, shown.hint(again=False), StatusLine(own, Surroundings("/w")).row("", 60, PLAIN))
    own.apply(replace(INFO, read_only="open elsewhere"))
    afterwards = (shown.reach, shown.hint(again=False), StatusLine(own, Surroundings("/w")).row("", 60, PLAIN))

    assert while_it_works[:2] == ("agent", "enter: tell it · esc: cancel it")
    assert "agent sc\\x1bout" in while_it_works[2]
    assert afterwards[:2] == ("nothing", "")
    assert "read-only" in afterwards[2]


def test_the_hint_says_what_escape_would_do() -> None:
    own = SessionView()
    shown = Shown(own)
    own.apply(SubagentsAre(subagents=(SCOUT,)))

    assert shown.hint(again=False) == "esc cancels 1 agent"
    assert shown.hint(again=True) == "esc again cancels 1 agent"
    shown.look_at(SCOUT, SessionView())
    assert shown.hint(again=False) == "looking at scout · esc: back"
