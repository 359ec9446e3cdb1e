"""A word that is near a command, and !cmd: nothing is sent by mistake, and all can be sent on purpose."""

import pytest

from ui.cli import prompt
from ui.cli.arguments import main_parser
from ui.cli.main import prepare
from ui.cli.mistaken_prompts import advice, doubtful, nearest
from ui.common.own_shell import own_command
from ui.common.usage_errors import Usage
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.intents import Shell
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
        (["reviews"], ["review"]),
        (["fix"], []),
        (["doctor who?"], []),
        (["exec", "fix the tests"], ["-p", "fix the tests"]),
        (["exec"], []),
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
        (["!make test"], "!command is only run on the screen. Run make test in a shell"),
    ],
)
def test_without_a_terminal_it_is_an_error(words: list[str], said: str) -> None:
    with pytest.raises(Usage) as refused:
        prompt.main(main_parser().parse_args(words), Launch("launch.py"))

    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--full-auto", "fix it"], "--full-auto is another program's; here it is: --mode auto. See: trouper --help"),
        (["--cd=/tmp", "fix it"], "here it is: --cwd FOLDER"),
        (["-c", "--nope"], "unrecognized arguments: --nope"),
    ],
)
def test_an_option_of_another_program_is_told_by_ours(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main_parser().parse_args(words)

    assert left.value.code == 2
    assert said in capsys.readouterr().err


def test_the_screen_is_not_painted_before_it_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TROUPER_SPAWN", "exec")
    painted = []

    class Painted(Launch):
        def paint(self, cwd: str) -> None:
            painted.append(cwd)

    for words in (["resume"], ["!ls"], ["please resume"]):
        prepare(words, Painted("launch.py"))

    assert len(painted) == 1


@pytest.mark.parametrize(
    ("typed", "command", "told"),
    [("!ls -l", "ls -l", True), ("!!ls -l", "ls -l", False), ("!echo a!b", "echo a!b", True)],
)
def test_on_the_screen_it_is_run_and_kept_in_the_history(typed: str, command: str, told: bool) -> None:
    controls = Controls(History([]), lambda: "nothing")

    assert controls.handle(Text(typed), 1.0) == []
    assert controls.handle(Key("enter"), 1.0) == [Shell(typed, command, told)]
    assert controls.handle(Key("up"), 1.0) == []
    assert controls.editor.text == typed
