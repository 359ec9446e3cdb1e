"""What a terminal is told beside what it shows: only what it understands, once, and nothing that steers it."""

import pytest

from ui.screen.terminal.told import BELL, Told, Understood, understood

ALL = Understood(title=True, progress=True, notices=True, bell=True)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TERM": "xterm-256color"}, Understood(title=True, bell=True)),
        ({"TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty"}, ALL),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "ghostty"}, Understood(title=True, bell=True)),
        ({"TERM": "xterm", "TMUX": "/tmp/x,1,0", "WT_SESSION": "1"}, Understood(title=True, bell=True)),
        ({"TERM": "xterm", "WT_SESSION": "1"}, Understood(title=True, progress=True, bell=True)),
        (
            {"TERM": "xterm", "TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.5.10"},
            Understood(title=True, notices=True, bell=True),
        ),
        ({"TERM": "xterm", "TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.6.6"}, ALL),
        ({"TERM": "xterm-kitty"}, Understood(title=True, notices=True, bell=True)),
        ({"TERM": "linux"}, Understood(bell=True)),
        ({}, Understood(bell=True)),
    ],
)
def test_only_what_a_terminal_is_known_to_understand(environ: dict[str, str], expected: Understood) -> None:
    assert understood(environ, "linux") == expected


@pytest.mark.parametrize(
    ("environ", "calls"),
    [
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, True),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"}, True),
        ({"TERM": "xterm-kitty"}, False),
        ({"TERM": "xterm-256color", "SSH_TTY": "/dev/ttys1"}, False),
    ],
)
def test_macos_calls_where_its_terminal_cannot(environ: dict[str, str], calls: bool) -> None:
    assert understood(environ, "darwin").system is calls


def test_nothing_is_told_twice_and_all_of_it_is_taken_back() -> None:
    told = Told(ALL)

    assert told.news("shop", goes_on=False) == "\x1b[22;0t\x1b]0;shop\a"
    assert told.news("shop", goes_on=True) == "\x1b]9;4;3\a"
    assert told.news("… shop", goes_on=True) == "\x1b]0;… shop\a"
    assert told.taken_back() == "\x1b[23;0t\x1b]9;4;0\a"
    assert told.taken_back() == ""
    assert told.news("shop", goes_on=False) == "\x1b[22;0t\x1b]0;shop\a"


def test_a_name_from_outside_steers_nothing() -> None:
    told = Told(ALL)

    title = told.news("a\x1b]52;c;ZXZpbA==\a\x9c\u202eb" + "x" * 500, goes_on=False)
    called = told.call("q\x1b\\\a" + "y" * 500)

    assert title.removeprefix("\x1b[22;0t\x1b]0;").removesuffix("\a").isprintable()
    assert called.removeprefix("\x1b]9;").removesuffix("\a" + BELL).isprintable()
    assert len(title) < 100 > len(called)


def test_a_terminal_that_understands_nothing_is_told_nothing() -> None:
    told = Told(Understood())

    assert (told.news("shop", goes_on=True), told.call("there is a question"), told.taken_back()) == ("", "", "")
