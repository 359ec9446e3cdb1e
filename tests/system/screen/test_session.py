"""The screen end to end, in tmux: a session as a user sees it, and whatever dies meanwhile."""

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator

import pytest

from supervisor.terminal import GeometryFile
from tests.system.harness import LAUNCHER, Event, Place, answer, call, until
from tests.system.screen.questions import decide, write
from tests.system.screen.tmux import Tmux
from tests.ui.screen.pty_stage import PtyTerminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
BLOCKS = [f"Block {number:02d}: " + "some words that fill the row " * 6 for number in range(40)]
TEXT = "\n\n".join(BLOCKS)
STREAM = answer(TEXT, chunks=200, chunk_delay_s=0.01)
PARTS = answer(TEXT, chunks=4, chunk_delay_s=1.5)
AUTO = ("--mode", "auto")
WORK = (
    answer("I read it.", call("read", path="a.txt")),
    answer("I change it.", call("edit", path="a.txt", old="two", new="three")),
    answer("I look at it.", call("bash", command="mkdir made")),
    answer("```python\nprint('done')\n```\nAll **done**."),
)


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event, more: tuple[str, ...] = (), mode: str = " default") -> Tmux:
        (place.workspace / "a.txt").write_text("one\ntwo\n")
        opened.append(Tmux(place, "--model", place.script(*answers), *more))
        opened[-1].wait_for(mode)
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def said(tmux: Tmux) -> list[str]:
    return [row.split(":")[0] for row in tmux.text.split("\n") if row.startswith("Block ")]


def noted(place: Place) -> int:
    """Characters of the answer that the screen says are in the scrollback."""
    (file,) = (place.home / "run").glob("*.screen")
    return GeometryFile(str(file)).read().chars


EVERY_BLOCK = [block.split(":")[0] for block in BLOCKS]


def agree(tmux: Tmux, tool: str) -> None:
    decide(tmux, "y", f" {tool}  ")


def test_a_task_is_done_with_the_users_consent(start: Start, place: Place) -> None:
    tmux = start(*WORK)

    tmux.type("change it")
    tmux.press("Enter")
    agree(tmux, "edit")
    agree(tmux, "bash")
    tmux.wait_for("All done.")

    assert (place.workspace / "a.txt").read_text() == "one\nthree\n"
    assert "● read a.txt" in tmux.text
    assert "+ three" in tmux.text
    tmux.type("/quit")
    tmux.press("Enter")
    tmux.check_terminal()
    assert "ended with 0" in tmux.text
    assert "trouper -c goes on" in tmux.text


def test_no_with_a_note_reaches_the_model(start: Start, place: Place) -> None:
    tmux = start(WORK[1], answer("You said: {result}"))
    tmux.type("change it")
    tmux.press("Enter")
    tmux.wait_for("Allow?")

    write(tmux, "f")
    tmux.type("leave it alone")
    tmux.press("Enter")

    tmux.wait_for("You said:")
    assert "leave it alone" in tmux.text.split("You said:")[1]
    assert (place.workspace / "a.txt").read_text() == "one\ntwo\n"


def test_the_first_prompt_may_come_from_the_command_line(start: Start) -> None:
    tmux = start(answer("Hello to you."), more=("hello", "there"))

    tmux.wait_for("Hello to you.")

    assert tmux.text.count("❯ hello there") == 1


def test_a_screen_killed_while_idle_comes_back_with_the_draft(start: Start, place: Place) -> None:
    cost = {"input_tokens": 900, "output_tokens": 100, "cost_usd": 0.25}
    tmux = start(answer("First.", usage=cost), answer("Second.", usage=cost))
    tmux.type("one")
    tmux.press("Enter")
    tmux.wait_for("First.")
    tmux.wait(lambda: "1.0k tok · $0.25" in tmux.visible)
    tmux.type("a draft")
    until(lambda: [json.loads(value)["text"] for value in place.remembered("draft/")] == ["a draft"])

    tmux.kill("ui")

    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: "❯ a draft" in tmux.visible.partition("the screen was restarted")[2])
    assert sum(row.startswith("─" * 90) for row in tmux.text.split("\n")) == 2
    tmux.wait(lambda: "1.0k tok · $0.25" in tmux.visible)
    tmux.press("Enter")
    tmux.wait_for("Second.")
    tmux.wait(lambda: "$0.50" in tmux.visible)
    assert [tmux.text.count(words) for words in ("First.", "❯ one", "❯ a draft")] == [1, 1, 1]


def test_what_is_typed_while_the_screen_is_dead_goes_on_behind_the_draft(start: Start, place: Place) -> None:
    tmux = start(answer("First."))
    tmux.type("a draft")
    until(lambda: [json.loads(value)["text"] for value in place.remembered("draft/")] == ["a draft"])

    tmux.kill("ui")
    tmux.type(" and more")

    tmux.wait(lambda: "❯ a draft and more" in tmux.visible.partition("the screen was restarted")[2])


def test_a_screen_killed_again_and_again_while_it_streams_shows_every_block_once(start: Start, place: Place) -> None:
    """Killed when it has noted what is in the scrollback: a kill just before that shows the rows of a frame twice."""
    tmux = start(PARTS)
    tmux.type("write")
    tmux.press("Enter")
    for end in (len(TEXT) // 8, len(TEXT) * 3 // 8, len(TEXT) * 5 // 8):
        until(lambda end=end: noted(place) > end)  # type: ignore[misc]
        tmux.kill("ui")

    tmux.wait_for_turn(EVERY_BLOCK[-1])

    assert said(tmux) == EVERY_BLOCK
    assert tmux.text.count("the screen was restarted") == 3
    assert tmux.text.count("─" * 100) == 2


def test_a_question_survives_the_screen(start: Start, place: Place) -> None:
    tmux = start(*WORK[1:2])
    tmux.type("change it")
    tmux.press("Enter")
    tmux.wait_for("Allow?")

    tmux.kill("ui")
    tmux.wait_for("the screen was restarted")

    agree(tmux, "edit")
    until(lambda: (place.workspace / "a.txt").read_text() == "one\nthree\n")
    assert tmux.text.count("Allow?") == 0


def test_the_agent_dies_while_it_streams_and_nothing_is_shown_twice(start: Start) -> None:
    tmux = start(STREAM)
    tmux.type("write")
    tmux.press("Enter")
    tmux.wait_for(EVERY_BLOCK[5])

    tmux.kill("agent:main")

    tmux.wait_for("agent:main was restarted")
    tmux.wait_for_turn(EVERY_BLOCK[-1])
    assert said(tmux) == EVERY_BLOCK


def test_a_killed_supervisor_leaves_the_terminal_in_order_and_nothing_behind(start: Start) -> None:
    tmux = start(STREAM)
    tmux.type("write")
    tmux.press("Enter")
    tmux.wait_for(EVERY_BLOCK[1])

    os.kill(tmux.supervisor(), signal.SIGKILL)

    tmux.check_terminal()
    tmux.wait_for("trouper -c goes on")
    assert "─" * 100 not in tmux.visible


def test_a_continued_session_shows_what_was_said(start: Start) -> None:
    first = start(answer("Remember the number 42."), answer("It was 42."))
    first.type("a number please")
    first.press("Enter")
    first.wait_for_turn("Remember the number 42.")
    first.press("C-d")
    first.check_terminal()

    second = start(answer("Remember the number 42."), answer("It was 42."), more=("-c",))
    second.wait_for("Remember the number 42.")
    second.type("which one?")
    second.press("Enter")

    second.wait_for("It was 42.")
    assert second.text.count("❯ a number please") == 1


def test_escape_ends_a_command_and_all_it_started(start: Start, place: Place) -> None:
    tmux = start(
        answer("", call("bash", command="(setsid sleep 301 &) ; echo begun; sleep 300")), more=AUTO, mode=" auto: "
    )
    tmux.type("wait")
    tmux.press("Enter")
    tmux.wait_for("│ begun")

    tmux.press("Escape")

    tmux.wait_for("■ interrupted")
    assert not [line for line in place.left() if "sleep 30" in line]


@pytest.mark.parametrize("heights", [(30,), (30, 24, 28)])
def test_dragging_the_window_while_it_streams_leaves_no_copies(start: Start, heights: tuple[int, ...]) -> None:
    tmux = start(STREAM)
    tmux.type("write")
    tmux.press("Enter")
    tmux.wait_for(EVERY_BLOCK[3])

    for step in range(25):
        tmux.resize(100 - 3 * min(step, 24 - step), heights[step % len(heights)])
    tmux.resize(100, 30)
    tmux.wait(lambda: sorted(set(said(tmux))) == EVERY_BLOCK and "esc stops" not in tmux.visible)

    assert tmux.text.count("esc stops") == 0
    assert sum(row.startswith("❯") for row in tmux.text.split("\n")) == 2
    assert len(said(tmux)) - len(EVERY_BLOCK) <= 2


def test_closing_the_window_ends_the_session_in_order(start: Start, place: Place) -> None:
    tmux = start(answer("Kept."))
    tmux.type("keep this")
    tmux.press("Enter")
    tmux.wait_for_turn("Kept.")

    tmux.close()
    until(lambda: place.left() == [])

    events = [json.loads(line) for log in (place.home / "logs").iterdir() for line in log.read_text().splitlines()]
    assert [event["status"] for event in events if event["event"] == "ended" and event["actor"] == "ui"] in ([], [0])
    assert "keep this" in place.run("sessions", "list", "--json").out


def test_a_big_paste_is_sent_whole(start: Start, place: Place) -> None:
    tmux = start(answer("I have read it."))
    text = "\n".join(f"line {number}" for number in range(10_000))

    tmux.paste(text)
    tmux.wait_for("[pasted 10,000 lines]")
    tmux.press("Enter")
    tmux.wait_for("I have read it.")

    listed = place.run("sessions", "list", "--json").out
    assert "line 0" in listed


def test_a_terminal_that_is_not_read_loses_nothing_and_does_not_delay_an_escape(place: Place) -> None:
    many = [f"Block {number:03d}: " + "words " * 60 for number in range(200)]
    model = place.script(answer("\n\n".join(many), chunks=200), answer("Long.", chunks=9, chunk_delay_s=100.0))
    terminal = PtyTerminal(
        [sys.executable, "-P", str(LAUNCHER), "--model", model],
        place.workspace,
        {**place.environment, "LANG": "C.UTF-8"},
    )
    try:
        terminal.wait_for(" default")
        terminal.type("write\r")
        terminal.wait_unread(lambda: _ended(place, 1))
        terminal.type("more\r")
        terminal.wait_unread(lambda: _prompts(place) == 2)
        terminal.type("\x1b")
        terminal.wait_unread(lambda: _ended(place, 2))

        terminal.wait_for("■ interrupted")
        rows = [row.split(":")[0] for row in terminal.text.split("\n") if row.startswith("Block ")]
        assert rows == [block.split(":")[0] for block in many]
        terminal.type("\x04")
        assert terminal.wait_for_end() == 0
        assert terminal.attributes() == terminal.before
    finally:
        terminal.close()
        until(lambda: place.left() == [])


def _bodies(place: Place) -> list[Event]:
    sessions = json.loads(place.run("sessions", "list", "--json").out)
    return [entry["body"] for session in sessions for entry in place.entries(session["session_id"])]


def _ended(place: Place, turns: int) -> bool:
    return sum(body["type"] == "TurnEnded" for body in _bodies(place)) == turns


def _prompts(place: Place) -> int:
    return sum(body["type"] == "UserMessage" for body in _bodies(place))


def test_how_long_was_thought_is_told_by_a_later_screen_and_when_the_session_is_opened_again(start: Start) -> None:
    tmux = start(answer("So it is.", thinking="let me see", chunk_delay_s=1.5))
    tmux.type("why?")
    tmux.press("Enter")
    tmux.wait_for("Thinking")

    tmux.kill("ui")

    tmux.wait_for("the screen was restarted")
    tmux.wait_for_turn("So it is.")
    assert re.search(r"✻ thought for \d+s", tmux.text)
    tmux.press("C-d")
    tmux.check_terminal()
    again = start(more=("-c",))
    again.wait_for("So it is.")
    assert re.search(r"✻ thought for \d+s", again.text)
