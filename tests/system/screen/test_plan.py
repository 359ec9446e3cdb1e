"""Plan mode end to end, in tmux: looking, presenting, the user's four answers, and what follows from each."""

import json
import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Event, Place, answer, call, until
from tests.system.screen.questions import decide, write
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
ASKED = "Approve this plan?"
PLAN = "# Totals\n\n" + "\n".join(f"{number}. step number {number}" for number in range(1, 41)) + "\n"
PRESENT = answer("I have looked.", call("present_plan", plan=PLAN))
WRITE = answer("I write.", call("write", path="made.txt", content="made\n"))
HEARD = answer("You said: {result}")


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event) -> Tmux:
        """In plan mode, with its first prompt sent."""
        opened.append(Tmux(place, "--model", place.script(*answers), width=100, height=30))
        tmux = opened[-1]
        tmux.wait_for(" default")
        tmux.type("/plan")
        tmux.press("Enter")
        tmux.wait_for(" plan: read-only ")
        tmux.type("plan it")
        tmux.press("Enter")
        return tmux

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def read_to_its_end(tmux: Tmux) -> None:
    tmux.wait(lambda: ASKED in tmux.visible)
    tmux.press_until(lambda: "pgup pgdn" in tmux.visible, "Space")


def write_feedback(tmux: Tmux) -> None:
    tmux.wait(lambda: ASKED in tmux.visible)
    write(tmux, "2")


def answer_plan(tmux: Tmux, key: str) -> None:
    read_to_its_end(tmux)
    decide(tmux, key, ASKED, opens="2")
    tmux.wait(lambda: ASKED not in tmux.visible)


def told(place: Place) -> list[str]:
    """Outputs of tools, as the model got them, of all sessions."""
    sessions = json.loads(place.run("sessions", "list", "--json").out)
    bodies = [entry["body"] for session in sessions for entry in place.entries(session["session_id"])]
    return [body["output"] for body in bodies if body["type"] == "ToolResult"]


def test_nothing_is_written_before_a_plan_is_approved(start: Start, place: Place) -> None:
    tmux = start(WRITE, HEARD)

    tmux.wait_for("You said:")

    assert "denied" in tmux.text
    assert not (place.workspace / "made.txt").exists()


def test_an_approved_plan_is_written_down_and_plan_mode_is_left(start: Start, place: Place) -> None:
    tmux = start(PRESENT, WRITE, HEARD)
    tmux.wait_for("allowed only after the last")
    assert "40. step number 40" not in tmux.visible
    tmux.press_until(lambda: "40. step number 40" in tmux.visible, "Space")

    answer_plan(tmux, "1")

    tmux.wait(lambda: "Allow?" in tmux.visible)
    assert " default" in tmux.visible
    assert (place.workspace / "PLAN.md").read_text() == PLAN
    decide(tmux, "y")
    tmux.wait_for("You said:")
    assert (place.workspace / "made.txt").read_text() == "made\n"


def test_what_the_user_says_to_a_denied_plan_reaches_the_model_and_the_mode_stays(start: Start, place: Place) -> None:
    tmux = start(PRESENT, PRESENT, HEARD)
    write_feedback(tmux)
    tmux.type("half of it, please")
    tmux.press("Enter")

    until(lambda: len(told(place)) == 1)
    assert " plan: read-only " in tmux.visible
    assert not (place.workspace / "PLAN.md").exists()
    assert "half of it, please" in told(place)[0]


def test_escape_answers_the_question_and_the_turn_goes_on(start: Start, place: Place) -> None:
    tmux = start(PRESENT, HEARD)

    answer_plan(tmux, "Escape")

    tmux.wait_for("You said:")
    assert "interrupted" not in tmux.text
    assert " plan: read-only " in tmux.visible
    assert not (place.workspace / "PLAN.md").exists()


def test_plan_mode_can_be_left_without_approving(start: Start, place: Place) -> None:
    tmux = start(PRESENT, HEARD)

    answer_plan(tmux, "3")

    tmux.wait_for("You said:")
    tmux.wait(lambda: " default" in tmux.visible)
    assert not (place.workspace / "PLAN.md").exists()


def test_a_fresh_session_knows_nothing_but_the_plan(start: Start, place: Place) -> None:
    tmux = start(PRESENT, answer("It is approved.", delay_s=0.3), answer("I was told: {prompt}"))

    answer_plan(tmux, "4")

    tmux.wait_for(" from here on; the one before goes on with: /resume ")
    assert "interrupted" not in tmux.text
    tmux.wait_for("❯ Carry out this plan.")
    tmux.wait(lambda: "esc stops" not in tmux.visible and " default" in tmux.visible)
    assert (place.workspace / "PLAN.md").read_text() == PLAN
    sessions = json.loads(place.run("sessions", "list", "--json").out)
    bodies = [[entry["body"] for entry in place.entries(session["session_id"])] for session in sessions]
    prompts = [[body["text"] for body in one if body.get("prompt_id")] for one in bodies]
    fresh, first = sorted(prompts, key=lambda texts: texts == ["plan it"])
    assert first == ["plan it"]
    assert [PLAN.strip() in text for text in fresh] == [True]


def test_a_screen_killed_while_feedback_is_written_comes_back_with_it(start: Start, place: Place) -> None:
    tmux = start(PRESENT, HEARD)
    write_feedback(tmux)
    tmux.type("half of it, please")
    until(lambda: any("half of it, please" in value for value in place.remembered("draft/")))

    tmux.kill("ui")

    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: "❯ half of it, please" in tmux.visible and "enter sends it" in tmux.visible)
    tmux.press_until(lambda: "You said:" in tmux.text, "Enter")
    assert "half of it, please" in told(place)[0]
