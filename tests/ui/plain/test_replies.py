"""What a typed line means for a question of the plain screen."""

import pytest

from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAsked
from tests.fakes.agent import APPROVAL, approval
from ui.plain.replies import Reply, asked, meant
from ui.screen.terminal.theme import theme

BASH = ToolCall(call_id="c", name="bash", arguments='{"command": "ls"}')
YES = Choice(id="once", key="y", label="yes, this once")
NO = Choice(id="no", key="n", label="no", refuses=True)
BECAUSE = Choice(id="no_because", key="f", label="no, and say why", takes_text=True, refuses=True)
OTHER = Choice(id="other", key="o", label="something else", takes_text=True)


def question(*choices: Choice, kind: str = "approval") -> UserAsked:
    return UserAsked(
        agent="agent:main",
        kind=kind,  # type: ignore[arg-type]  # one of its words
        title="ls",
        choices=choices,
        default=choices[0].id,
        escape=choices[-1].id,
        call=BASH,
    )


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("1", Reply(YES)),
        (" 1. ", Reply(YES)),
        ("y", Reply(YES)),
        ("YES", Reply(YES)),
        ("yes, this once", Reply(YES)),
        ("2", Reply(NO)),
        ("No", Reply(NO)),
        ("no", Reply(NO)),
        ("3", Reply(BECAUSE)),
        ("3 use the other file", Reply(BECAUSE, "use the other file")),
        ("no, and", Reply(BECAUSE)),
        ("cancel", Reply(None)),
        ("", None),
        ("   ", None),
        ("4", None),
        ("1 2", None),
        ("y but only once", None),
        ("tell me more", None),
    ],
)
def test_an_answer_is_a_number_a_letter_or_a_word(line: str, reply: Reply | None) -> None:
    assert meant(question(YES, NO, BECAUSE), line) == reply


@pytest.mark.parametrize(("line", "reply"), [("integer cents", Reply(OTHER, "integer cents")), ("2", Reply(NO))])
def test_a_question_of_the_agent_is_answered_in_ones_own_words(line: str, reply: Reply) -> None:
    assert meant(question(OTHER, NO, kind="question"), line) == reply


def test_yes_is_for_once_where_another_begins_so() -> None:
    always = Choice(id="session", key="s", label="yes, for this session")

    assert meant(question(YES, always, NO), "yes") == Reply(YES)


@pytest.mark.parametrize("line", ["", " ", "."])
def test_an_empty_line_chooses_nothing_of_a_list_whose_rows_have_no_letters(line: str) -> None:
    rows = (Choice(id="0", key="", label="the first"), Choice(id="1", key="", label="the second"))

    assert meant(question(*rows, kind="list"), line) is None
    assert meant(question(*rows, kind="list"), "2") == Reply(rows[1])


def test_a_question_has_all_of_what_it_is_about_and_its_choices_by_number() -> None:
    rows = asked(approval(BASH, "ls"), 1000, theme(colour=False))

    assert rows[0] == "question: Allow?"
    assert any("ls" in row and "runs a command" in row for row in rows)
    numbered = [row.split(".")[0].strip() for row in rows[-len(APPROVAL) :]]
    assert numbered == [str(number) for number in range(1, len(APPROVAL) + 1)]
