"""One of many is found by typing a part of it: all the room is for them, and nothing has to be read before."""

import pytest
from msgspec.structs import replace
from wcwidth import strip_sequences

from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAsked
from tests.fakes.agent import approval
from tests.ui.screen.questions.test_queue import QUESTION
from tests.ui.screen.terminals import PLAIN
from ui.common import harmless
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.questions import panel
from ui.screen.questions.queue import Answer, Questions
from ui.screen.terminal import cells
from ui.screen.terminal.keys import Event, Key, Paste, Text

MANY = replace(
    QUESTION,
    kind="list",
    title="Which of them?",
    risk="",
    choices=tuple(Choice(id=str(at), key="", label=f"number {at} " + "word " * 30, facts="2 h") for at in range(40)),
    default="30",
    escape="",
    call=ToolCall(call_id="list", name="", arguments="{}"),
)
NAMES = ("fix rounding in cart totals", "rounding: Decimal or int?", "round-robin scheduler", "dark theme")
FEW = replace(
    MANY,
    choices=tuple(Choice(id=name, key="", label=name, facts="main") for name in NAMES),
    default=NAMES[0],
)


def asked(question: UserAsked = MANY) -> Questions:
    questions = Questions()
    questions.add(question)
    return questions


def drawn(questions: Questions, height: int, width: int = 40) -> list[str]:
    rows, _ = panel.draw(questions, width, height, PLAIN)
    return [strip_sequences(row) for row in rows]


def typed(questions: Questions, *events: Event) -> Answer | None:
    return [questions.key(event) for event in events][-1]


def test_the_marked_one_is_among_those_that_are_seen() -> None:
    rows = drawn(asked(), 12)

    assert len(rows) <= 12
    assert rows[0] == "── Which of them? ────────── 40 of 40 ──"
    assert [row[:13] for row in rows if "▸" in row] == [" ▸ number 30 "]
    assert sum("number" in row for row in rows) == 9


def test_pages_move_the_mark_and_stop_at_the_ends() -> None:
    questions = asked()
    drawn(questions, 12)
    seen = []
    for key in ("pagedown", "pagedown", "pageup", "pageup", "pageup", "pageup", "up", "down"):
        assert questions.key(Key(key)) is None
        seen.append(questions.chosen)

    assert seen == [39, 39, 29, 19, 9, 0, 0, 1]


@pytest.mark.parametrize(("event", "choice"), [(Key("enter"), "30"), (Key("esc"), "")])
def test_it_is_chosen_before_all_of_it_was_seen(event: Key, choice: str) -> None:
    questions = asked()
    drawn(questions, 6)

    assert questions.key(event) == Answer(1, choice)


def test_what_is_typed_leaves_those_that_have_it_and_marks_the_first() -> None:
    questions = asked(FEW)
    typed(questions, Key("down"), Text("ro"), Text("u"), Text("nd"))

    assert drawn(questions, 12, 80)[1:] == [
        "❯ round",
        " ▸ fix rounding in cart totals  main",
        "   rounding: Decimal or int?    main",
        "   round-robin scheduler        main",
        "   type to filter · enter: take it · esc: close",
    ]
    assert drawn(questions, 12, 80)[0].endswith("─ 3 of 4 ──")
    assert typed(questions, Key("down"), Text(" sch"), Key("enter")) == Answer(1, NAMES[2])


def test_a_word_with_a_letter_wrong_finds_what_comes_near() -> None:
    assert typed(asked(FEW), Text("schduler"), Key("enter")) == Answer(1, NAMES[2])


def test_where_nothing_has_it_enter_takes_nothing_and_backspace_brings_them_back() -> None:
    questions = asked(FEW)

    assert typed(questions, Text("xyzzy"), Key("enter"), Key("down")) is None
    assert "nothing has this" in drawn(questions, 12, 80)[2]
    assert typed(questions, Key("ctrl+u"), Key("enter")) == Answer(1, NAMES[0])


def test_what_is_typed_stays_one_line_and_harmless() -> None:
    questions = asked(FEW)
    typed(questions, Paste("dark\n\x1b[2Jtheme"), Key("alt+enter"))

    assert drawn(questions, 12)[1] == "❯ dark \\x1b[2Jtheme"


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("height", [3, 6, 24])
def test_it_fits_and_names_of_others_cannot_break_it(width: int, height: int) -> None:
    hostile = Choice(id="h", key="", label="\x1b[2J\u202eevil\nrow" + "宽" * 100, facts="\x07main\n")
    rows, cursor = panel.draw(asked(replace(MANY, choices=(hostile,) * 30, default="h")), width, height, PLAIN)

    assert len(rows) <= height
    assert all(cells.width(row) <= width for row in rows)
    assert cursor[0] < len(rows)
    assert [harmless.sanitise(strip_sequences(row)) for row in rows] == [strip_sequences(row) for row in rows]


def test_two_thousand_cost_the_rows_that_are_seen() -> None:
    many = replace(
        MANY, choices=tuple(Choice(id=str(at), key="", label=f"session {at}") for at in range(2000)), default="0"
    )
    questions = asked(many)

    assert typed(questions, Text("199")) is None
    assert len(drawn(questions, 24)) < 20
    assert drawn(questions, 24)[0].endswith("─ 12 of 2000 ──")


def test_what_is_asked_may_be_renewed_and_the_mark_stays() -> None:
    questions = asked()
    for _ in range(3):
        questions.key(Key("up"))
    now = replace(MANY, choices=tuple(replace(one, label=f"now {one.id}") for one in MANY.choices))

    questions.renew(now)

    assert [row.split() for row in drawn(questions, 12) if "▸" in row] == [["▸", "now", "27", "2", "h"]]
    assert questions.key(Key("enter")) == Answer(1, "27")


def test_what_is_not_asked_any_more_is_not_renewed() -> None:
    questions = Questions()

    questions.renew(MANY)

    assert questions.current is None


def test_a_list_comes_before_a_question_that_waits_and_its_note_comes_back() -> None:
    questions = asked(QUESTION)
    typed(questions, Key("down"), Key("down"), Key("enter"), Text("use uv"))
    note = questions.note

    questions.add(FEW, at_once=True)
    assert typed(questions, Text("dark"), Key("enter")) == Answer(2, NAMES[3])
    questions.remove(2, answered=True)

    assert questions.current == QUESTION
    assert questions.note == note


def test_letters_find_at_once_and_a_draft_stays_while_enter_waits() -> None:
    controls = Controls(History([]), reach=lambda: "turn")
    controls.handle(Text("a draft"), 0.0)
    controls.questions.add(FEW)

    assert controls.handle(Text("dark"), 0.0) == []
    assert controls.handle(Key("enter"), 0.0) == []
    drawn(controls.questions, 12)
    controls.questions.painted(0.0)

    assert controls.handle(Key("enter"), 1.0) == [Answer(1, NAMES[3])]
    assert controls.editor.text == "a draft"


def test_escape_closes_a_list_and_no_turn() -> None:
    controls = Controls(History([]), reach=lambda: "turn")
    controls.questions.add(FEW)

    assert controls.handle(Key("esc"), 0.0) == [Answer(1, "")]


def test_a_server_s_tool_is_asked_about_by_the_name_that_people_know_and_once() -> None:
    call = ToolCall(call_id="c", name="box___do_it_1a2b3c", arguments="{}", shown="box:do it")

    rows = drawn(asked(approval(call, "box:do it")), 12)

    assert [row.rstrip() for row in rows if "box" in row] == [" box:do it  runs a command"]
