"""What the model asks the user, on the real screen, in tmux; and what the status line says of the sandbox."""

import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Event, Place, answer, call, until
from tests.system.screen.questions import decide, listening, write
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
ASKED = "How are totals kept?"
QUESTION = answer(
    "One thing first.",
    call("ask_user", question=ASKED, choices=["cents", "Decimal"], details="Both are **exact**."),
)
HEARD = answer("I heard: {result}")


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event, more: tuple[str, ...] = ("go on",)) -> Tmux:
        opened.append(Tmux(place, "--model", place.script(*answers), *more))
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


@pytest.mark.parametrize(
    ("key", "heard"),
    [("2", "The user chose: Decimal"), ("Enter", "The user chose: cents"), ("Escape", "The user did not answer.")],
)
def test_an_answer_reaches_the_model(start: Start, key: str, heard: str) -> None:
    tmux = start(QUESTION, HEARD)
    listening(tmux, ASKED, opens="o")
    assert "Both are **exact**." in tmux.visible

    tmux.press(key)

    tmux.wait_for(f"I heard: {heard}")
    assert "interrupted" not in tmux.text


def test_something_else_is_said_in_the_users_own_words(start: Start) -> None:
    tmux = start(QUESTION, HEARD)
    tmux.wait_for(ASKED)
    write(tmux, "o")
    tmux.press("Enter")
    tmux.type("as fractions")

    tmux.press("Enter")

    tmux.wait_for("I heard: The user says: as fractions")


def test_ctrl_c_ends_the_turn_and_the_question_goes(start: Start) -> None:
    tmux = start(QUESTION, HEARD)
    listening(tmux, ASKED)

    tmux.press("C-c")

    tmux.wait_for("■ interrupted")
    tmux.wait(lambda: ASKED not in tmux.visible.split("■ interrupted")[1])


def test_research_only_looks_and_is_left_again(start: Start, place: Place) -> None:
    tmux = start(answer("I try.", call("write", path="a.txt", content="x")), answer("It was {result}"), more=())
    tmux.wait_for(" default")

    tmux.type("/ask what is here?")
    tmux.press("Enter")
    tmux.wait_for("It was denied")
    assert " research: read-only " in tmux.visible
    tmux.type("/ask")
    tmux.press("Enter")

    tmux.wait_for("mode default: ")
    assert not (place.workspace / "a.txt").exists()


def test_the_status_line_says_when_there_is_no_sandbox(start: Start) -> None:
    tmux = start(more=("--no-sandbox",))

    tmux.wait_for(" sandbox: none ")


def test_what_the_model_proposes_to_remember_is_written_by_a_yes_and_told(start: Start, place: Place) -> None:
    tmux = start(answer("", call("remember", text="Use tabs.")), answer("It was: {result}"))
    tmux.wait_for("Allow?")
    assert "- Use tabs." in tmux.visible

    decide(tmux, "y")
    tmux.wait_for("It was: The user said yes.")
    tmux.type("/memory")
    tmux.press("Enter")

    tmux.wait_for("· - Use tabs.")
    assert (place.home / "memory.md").read_text() == "- Use tabs.\n"


def test_a_command_that_is_a_file_is_sent_and_a_built_in_one_stays(start: Start, place: Place) -> None:
    (place.home / "commands").mkdir()
    (place.home / "commands/review.md").write_text("Look over $ARGUMENTS.")
    (place.home / "commands/memory.md").write_text("Not this.")
    tmux = start(answer("I look."), more=())
    tmux.wait_for(" default")

    tmux.type("/memory")
    tmux.press("Enter")
    tmux.wait_for("nothing is remembered")
    tmux.type("/review a.py")
    tmux.press("Enter")

    tmux.wait_for("I look.")
    tmux.wait_for("Look over a.py.")
