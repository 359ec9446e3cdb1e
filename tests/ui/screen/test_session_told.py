"""What the screen shows of attachments, sources, waits and another model."""

import msgspec
import wcwidth

from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    Body,
    Entry,
    ModelChosen,
    Named,
    Source,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.turn import EntryAdded, SessionInfo, TurnStopped
from actors.messages.usage import Usage
from tests.ui.screen.test_session_view import INFO, PLAIN
from tests.ui.screen.test_session_view import rows as styled
from ui.screen import status
from ui.screen.session_view import SessionView
from ui.screen.status import StatusLine
from ui.screen.surroundings.known import Surroundings
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.blocks import Note

FOUND = (
    Source(url="https://a.example/x", title="A \x1b[31mpage"),
    Source(url="javascript:alert(1)", title="Not a link"),
    Source(url="https://a.example/x", title="A \x1b[31mpage"),
    Source(url="http://b.example/"),
)
SHOT = Attachment(name="shot.png", media_type="image/png", size=2048)


def told(*bodies: Body) -> SessionView:
    session = SessionView()
    session.apply(INFO)
    for number, body in enumerate(bodies):
        session.apply(EntryAdded(entry=Entry(id=f"e{number}", session_id="s", parent="", body=body, at=1.0)))
    return session


def rows(session: SessionView) -> list[str]:
    return [wcwidth.strip_sequences(row) for row in styled(session)]


def status_line(session: SessionView, width: int) -> str:
    return wcwidth.strip_sequences(StatusLine(session, Surroundings("/w")).row("", width, PLAIN))


def prompt(text: str = "look", *attachments: Attachment) -> UserMessage:
    return UserMessage(text=text, turn_id="t", prompt_id="p", attachments=attachments)


def said(text: str, model: str = "p/m", sources: tuple[Source, ...] = ()) -> AssistantMessage:
    return AssistantMessage(blocks=(Text(text=text, sources=sources),), stop_reason="end_turn", model=model)


def test_a_prompt_shows_what_went_with_it() -> None:
    assert rows(told(prompt("look", SHOT))) == ["", "❯ look", "  [image shot.png, 2 KB]"]


def test_sources_come_once_after_the_answer_and_only_web_addresses_are_links() -> None:
    assert rows(told(prompt(), said("It is so.", sources=FOUND)))[2:] == [
        "",
        "It is so.",
        "",
        "1. A \\x1b[31mpage  https://a.example/x",
        "2. Not a link",
        "3. http://b.example/",
    ]


def test_another_model_is_told_and_stays_while_the_old_one_still_answers() -> None:
    chosen = ModelChosen(model="p/other", effort="high", run_id="r")
    session = told(prompt(), said("first"), chosen, said("old"))

    assert "· from now on p/other answers, effort high" in rows(session)
    assert (session.name, session.effort) == ("p/other", "high")


def test_a_session_that_goes_on_has_the_model_it_was_last_given() -> None:
    session = SessionView()
    session.apply(msgspec.structs.replace(INFO, model="q/other"))
    bodies: list[Body] = [
        prompt(),
        ModelChosen(model="q/other", run_id="r"),
        said("one"),
        prompt(),
        said("two", "q/other"),
    ]
    for number, body in enumerate(bodies):
        session.apply(EntryAdded(entry=Entry(id=f"e{number}", session_id="s", parent="", body=body, at=1.0)))

    assert session.name == "q/other"


def test_an_alias_becomes_the_name_of_who_answered() -> None:
    session = SessionView()
    session.apply(msgspec.structs.replace(INFO, model="p/alias"))
    session.apply(EntryAdded(entry=Entry(id="e", session_id="s", parent="", body=said("hi"), at=1.0)))

    assert session.name == "p/m"


def test_the_model_of_the_command_line_is_not_worth_a_line() -> None:
    session = told(ModelChosen(model="p/other", run_id="r"), prompt(), said("hi", model="p/other"))

    assert rows(session) == ["", "❯ look", "", "hi"]
    assert session.name == "p/other"


def test_a_wait_counts_down_and_says_why() -> None:
    session = told(prompt())
    session.apply(Retrying(why="slow down", wait_s=75.0), at=1000.0)

    assert status.doing(session, asking=False, wall=1000.0) == "Retrying in 1:15: slow down"
    assert status.doing(session, asking=False, wall=1070.5) == "Retrying in 5s: slow down"
    assert status.doing(session, asking=False, wall=1075.0) == "Retrying: slow down"


def test_a_request_that_stands_is_waited_for_and_not_retried() -> None:
    session = told(prompt())
    session.apply(Retrying(why="llamacpp: queued", wait_s=0.0, again=False), at=1000.0)

    assert status.doing(session, asking=False, wall=1000.0) == "Waiting: llamacpp: queued"

    session.apply(TextDelta(text="Hi."), at=1001.0)

    assert status.doing(session, asking=False, wall=1001.0) == "Writing"
    session.apply(TextDelta(text="now"))
    assert status.doing(session, asking=False, wall=1076.0) == "Writing"


def test_thinking_that_is_not_shown_by_its_service_leaves_no_trace() -> None:
    session = told(prompt())
    rows(session)
    session.apply(ThinkingDelta(text=""))

    assert status.doing(session, asking=False) == "Thinking"
    session.apply(EntryAdded(entry=Entry(id="x", session_id="s", parent="", body=said("done"), at=1.0)))
    session.apply(EntryAdded(entry=Entry(id="y", session_id="s", parent="", body=END, at=1.0)))
    assert rows(session) == ["", "done"]


END = TurnEnded(turn_id="t", reason="done")


def test_the_status_line_has_model_and_effort() -> None:
    session = told(ModelChosen(model="p/other", effort="high", run_id="r"))

    row = status_line(session, 60)
    assert row == " other high · default · /w"


def test_the_status_line_is_red_where_nothing_asks() -> None:
    session = told(ModelChosen(model="p/other", run_id="r"))
    session.apply(SessionInfo(session_id="s", model="", cwd="/w", mode="default", unrestricted=True, busy=False))
    coloured = Theme(colour=True)

    row = StatusLine(session, Surroundings("/w")).row("", 60, coloured)

    red = [("error", "other"), ("error", "UNRESTRICTED"), ("error", "/w")]
    shown = coloured.paint("dim", " · ").join(coloured.paint(*part) for part in red)
    assert row == f" {shown}{coloured.paint('dim', '')}"


def test_the_status_line_says_that_the_sandbox_runs_unasked() -> None:
    session = told(ModelChosen(model="p/other", effort="high", run_id="r"))
    session.sandbox, session.sandbox_unasked = "bubblewrap", True
    without = told(ModelChosen(model="p/other", effort="high", run_id="r"))
    without.sandbox, without.sandbox_unasked = "none", True

    shown = [status_line(one, 100) for one in (session, without)]

    assert shown == [
        " other high · default · sandbox: bubblewrap · all in the sandbox unasked · /w",
        " other high · default · sandbox: none · /w",
    ]


def test_the_status_line_has_the_name_in_the_room_that_is_left() -> None:
    session = told(ModelChosen(model="p/other", run_id="r"))
    session.called = "a name that is longer than what there is room for"

    rows = [status_line(session, width) for width in (120, 45, 30)]

    assert rows == [
        " other · default · /w · a name that is longer than what there i…",
        " other · default · /w · a name that is lo…",
        " other · default · /w",
    ]


def test_a_name_comes_in_the_middle_of_an_answer_and_is_billed() -> None:
    session = told(prompt())
    rows(session)
    session.apply(TextDelta(text="A paragraph.\n\nAnd"))
    before = rows(session), session.mark.chars
    named = Named(name="it", usage=Usage(input_tokens=1, cost_usd=0.5))

    session.apply(EntryAdded(entry=Entry(id="n", session_id="s", parent="", body=named, at=1.0)))

    assert before[1] > 0
    assert (rows(session), session.mark.chars, session.used.cost_usd) == ([], before[1], 0.5)


def test_calls_of_a_server_s_tool_are_shown_as_people_know_it_while_they_run_and_after() -> None:
    calls = (
        ToolCall(call_id="a", name="box___do_it_1a2b3c", arguments="{}", shown="box:do\x1b[2J it"),
        ToolCall(call_id="b", name="box___get", arguments="{}"),
    )
    session = told(prompt(), AssistantMessage(blocks=calls, stop_reason="tool_calls", model="m"))
    running = status.doing(session, asking=False)
    session = told(
        prompt(),
        AssistantMessage(blocks=calls, stop_reason="tool_calls", model="m"),
        *(ToolResult(call_id=call.call_id, name=call.name, output="") for call in calls),
        ToolResult(call_id="lost", name="box___put", output=""),
    )

    shown = [row[2:].partition("  ")[0].rstrip() for row in rows(session) if row.startswith("●")]
    assert running == r"Running box:do\x1b[2J it, box:get"
    assert shown == [r"box:do\x1b[2J it", "box:get", "box:put"]


def test_a_notice_waits_for_the_end_of_a_code_block_and_of_a_list() -> None:
    session = told(prompt())
    rows(session)

    session.apply(TextDelta(text="```\ndef a():\n"))
    session.say(Note("gate was restarted"))
    amid = rows(session)
    session.apply(TextDelta(text="    pass\n```\n- one\n- two\n"))
    in_list = rows(session)
    session.apply(TextDelta(text="\nThe end.\n\n"))

    assert (amid, in_list) == (["", "def a():"], ["    pass", "", "• one"])
    assert rows(session) == ["• two", "", "The end.", "· gate was restarted"]


def test_what_ends_the_turn_lets_notices_go() -> None:
    session = told(prompt())
    session.apply(TextDelta(text="```\ndef a():\n"))
    session.say(Note("the store is gone", "error"))

    session.apply(TurnStopped(text="it cannot go on"))

    assert "the store is gone" in "\n".join(rows(session))


def test_a_notice_in_a_paragraph_stands_above_it_at_once() -> None:
    session = told(prompt())
    rows(session)

    session.apply(TextDelta(text="It is a par"))
    session.say(Note("gate was restarted"))

    assert rows(session) == ["· gate was restarted"]


def test_notices_that_waited_in_an_earlier_life_wait_until_what_was_shown_of_the_answer_has_come_again() -> None:
    first = told(prompt())
    rows(first)
    first.apply(TextDelta(text="```\ndef a():\n"))
    first.say(Note("in the scrollback"))
    first.apply(TextDelta(text="    pass\n```\n"))
    rows(first)
    first.apply(TextDelta(text="```\nb\n"))
    first.say(Note("not there yet"))
    rows(first)
    waited = tuple(first.notes.notes)
    second = SessionView(first.mark)

    second.notes.recall((Note("in the scrollback"), *waited), 0)
    second.apply(INFO)
    second.apply(TextDelta(text="```\ndef a():\n    pass\n"))
    behind = rows(second)
    second.apply(TextDelta(text="```\n```\nb\nc\n```\n"))

    assert waited == (Note("not there yet"),)
    assert behind == []
    assert rows(second) == ["c", "· not there yet"]
