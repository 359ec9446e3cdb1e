"""Answers to questions on the real screen, each given once: a question is deaf at first, and keys that come at once are
no answer."""

import re

from tests.system.screen.tmux import Tmux

WRITING = "enter sends it"
_MARKED = re.compile(r"^ ▸ +(\d+) ", re.MULTILINE)


def decide(tmux: Tmux, key: str, text: str = "Allow?", *, opens: str = "") -> None:
    """Give the question with this text its answer. opens: see `listening`."""
    listening(tmux, text, opens=opens)
    tmux.press(key)


def listening(tmux: Tmux, text: str = "Allow?", *, opens: str = "") -> None:
    """The question with this text takes every key from now on; what was typed before it is erased.

    opens: its key for a text, which is given up again: then the mark is where it was, and has moved else.
    """
    tmux.wait(lambda: text in tmux.visible and bool(_marked(tmux)))
    if opens:
        write(tmux, opens)
        tmux.press("Escape")
        tmux.wait(lambda: WRITING not in tmux.visible)
    else:
        before = _marked(tmux)
        tmux.press_until(lambda: _marked(tmux) not in (before, []), "C-u", "Tab")


def write(tmux: Tmux, opens: str) -> None:
    """A text can be written with the answer of this key, and is empty."""
    tmux.press_until(lambda: WRITING in tmux.visible, "C-u", opens)
    tmux.press("C-u")


def _marked(tmux: Tmux) -> list[str]:
    """By their numbers."""
    return _MARKED.findall(tmux.visible)
