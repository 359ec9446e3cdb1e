"""One of many is chosen: all the room is for them, a row each, and nothing has to be read before."""

import pytest
from msgspec.structs import replace
from wcwidth import strip_sequences

from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAsked
from tests.fakes.agent import approval
from tests.ui.screen.questions.test_queue import QUESTION
from tests.ui.screen.terminals import PLAIN
from ui.screen.questions import panel
from ui.screen.questions.queue import Answer, Questions
from ui.screen.terminal.keys import Key, Text

MANY = replace(
    QUESTION,
    kind="list",
    title="Which of them?",
    risk="",
    choices=tuple(Choice(id=str(at), key=str(at + 1), label=f"number {at} " + "word " * 30) for at in range(40)),
    default="30",
    escape="",
)


def asked(question: UserAsked = MANY) -> Questions:
    questions = Questions()
    questions.add(question)
    return questions


def drawn(questions: Questions, height: int, width: int = 40) -> list[str]:
    rows, _ = panel.draw(questions, width, height, PLAIN)
    return [strip_sequences(row) for row in rows]


def test_the_marked_one_is_among_those_that_are_seen() -> None:
    rows = drawn(asked(), 12)

    assert len(rows) <= 12
    assert [row.strip(" ─") for row in rows[:2]] == ["Choose", "Which of them?"]
    assert [row[:16] for row in rows if "▸" in row] == [" ▸ 31 number 30 "]
    assert sum("number" in row for row in rows) == 9


def test_pages_move_the_mark_and_stop_at_the_ends() -> None:
    questions = asked()
    drawn(questions, 12)
    seen = []
    for key in ("pagedown", "pagedown", "pageup", "pageup", "pageup", "pageup", "up", "down"):
        assert questions.key(Key(key)) is None
        seen.append(questions.chosen)

    assert seen == [39, 39, 29, 19, 9, 0, 0, 1]


@pytest.mark.parametrize(("event", "choice"), [(Key("enter"), "30"), (Text("3"), "2"), (Key("esc"), "")])
def test_it_is_chosen_before_all_of_it_was_seen(event: Key | Text, choice: str) -> None:
    questions = asked()
    drawn(questions, 6)

    assert questions.key(event) == Answer(1, choice)


def test_a_few_are_seen_with_their_keys() -> None:
    few = replace(MANY, choices=MANY.choices[:2], default="0")

    assert [row.rstrip()[:40] for row in drawn(asked(few), 12, 60)] == [
        "── Choose ──────────────────────────────",
        " Which of them?",
        " ▸ 1 number 0 word word word word word w",
        "   2 number 1 word word word word word w",
        "   enter: the marked one · esc: leave al",
    ]


def test_what_is_asked_may_be_renewed_and_the_mark_stays() -> None:
    questions = asked()
    for _ in range(3):
        questions.key(Key("up"))
    now = replace(MANY, choices=tuple(replace(one, label=f"now {one.id}") for one in MANY.choices))

    questions.renew(now)

    assert [row.strip() for row in drawn(questions, 12) if "▸" in row] == ["▸ 28 now 27"]
    assert questions.key(Key("enter")) == Answer(1, "27")


def test_what_is_not_asked_any_more_is_not_renewed() -> None:
    questions = Questions()

    questions.renew(MANY)

    assert questions.current is None


def test_a_server_s_tool_is_asked_about_by_the_name_that_people_know_and_once() -> None:
    call = ToolCall(call_id="c", name="box___do_it_1a2b3c", arguments="{}", shown="box:do it")

    rows = drawn(asked(approval(call, "box:do it")), 12)

    assert [row.rstrip() for row in rows if "box" in row] == [" box:do it  runs a command"]
