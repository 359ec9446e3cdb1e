"""What a terminal is called where one speaks of who sits before it."""

import os

from ui.cli.prompt import terminal_name


def test_a_terminal_has_the_name_that_its_user_knows() -> None:
    here, there = os.openpty()
    try:
        assert terminal_name(there) == os.ttyname(there)
    finally:
        os.close(here)
        os.close(there)


def test_one_without_a_name_here_is_one_all_the_same() -> None:
    here, there = os.pipe()  # as little of a name as the terminal of another user's
    try:
        assert terminal_name(there) == "a terminal"
    finally:
        os.close(here)
        os.close(there)
