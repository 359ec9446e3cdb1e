"""The screen as a user has it: a real process on a real terminal, before a fake agent."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.system.harness import LAUNCHER
from tests.ui.screen.pty_stage import PtyStage, PtyTerminal
from tests.ui.screen.stage import BLOCKS
from ui.screen.terminal.tty import CURSOR_QUESTION, SIZE_QUESTION

pytestmark = pytest.mark.slow
Open = Callable[..., PtyStage]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Open]:
    opened: list[PtyStage] = []

    def start(scenario: str, **environment: str) -> PtyStage:
        opened.append(PtyStage(tmp_path, scenario, **environment))
        opened[-1].wait_for(" default")
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def quit_and_check(it: PtyStage) -> None:
    it.type("\x15\x04")  # a key may have come when its question was gone
    assert it.wait_for_end() == 0
    assert it.attributes() == it.before
    assert b"\x1b[?2004l" in it.raw


@pytest.mark.parametrize(
    ("which", "said"),
    [
        (
            ["-r", "zzzz"],
            'trouper: there is no session with "zzzz" as its id, or in its name or first prompt in this folder.',
        ),
        (["-c"], "trouper: there is no earlier session in "),
    ],
)
def test_without_the_session_that_was_named_there_is_no_screen(tmp_path: Path, which: list[str], said: str) -> None:
    home = {"HOME": str(tmp_path), "TROUPER_HOME": str(tmp_path / "home")}
    terminal = PtyTerminal([sys.executable, "-P", str(LAUNCHER), *which], tmp_path, {**os.environ, **home})
    try:
        assert terminal.wait_for_end() == 2
        assert said in terminal.text.replace("\n", "")
    finally:
        terminal.close()


def test_a_prompt_is_answered_and_the_terminal_is_given_back(stage: Open) -> None:
    it = stage("chat")

    it.type("hello there\r")
    it.wait_for("print(42)")

    assert "❯ hello there" in it.text
    assert "The answer is 42." in it.text
    quit_and_check(it)
    assert it.record()["prompts"] == ["hello there"]
    assert "trouper -c goes on" in it.text


def test_an_unknown_command_makes_room_for_the_next_prompt(stage: Open) -> None:
    it = stage("chat")

    it.type("/modl\r")
    it.wait_for("there is no command /modl. Did you mean /model?")
    it.type("hello there\r")
    it.wait_for("print(42)")

    quit_and_check(it)
    assert it.record()["prompts"] == ["hello there"]


def test_a_question_is_answered_by_its_key(stage: Open) -> None:
    it = stage("ask")
    it.type("run them\r")
    it.wait_for("Allow?")

    it.wait(lambda: _typed_until_heard(it, "y"))

    it.wait_for("All green.")
    assert "● Bash pytest -q" in it.text
    quit_and_check(it)
    assert it.record()["answers"] == [{"type": "UserAnswered", "choice": "once"}]


def _typed_until_heard(it: PtyStage, key: str) -> bool:
    """The question is deaf at first: a user presses again."""
    if "Allow?" in it.text:
        it.type(key)
    return "Allow?" not in it.text


def test_a_plan_longer_than_the_screen_is_read_to_its_end_and_begins_a_session_of_its_own(stage: Open) -> None:
    it = stage("plan")
    it.type("plan it\r")
    it.wait_for("Approve this plan?")
    assert "40. step number 40" not in it.text

    def end_is_seen() -> bool:
        it.type("\x1b[6~")
        return "40. step number 40" in it.text

    it.wait(end_is_seen)
    it.type("4")

    it.wait_for("I carry it out.")
    assert "session s2 from here on; the one before goes on with: /resume s1" in it.text
    assert "❯ Carry out this plan." in it.text
    quit_and_check(it)
    assert it.record()["answers"] == [{"type": "UserAnswered", "choice": "fresh"}]
    assert "\n40. step number 40\n" in str(it.record()["prompts"][1])


def test_what_the_gate_tells_is_shown(stage: Open) -> None:
    it = stage("told")

    it.type("go\r")

    it.wait_for("! It was not remembered.")
    it.wait_for("mode auto: high")
    it.wait_for(" auto: high risk ")
    quit_and_check(it)


def test_modes_are_changed_by_key_and_by_command(stage: Open) -> None:
    it = stage("chat")

    it.type("/plan\r")
    it.wait_for("mode plan: as said")
    it.wait_for(" plan: read-only ")
    it.type("/mode yolo\r")
    it.wait_for(" auto: high risk ")
    it.type("/ask what is it?\r")
    it.wait_for("print(42)")
    it.wait_for(" research: read-only ")
    it.type("/ask\r")
    it.wait_for("mode auto: as said")

    quit_and_check(it)
    assert it.record()["prompts"] == ["what is it?"]


def test_escape_interrupts_the_turn(stage: Open) -> None:
    it = stage("hang")
    it.type("think\r")
    it.wait_for("For long.")

    it.type("\x1b")

    it.wait_for("■ interrupted")
    quit_and_check(it)


def test_a_long_answer_is_in_the_scrollback_once(stage: Open) -> None:
    it = stage("blocks")
    it.type("write\r")

    it.wait_for("Block 59")
    it.wait(lambda: "esc stops" not in it.text)

    found = [line.split(":")[0] for line in it.text.split("\n") if line.startswith("Block ")]
    assert found == [block.split(":")[0] for block in BLOCKS.split("\n\n")]
    assert not any(sequence in it.raw for sequence in (b"\x1b[2J", b"\x1b[3J", b"\x1b[J", b"\x1b[?1049h"))
    quit_and_check(it)


def test_several_lines_and_a_paste_are_one_prompt(stage: Open) -> None:
    it = stage("chat")

    it.type("one\ntwo\\\r")
    it.type("\x1b[200~" + "log\r" * 29 + "end\x1b[201~")
    it.wait_for("[pasted 30 lines]")
    it.type("\r")
    it.wait_for("print(42)")

    quit_and_check(it)
    assert it.record()["prompts"] == ["one\ntwo\n" + "log\n" * 29 + "end"]


def test_a_stopped_terminal_does_not_delay_an_escape(stage: Open) -> None:
    it = stage("hang")
    it.type("think\r")
    it.wait_for("For long.")

    for _ in range(5):  # more frames than the terminal takes unread
        it.type("x" * 500 + "\x15")
    it.type("\x1b[27u")

    it.wait_unread((it.home / "interrupted").exists)
    it.type("\x1b[99;5u\x1b[99;5u")
    it.wait_unread(lambda: it.process.poll() is not None)
    assert it.attributes() == it.before


def test_nothing_is_drawn_for_a_size_that_the_terminal_has_no_more(stage: Open) -> None:
    it = stage("chat", TMUX="it answers, and tells late which size it has")
    asked, rule = (SIZE_QUESTION + CURSOR_QUESTION).encode(), "─".encode()
    it.resize(70, 24)
    it.wait(lambda: it.raw.count(asked) == 1)

    it.type("\x1b[8;24;60t\x1b[4;1R")
    it.resize(60, 24)
    it.wait(lambda: it.raw.count(asked) == 2)
    it.type("\x1b[8;24;60t\x1b[4;1R")

    it.wait(lambda: rule * 60 in it.raw.split(asked)[2])
    assert rule * 61 not in it.raw.split(asked, 1)[1]
    quit_and_check(it)


@pytest.mark.parametrize("answer", ["\x1b[8;24;{width}t\x1b[4;1R", "\x1b[8;{width};24t\x1b[4;1R"])
def test_a_page_is_drawn_again_when_the_terminal_has_another_size_by_then(stage: Open, answer: str) -> None:
    """In xterm's order, and in that of tmux."""
    it = stage("chat", TMUX="it answers, and tells late which size it has")
    asked, rule = (SIZE_QUESTION + CURSOR_QUESTION).encode(), "─".encode()
    it.resize(70, 24)
    it.wait(lambda: it.raw.count(asked) == 1)
    it.type(answer.format(width=70))
    it.wait(lambda: it.raw.count(asked) == 2)
    assert rule * 70 in it.raw.split(asked)[1]

    it.type(answer.format(width=60))
    it.resize(60, 24)
    it.wait(lambda: it.raw.count(asked) == 3)
    it.type(answer.format(width=60))

    it.wait(lambda: it.raw.count(asked) == 4)
    assert rule not in it.raw.split(asked)[2]
    assert rule * 60 in it.raw.split(asked)[3]
    quit_and_check(it)


def test_who_leaves_right_after_a_resize_leaves_no_question_to_the_shell(stage: Open) -> None:
    it = stage("chat", TMUX="it answers")

    it.process.send_signal(signal.SIGSTOP)
    it.resize(70, 24)
    it.type("\x04")
    it.process.send_signal(signal.SIGCONT)

    assert it.wait_for_end() == 0
    assert CURSOR_QUESTION.encode() not in it.raw


def test_ctrl_c_twice_leaves(stage: Open) -> None:
    it = stage("chat")

    it.type("\x03")
    it.wait_for("ctrl+c again quits")
    it.type("\x03")

    assert it.wait_for_end() == 0
    assert it.attributes() == it.before


def test_without_colour_there_is_none(stage: Open) -> None:
    it = stage("chat", NO_COLOR="1")
    it.type("hello\r")
    it.wait_for("print(42)")

    assert not any(b"\x1b[%dm" % code in it.raw for code in range(30, 38))
    quit_and_check(it)


def test_a_locale_without_utf8_gets_ascii(stage: Open) -> None:
    it = stage("chat", LC_ALL="C")
    it.type("hello\r")
    it.wait_for("print(42)")
    it.type("\x03")
    it.wait_for("ctrl+c again quits")

    assert "> hello" in it.text
    it.type("\x03")
    assert it.wait_for_end() == 0
