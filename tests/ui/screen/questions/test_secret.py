"""An answer that is for nobody's eyes: dots, and nothing of it in what is kept."""

from wcwidth import strip_sequences

from tests.ui.screen.questions.test_queue import ENTER, ESC, LISTENING, NOW, Desk
from tests.ui.screen.terminals import PLAIN
from ui.screen.first_start.access import key_question
from ui.screen.questions import panel
from ui.screen.questions.queue import Answer, Note
from ui.screen.terminal.keys import Key, Paste, Text

KEY = "sk-planted-0123456789"


def drawn(desk: Desk) -> str:
    rows, _ = panel.draw(desk.controls.questions, 80, 20, PLAIN)
    return "\n".join(strip_sequences(row) for row in rows)


def test_what_is_pasted_is_shown_as_dots_and_is_in_no_note() -> None:
    desk = Desk(key_question("mine"))
    desk.controls.questions.painted(NOW)

    desk.type(Paste(KEY))

    assert "•" * len(KEY) in drawn(desk)
    assert "planted" not in drawn(desk)
    assert desk.controls.questions.note == Note()
    assert desk.type(ENTER) == [Answer(desk.numbers[0], "key", KEY)]


def test_its_letters_are_no_answers_and_the_outside_editor_is_not_opened() -> None:
    desk = Desk(key_question("mine"))
    desk.controls.questions.painted(NOW)

    assert desk.type(Text("n"), Text("k"), Key("ctrl+g")) == []
    assert desk.type(ENTER) == [Answer(desk.numbers[0], "key", "nk")]


def test_esc_goes_back() -> None:
    desk = Desk(key_question("mine"))
    desk.controls.questions.painted(NOW)

    assert desk.type(Text("sk"), ESC) == [Answer(desk.numbers[0], "back")]


def test_what_comes_too_early_does_not_go_into_the_draft() -> None:
    desk = Desk(key_question("mine"))
    desk.controls.editor.paste("a draft")

    desk.type(Paste(KEY), at=LISTENING - 1)

    assert desk.controls.editor.text == "a draft"
    assert desk.controls.questions.text.text == ""
