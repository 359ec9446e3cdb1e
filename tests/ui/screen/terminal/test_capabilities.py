"""What a terminal can do, by its environment."""

import pytest

from ui.screen.terminal.tty import capabilities


@pytest.mark.parametrize("name", ["SSH_TTY", "SSH_CONNECTION"])
def test_over_a_network_an_escape_waits_longer_for_its_sequence(name: str) -> None:
    here, there = capabilities({"TERM": "xterm"}), capabilities({"TERM": "xterm", name: "given"})

    assert here.lone_esc_s < there.lone_esc_s
