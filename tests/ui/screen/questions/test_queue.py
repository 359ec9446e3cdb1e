"""Questions of the gate: which key gives which answer, when, and what is not lost."""

import re

import pytest
import wcwidth
from msgspec.structs import replace

from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAsked
from tests.fakes.agent import PLAN, approval
from tests.ui.screen.terminals import PLAIN
from ui.screen.composer.editor import Draft
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.intents import Command, Interrupt, Send
from ui.screen.questions import panel
from ui.screen.questions.queue import DEAF_S, TYPING_S, Answer, Note
from ui.screen.terminal.keys import Key, Text
from ui.screen.terminal.theme import Theme

QUESTION = approval(ToolCall(call_id="c", name="bash", arguments="{}"), "rm -r build")
PLANNED = replace(
    QUESTION,
    kind="plan",
    title="a plan",
    detail="\n\n".join(f"Step {number}." for number in range(20)),
    choices=PLAN,
    default="deny",
    escape="deny",
    call=ToolCall(call_id="p", name="present_plan", arguments="{}"),
)
CHOOSE = replace(
    QUESTION,
    kind="question",
    title="Which?",
    choices=(
        Choice(id="choice-1", key="1", label="this"),
        Choice(id="choice-2", key="2", label="that"),
        Choice(id="other", key="o", label="something else", takes_text=True),
        Choice(id="none", key="n", label="no answer"),
    ),
    default="choice-1",
    escape="none",
)
ENTER, ESC, UP, DOWN = Key("enter"), Key("esc"), Key("up"), Key("down")
NOW = 100.0
LISTENING = NOW + DEAF_S


class Desk:
    """Controls of a busy agent that asks."""

    def __init__(self, *questions: UserAsked) -> None:
        self.controls = Controls(History([]), lambda: "turn")
        self.numbers = [self.controls.questions.add(question) for question in questions]
        self.rows(100)

    def type(self, *events: object, at: float = LISTENING) -> list[object]:
        return [intent for event in events for intent in self.controls.handle(event, at)]  # type: ignore[arg-type]

    def rows(self, height: int = 20, width: int = 60, at: float = NOW) -> list[str]:
        """As they are on the screen."""
        rows, _ = panel.draw(self.controls.questions, width, height, PLAIN)
        self.controls.questions.painted(at)
        return [wcwidth.strip_sequences(row).rstrip() for row in rows]


@pytest.mark.parametrize(
    ("question", "keys", "choice"),
    [
        (QUESTION, [Text("y")], "once"),
        (QUESTION, [Text("Y")], "once"),
        (QUESTION, [Text("s")], "session"),
        (QUESTION, [Text("a")], "always"),
        (QUESTION, [Text("n")], "no"),
        (QUESTION, [Text("1")], "once"),
        (QUESTION, [Text("3")], "always"),
        (QUESTION, [ENTER], "no"),
        (QUESTION, [ESC], "no"),
        (QUESTION, [UP, ENTER], "always"),
        (QUESTION, [UP, UP, UP, UP, ENTER], "once"),
        (QUESTION, [Text("k"), ENTER], "always"),
        (QUESTION, [Text("j"), Text("j"), ENTER], "once"),
        (QUESTION, [Key("tab"), Key("tab"), Key("shift+tab"), Key("shift+tab"), Key("shift+tab"), ENTER], "always"),
        (PLANNED, [Text("1")], "approve"),
        (PLANNED, [Text("3")], "leave"),
        (PLANNED, [Text("4")], "fresh"),
        (PLANNED, [ESC], "deny"),
        (CHOOSE, [ENTER], "choice-1"),
        (CHOOSE, [DOWN, ENTER], "choice-2"),
        (CHOOSE, [Text("4")], "none"),
        (CHOOSE, [ESC], "none"),
    ],
)
def test_a_key_answers(question: UserAsked, keys: list[object], choice: str) -> None:
    assert Desk(question).type(*keys) == [Answer(1, choice)]


@pytest.mark.parametrize("key", [Text("x"), Text("yy"), Text("7"), Key("f1"), Key("backspace")])
def test_any_other_key_does_nothing(key: object) -> None:
    desk = Desk(QUESTION)

    assert desk.type(key) == []
    assert desk.type(ENTER) == [Answer(1, "no")]


@pytest.mark.parametrize(
    ("question", "opens", "answer"),
    [
        (QUESTION, Text("f"), Answer(1, "no_because", "yes, use git clean")),
        (PLANNED, Text("2"), Answer(1, "deny", "yes, use git clean")),
        (PLANNED, ENTER, Answer(1, "deny", "yes, use git clean")),
        (CHOOSE, Text("o"), Answer(1, "other", "yes, use git clean")),
    ],
)
def test_some_answers_come_with_a_text(question: UserAsked, opens: object, answer: Answer) -> None:
    assert Desk(question).type(opens, Text("yes, use "), Text("git clean"), ENTER) == [answer]


@pytest.mark.parametrize("keys", ["yy", "yn", "nn", "12", "please", "jay", "always"])
def test_letters_that_come_at_once_give_no_answer(keys: str) -> None:
    desk = Desk(QUESTION)

    assert desk.type(Text(keys)) == []
    assert desk.controls.questions.current == QUESTION
    assert desk.type(Text("y")) == [Answer(1, "once")]


def test_a_key_that_is_held_moves_also_when_its_characters_come_at_once() -> None:
    desk = Desk(PLANNED)
    desk.rows(height=12)

    while not desk.controls.questions.reading.whole:
        before = desk.controls.questions.reading.first
        desk.type(Text("   "))
        assert desk.controls.questions.reading.first > before
        desk.rows(height=12)

    assert desk.type(Text("jjk"), ENTER) == [Answer(1, "leave")]


def test_what_is_written_with_an_answer_may_come_together_with_the_key_that_opens_it() -> None:
    assert Desk(QUESTION).type(Text("frather not"), ENTER) == [Answer(1, "no_because", "rather not")]
    assert Desk(PLANNED).type(Text("j2half of it"), ENTER) == [Answer(1, "deny", "half of it")]


def test_a_text_that_would_be_a_yes_is_opened_by_its_key_alone() -> None:
    reword = Choice(id="reword", key="w", label="yes, in other words", takes_text=True)
    desk = Desk(replace(QUESTION, choices=(reword, *QUESTION.choices)))

    assert desk.type(Text("what is this"), ENTER) == [Answer(1, "no")]


def test_an_empty_text_is_one_but_for_a_question_of_the_agent() -> None:
    assert Desk(QUESTION).type(Text("f"), ENTER) == [Answer(1, "no_because")]
    assert Desk(PLANNED).type(Text("2"), ENTER) == [Answer(1, "deny")]
    assert Desk(CHOOSE).type(Text("o"), ENTER, Text("cents"), ENTER) == [Answer(1, "other", "cents")]


def test_escape_goes_from_the_text_back_to_the_choices_and_the_text_stays() -> None:
    desk = Desk(QUESTION)

    assert desk.type(Text("f"), Text("not so"), ESC) == []
    assert desk.type(Text("f"), Text(" fast"), ENTER) == [Answer(1, "no_because", "not so fast")]


def test_ctrl_c_interrupts_the_turn_also_while_a_text_is_written() -> None:
    assert Desk(QUESTION).type(Key("ctrl+c")) == [Interrupt()]
    assert Desk(QUESTION).type(Text("f"), Key("ctrl+c")) == [Interrupt()]


def test_a_question_takes_no_keys_at_first() -> None:
    desk = Desk(QUESTION)

    assert desk.type(Text("y"), ENTER, at=LISTENING - 0.01) == []
    assert desk.type(Text("y"), at=LISTENING) == [Answer(1, "once")]


def test_typing_goes_on_when_a_question_comes() -> None:
    desk = Desk()
    desk.type(Text("what a da"), at=NOW)
    desk.controls.questions.add(QUESTION)
    desk.rows()

    typed = desk.type(Text("y"), ENTER, at=NOW + TYPING_S - 0.01)

    assert typed == []
    assert desk.controls.editor.text == "what a day"


def test_a_pause_for_thought_is_no_answer() -> None:
    desk = Desk()
    desk.type(Text("what "), at=NOW)
    desk.controls.questions.add(QUESTION)
    desk.rows()

    typed = desk.type(*map(Text, "always y"), Key("backspace"), at=NOW + 60)

    assert typed == []
    assert desk.controls.editor.text == "what always "
    assert desk.type(Key("ctrl+u"), Text("y"), at=NOW + 61) == [Answer(1, "once")]


def beside_a_draft(draft: str) -> Desk:
    """Long after it was typed."""
    desk = Desk()
    desk.type(Text(draft), at=NOW)
    desk.controls.questions.add(QUESTION)
    desk.rows()
    return desk


def test_beside_a_draft_a_question_is_answered_by_tab_and_enter_or_by_escape() -> None:
    assert beside_a_draft("what ").type(Key("tab"), Key("tab"), ENTER, at=NOW + 60) == [Answer(1, "once")]
    assert beside_a_draft("what ").type(ESC, at=NOW + 60) == [Answer(1, "no")]


def test_enter_and_arrows_are_the_drafts() -> None:
    desk = beside_a_draft("not that\nplease")

    sent = desk.type(Key("up"), Key("down"), ENTER, at=NOW + 60)

    assert [type(one) for one in sent] == [Send]
    assert desk.controls.questions.current is not None


def test_an_escape_meant_for_the_turn_still_reaches_it() -> None:
    desk = Desk(QUESTION)

    assert desk.type(ESC, at=NOW + 0.01) == [Interrupt()]
    assert desk.type(ESC, at=LISTENING) == [Answer(1, "no")]


def test_questions_wait_in_a_queue_and_each_is_deaf_at_first() -> None:
    desk = Desk(QUESTION, PLANNED)
    first, second = desk.numbers

    assert "1 of 2" in desk.rows()[0]
    assert desk.type(Text("y")) == [Answer(first, "once")]
    desk.controls.questions.remove(first, answered=True)

    assert "2 of 2" in desk.rows(100, at=LISTENING)[0]
    assert desk.type(Text("1"), at=LISTENING + DEAF_S - 0.01) == []
    assert desk.type(Text("1"), at=LISTENING + DEAF_S) == [Answer(second, "approve")]


def test_a_question_that_is_withdrawn_is_gone() -> None:
    desk = Desk(QUESTION)

    desk.controls.questions.remove(1)

    assert desk.type(Text("y"), at=NOW + 2) == []
    assert desk.controls.editor.text == "y"


def test_what_was_written_comes_back_when_it_is_asked_again() -> None:
    desk = Desk(QUESTION)
    desk.type(Text("f"), Text("rather not"))
    desk.controls.questions.remove(1)

    desk.controls.questions.add(PLANNED)
    desk.controls.questions.add(QUESTION)
    desk.controls.questions.remove(2, answered=True)
    desk.rows()

    assert desk.type(Text(", please"), ENTER, at=NOW + 9) == [Answer(3, "no_because", "rather not, please")]


def test_what_was_answered_does_not_come_back() -> None:
    desk = Desk(QUESTION)
    desk.type(Text("f"), Text("rather not"))
    desk.controls.questions.remove(1, answered=True)

    desk.controls.questions.add(QUESTION)
    desk.rows()

    assert desk.type(ENTER, at=NOW + 9) == [Answer(2, "no")]


@pytest.mark.parametrize("asked_first", [True, False])
def test_a_later_life_of_the_screen_has_what_was_written(asked_first: bool) -> None:
    note = Note("c", "no_because", Draft("rather not"))
    desk = Desk(*[QUESTION] * asked_first)

    desk.controls.questions.recall(note)
    if not asked_first:
        desk.controls.questions.add(QUESTION)
    desk.rows()

    assert desk.controls.questions.note == note
    assert desk.type(ENTER) == [Answer(1, "no_because", "rather not")]


def test_a_long_detail_is_scrolled_and_then_the_choices_are_reached() -> None:
    desk = Desk()
    desk.controls.questions.add(PLANNED)
    first = desk.rows()

    desk.type(Text(" "))
    second = desk.rows()
    for _ in range(60):
        desk.type(DOWN)
        last = desk.rows()

    assert [row for row in first if "1-14 of 40 rows" in row]
    assert second[1] == first[14]
    assert [row for row in last if "27-40 of 40 rows" in row]
    assert " ▸ 4 approve, and carry it out in a fresh session" in last
    for _ in range(60):
        desk.type(UP)
    assert desk.rows()[1:5] == first[1:5]


def test_the_marked_choice_is_seen_however_little_room_there_is() -> None:
    desk = Desk(PLANNED)

    for height in range(1, 8):
        rows = desk.rows(height)

        assert len(rows) <= height
        assert [row for row in rows if "▸ 2 deny" in row]


HIDDEN = "rm -r ~ #\n--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-one\n+two"


def test_a_command_that_looks_like_a_diff_is_shown_whole() -> None:
    desk = Desk(replace(QUESTION, title=HIDDEN, detail=HIDDEN))

    shown = "\n".join(desk.rows())

    assert all(line in shown for line in HIDDEN.split("\n"))


def test_text_from_outside_cannot_steer_the_terminal() -> None:
    evil = "\x1b]0;title\x07\x1b[2J\u202ehidden\x9b31m"
    choices = (Choice(id="once", key=evil, label=evil),)
    for kind in ("approval", "plan", "question"):
        asked = replace(QUESTION, kind=kind, title=evil, detail=evil, risk=evil, warning=evil, agent=evil)
        desk = Desk(replace(asked, choices=choices, default="once", escape="once"))

        shown = "".join(panel.draw(desk.controls.questions, 60, 20, PLAIN)[0])

        assert not any(sign in shown for sign in ("\x1b]", "\x07", "\x1b[2J", "\u202e", "\x9b"))


def test_without_colour_what_needs_care_is_said_in_words() -> None:
    desk = Desk(replace(QUESTION, warning="It deletes files for good."))

    plain = "".join(panel.draw(desk.controls.questions, 60, 20, PLAIN)[0])
    coloured = "".join(panel.draw(desk.controls.questions, 60, 20, Theme(colour=True))[0])

    assert " ! It deletes files for good." in desk.rows()
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", plain)
    assert "\x1b[31;1mIt deletes files for good." in coloured


def test_a_question_that_was_away_is_deaf_again_until_it_is_back() -> None:
    desk = Desk(QUESTION)

    desk.controls.questions.covered()

    assert desk.type(Text("y"), at=NOW + 60) == []
    desk.rows(20, at=NOW + 60)
    assert desk.type(Text("y"), at=NOW + 60) == []
    assert desk.type(Text("y"), at=NOW + 60 + DEAF_S) == [Answer(1, "once")]


def test_a_server_that_was_found_is_asked_about_by_name() -> None:
    question = replace(QUESTION, kind="server", title="It offers llamacpp/m.", detail="http://127.0.0.1:8080/v1")

    shown = "\n".join(Desk(question).rows())

    assert "Ask this server?" in shown
    assert "It offers llamacpp/m." in shown
    assert "http://127.0.0.1:8080/v1" in shown


@pytest.mark.parametrize(
    "typed", [[Text("/agents no")], [Text(each) for each in "/agents no"]], ids=["at once", "one by one"]
)
def test_a_slash_begins_a_command_and_answers_nothing(typed: list[Text]) -> None:
    desk = Desk(QUESTION)

    assert desk.type(*typed, ENTER) == [Command("/agents no")]
    assert desk.controls.questions.current == QUESTION


def test_a_slash_in_what_is_written_with_an_answer_is_written() -> None:
    desk = Desk(QUESTION)

    given = desk.type(Text("f"), Text("/tmp"), ENTER)

    assert [(answer.choice, answer.text) for answer in given if isinstance(answer, Answer)] == [("no_because", "/tmp")]


def test_who_waits_for_an_answer_is_known() -> None:
    desk = Desk(QUESTION, replace(QUESTION, asker="scout"), replace(QUESTION, asker="porter"))
    assert desk.controls.questions.askers == {"scout", "porter"}
