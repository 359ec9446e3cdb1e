"""/terminal-setup: told by the environment, and never a change."""

import pytest

from ui.screen.reports.terminal_setup import ALWAYS, in_words
from ui.screen.terminal.keys import Decoder, Key

TMUX = {"TMUX": "/tmp/tmux-0/default,1,0", "TERM": "tmux-256color"}  # only a name


@pytest.mark.parametrize(
    ("environ", "name", "told"),
    [
        pytest.param({"TERM": "xterm-kitty"}, "kitty", "nothing is to be done", id="kitty"),
        pytest.param({"TERM": "xterm-ghostty"}, "Ghostty", "nothing is to be done", id="Ghostty over ssh"),
        pytest.param({"TERM": "foot-extra"}, "foot", "nothing is to be done", id="foot"),
        pytest.param({"TERM_PROGRAM": "WezTerm"}, "WezTerm", "config.enable_kitty_keyboard = true", id="WezTerm"),
        pytest.param({"TERM_PROGRAM": "vscode"}, "VS Code", '"text": "\\u001b[13;2u"', id="VS Code"),
        pytest.param({"WT_SESSION": "1"}, "Windows Terminal", '"input": "\\u001b[13;2u"', id="Windows Terminal"),
        pytest.param({"TERM_PROGRAM": "Apple_Terminal"}, "Terminal of macOS", "Option as Meta", id="macOS"),
        pytest.param({"VTE_VERSION": "7600", **TMUX}, "tmux", "set -s extended-keys on", id="tmux in GNOME's"),
        pytest.param({"STY": "1.pts", "TERM": "screen"}, "GNU screen", "use Ctrl-J", id="GNU screen"),
        pytest.param({"TERM": "xterm-256color"}, "none that is known", "ESC [13;2u", id="any"),
        pytest.param({}, "none that is known", "not known", id="nothing"),
    ],
)
def test_a_terminal_is_named_with_what_it_needs(environ: dict[str, str], name: str, told: str) -> None:
    said = in_words(environ)

    assert said.startswith(f"terminal: {name}")
    assert "Nothing is changed for you." in said
    assert told in said
    assert said.endswith(ALWAYS)


def test_what_it_is_told_to_send_is_read_as_that_key() -> None:
    assert Decoder(0.0).feed(b"\x1b[13;2u") == [Key("shift+enter")]


def test_what_the_environment_says_reaches_no_terminal_as_it_is() -> None:
    assert "\x1b" not in in_words({"TERM": "x\x1b]0;y\a", "TERM_PROGRAM": "\x1b[2J" * 90})
