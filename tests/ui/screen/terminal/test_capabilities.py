"""What a terminal can do, by its environment."""

import pytest

from ui.screen.terminal.tty import STILL_S, capabilities


@pytest.mark.parametrize("name", ["SSH_TTY", "SSH_CONNECTION"])
def test_over_a_network_an_escape_waits_longer_for_its_sequence(name: str) -> None:
    here, there = capabilities({"TERM": "xterm"}), capabilities({"TERM": "xterm", name: "given"})

    assert here.lone_esc_s < there.lone_esc_s


@pytest.mark.parametrize(
    ("environ", "links"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "4999"}, False),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600", "NO_COLOR": "1"}, False),
        ({"TERM": "tmux-256color", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4"}, True),
        ({"TERM": "tmux-256color", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"}, False),
        ({"TERM": "tmux-256color", "TMUX": "x", "VTE_VERSION": "7600"}, False),
        ({"TERM": "screen-256color", "VTE_VERSION": "7600"}, False),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "linux"}, False),
    ],
)
def test_links_are_for_terminals_that_are_known_to_have_them(environ: dict[str, str], links: bool) -> None:
    assert capabilities(environ).links == links


@pytest.mark.parametrize(
    ("told", "dark"), [("0;15", False), ("15;default;0", True), ("12;8", True), ("", None), ("0;default", None)]
)
def test_the_environment_may_tell_the_background(told: str, dark: bool | None) -> None:
    assert capabilities({"TERM": "rxvt", "COLORFGBG": told}).dark is dark


@pytest.mark.parametrize(
    ("environ", "reflows"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "linux"}, False),
        ({"TERM": "screen"}, False),
        ({"TERM": "screen-256color", "TMUX": "x"}, True),
        ({"TERM": "xterm", "XTERM_VERSION": "XTerm(390)"}, False),
    ],
)
def test_who_wraps_again_is_told_by_its_name(environ: dict[str, str], reflows: bool) -> None:
    assert capabilities(environ).reflows == reflows


def test_who_wants_no_motion_has_a_clock_that_goes_in_steps() -> None:
    still, moving = capabilities({"TERM": "xterm", "PREFERS_REDUCED_MOTION": "1"}), capabilities({"TERM": "xterm"})

    assert (still.moves, still.spin_s) == (False, STILL_S)
    assert moving.moves
