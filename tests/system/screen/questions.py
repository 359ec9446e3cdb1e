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
    tmux.wait(lambda: text in tmux.visible)
    if opens:
        tmux.wait(lambda: bool(_marked(tmux)))
        write(tmux, opens)
        tmux.press("Escape")
        tmux.wait(lambda: WRITING not in tmux.visible)
    else:
        before = _mark(tmux)
        tmux.press_until(lambda: bool(_marked(tmux) - {before}), "C-u", "Tab")


def write(tmux: Tmux, opens: str) -> None:
    """A text can be written with the answer of this key, and is empty."""
    tmux.press_until(lambda: WRITING in tmux.visible, "C-u", opens)
    tmux.press("C-u")


def _mark(tmux: Tmux) -> str:
    """The number of the choice that is marked, once there is one."""
    found: set[str] = set()

    def is_there() -> bool:
        found.update(_marked(tmux))
        return bool(found)

    tmux.wait(is_there)
    return found.pop()


def _marked(tmux: Tmux) -> set[str]:
    """By their numbers: half a frame may have been drawn, which has none of them, or only the start of its row."""
    return set(_MARKED.findall(tmux.visible))
