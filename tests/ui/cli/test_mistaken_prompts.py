"""A word that is near a command, and !cmd: nothing is sent by mistake, and all can be sent on purpose."""

import os
import sys
from pathlib import Path

import pytest

from actors.version import VERSION
from tests.system.harness import LAUNCHER
from tests.ui.screen.pty_stage import PtyTerminal
from ui.cli import prompt
from ui.cli.arguments import main_parser
from ui.cli.main import prepare
from ui.cli.mistaken_prompts import advice, doubtful, nearest
from ui.common.own_shell import own_command
from ui.common.usage_errors import Usage
from ui.screen.commands import dispatch
from ui.screen.composer.history import History
from ui.screen.controls import Command, Controls, Send
from ui.screen.terminal.keys import Key, Text
from ui.start.launch_state import Launch


@pytest.mark.parametrize(
    ("prompt", "meant"),
    [
        (["resume"], ["-c"]),
        (["Resume "], ["-c"]),
        (["doctr"], ["doctor"]),
        (["doctor"], ["doctor"]),
        (["Mcp"], ["mcp"]),
        (["mcps", "list"], ["mcp", "list"]),
        (["login"], ["auth", "login"]),
        (["logn"], ["auth", "login"]),
        (["sesions"], ["sessions"]),
        (["session", "list"], ["sessions", "list"]),
        (["session", "show", "3fa9"], ["sessions", "show", "3fa9"]),
        (["modls"], ["models"]),
        (["help"], ["--help"]),
        ([], []),
        (["hello"], []),
        (["test"], []),
        (["review"], []),
        (["fix"], []),
        (["doctor who?"], []),
        (["trust"], ["permissions", "trust"]),
        (["resume", "3fa9"], ["-r", "3fa9"]),
        (["login", "codex"], ["auth", "login", "codex"]),
        (["logout", "codex"], ["auth", "logout", "codex"]),
        (["sesions", "3fa9"], ["sessions", "3fa9"]),
        (["login", "test", "fails"], []),
        (["login", "fails?"], []),
        (["resume 3fa9"], []),
        (["sesions", "of", "users"], []),
        (["help", "me"], []),
        (["trust", "me"], []),
        (["config"], []),
        (["demo.py"], []),
        (["döctor"], []),
    ],
)
def test_a_word_near_a_command_is_taken_for_it(prompt: list[str], meant: list[str]) -> None:
    assert list(nearest(prompt)) == meant


@pytest.mark.parametrize("word", ["init", "config", "update", "quit", "exit", "config model"])
def test_a_command_that_only_others_have_gets_advice(word: str) -> None:
    assert advice(word.split())
    assert doubtful(word.split())


@pytest.mark.parametrize("words", ["update dependencies", "exit codes", "mcp servers are slow", "initial", "mcp what?"])
def test_a_sentence_with_such_a_word_is_a_prompt(words: str) -> None:
    assert not doubtful(words.split())


@pytest.mark.parametrize(
    ("prompt", "is_one"), [("!ls -la", True), ("!", False), ("! no", False), (" !ls", False), ("!a\nb", False)]
)
def test_a_command_of_ones_own_is_told_from_a_prompt(prompt: str, is_one: bool) -> None:
    assert bool(own_command(prompt)) == is_one


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["doctr"], "Did you mean: trouper doctor? To send it as a prompt: echo doctr | trouper -p"),
        (["-c", "login"], "Did you mean: trouper auth login?"),
        (["resume", "3fa9"], "Did you mean: trouper -r 3fa9? To send it as a prompt: echo resume 3fa9 | trouper -p"),
        (["-c", "mcp"], '"mcp" looks like a command, so no model was asked. Did you mean: trouper mcp?'),
        (["!make test"], "there is no !command yet. Run make test in a shell"),
    ],
)
def test_without_a_terminal_it_is_an_error(words: list[str], said: str) -> None:
    with pytest.raises(Usage) as refused:
        prompt.main(main_parser().parse_args(words), Launch("launch.py"))

    assert said in str(refused.value)


def test_the_screen_is_not_painted_before_it_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TROUPER_SPAWN", "exec")
    painted = []

    class Painted(Launch):
        def paint(self, cwd: str) -> None:
            painted.append(cwd)

    for words in (["resume"], ["!ls"], ["please resume"]):
        prepare(words, Painted("launch.py"))

    assert len(painted) == 1


class Told:
    """The screen, as far as a line that is no command goes."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str, level: str = "info") -> None:
        self.said.append(f"{level}: {text}")


def test_on_the_screen_it_is_said_and_kept_in_the_history() -> None:
    controls, told = Controls(History([]), lambda: "nothing"), Told()

    assert controls.handle(Text("!ls -l"), 1.0) == []
    assert controls.handle(Key("enter"), 1.0) == [Command("!ls -l")]
    dispatch.run(told, "!ls -l")  # type: ignore[arg-type]  # all else is not used
    assert told.said == [f"warning: {own_command('!ls -l')} {dispatch.BROUGHT_BACK}"]
    assert controls.handle(Key("up"), 1.0) == []
    assert controls.editor.text == "!ls -l"


def test_on_the_screen_a_blank_before_it_sends_it() -> None:
    controls = Controls(History([]), lambda: "nothing")

    controls.handle(Text(" !ls"), 1.0)

    assert controls.handle(Key("enter"), 1.0) == [Send("!ls")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "answer", "code", "shown"),
    [
        ("versin", "y", 0, f"trouper {VERSION}"),
        ("versin", "", 2, "nothing was sent."),
        ("init", "y", 2, "nothing was sent."),
    ],
)
def test_on_a_terminal_it_is_asked_and_may_become_the_command(
    tmp_path: Path, word: str, answer: str, code: int, shown: str
) -> None:
    home = {"HOME": str(tmp_path), "TROUPER_HOME": str(tmp_path / "home")}
    argv = [sys.executable, "-P", str(LAUNCHER), word]
    terminal = PtyTerminal(argv, tmp_path, {**os.environ, **home})
    try:
        terminal.wait_for("send it to a model as a prompt [p], or n")
        terminal.type(f"{answer}\n")

        assert terminal.wait_for_end() == code
        assert shown in terminal.text
    finally:
        terminal.close()
