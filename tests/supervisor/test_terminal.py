"""The terminal after the death of the screen: a real one, in a process of its own."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pyte
import pytest

from supervisor.terminal import MODES_OFF, SHAPE_OFF, Geometry, GeometryFile, Terminal
from tests import ROOT

PLAY = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from supervisor.terminal import Terminal
from ui.start import first_frame
saved = first_frame.start("1.0", os.getcwd(), sys.argv[1])
terminal = Terminal(saved.attributes, sys.argv[1])
"""


def geometry() -> Geometry:
    it = Geometry()
    it.above, it.rows, it.width, it.height, it.painted = 2, 5, 80, 24, True
    it.last, it.shown, it.chars, it.crc, it.notes = "entry-id", 3, 1234, 0xFFFFFFFF, 7
    return it


def fields(it: Geometry) -> dict[str, object]:
    return {name: getattr(it, name) for name in Geometry.__slots__}


def test_what_is_stored_is_there_for_the_next_process(tmp_path: Path) -> None:
    path = str(tmp_path / "run.screen")
    GeometryFile(path).store(geometry())

    assert fields(GeometryFile(path).read()) == fields(geometry())


def test_a_new_file_says_that_nothing_is_there(tmp_path: Path) -> None:
    assert fields(GeometryFile(str(tmp_path / "run.screen")).read()) == fields(Geometry())


def test_without_a_terminal_nothing_is_done(tmp_path: Path) -> None:
    path = tmp_path / "run.screen"
    GeometryFile(str(path)).store(geometry())

    Terminal(None, str(path)).restore(dead=False)

    assert fields(GeometryFile(str(path)).read()) == fields(geometry())


def rest(terminal: int) -> bytes:
    """A piece of what was written to it; b"" at the end, which Linux says by an error."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


class Played:
    """What a user sees after a play in a terminal, and how the terminal is set then."""

    def __init__(self, path: Path, play: str) -> None:
        ours, theirs = pty.openpty()
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(theirs)
        process = subprocess.Popen(
            [sys.executable, "-c", PLAY + play, str(path)],
            stdin=theirs,
            stdout=theirs,
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm", "LANG": "C.UTF-8"},
            start_new_session=True,
        )
        assert process.wait() == 0
        self.after = termios.tcgetattr(theirs)
        os.close(theirs)
        self.raw = b"".join(iter(lambda: rest(ours), b"")).decode()  # the terminal may hand it out in pieces
        os.close(ours)
        seen = pyte.Screen(80, 24)
        text = self.raw
        for unknown in ("\x1b[>4;2m", "\x1b[>4;0m", "\x1b[>1u", "\x1b[<u"):
            text = text.replace(unknown, "")
        pyte.Stream(seen).feed(text)
        self.rows = [row.rstrip() for row in seen.display]
        while self.rows and not self.rows[-1]:
            self.rows.pop()
        self.cursor = (seen.cursor.y, seen.cursor.x)


Play = Callable[[str], Played]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return lambda text: Played(tmp_path / "run.screen", text)


@pytest.mark.slow
def test_the_first_frame(play: Play) -> None:
    it = play("")

    assert it.rows[0].startswith(" ✻ trouper 1.0 · ")
    assert it.rows[2:5] == ["─" * 80, "❯", "─" * 80]
    assert it.cursor == (3, 2)
    assert it.after != it.before


@pytest.mark.slow
def test_a_dead_screen_is_wiped_off_and_says_so(play: Play, tmp_path: Path) -> None:
    it = play("terminal.restore(dead=True)")

    assert it.rows[0].startswith(" ✻ trouper 1.0 · ")
    assert it.rows[1:] == ["the screen was restarted"]
    assert it.cursor == (2, 0)
    assert MODES_OFF in it.raw
    left = GeometryFile(str(tmp_path / "run.screen")).read()
    assert (left.above, left.rows) == (0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("shaped", [True, False])
def test_the_cursor_gets_its_shape_back_where_it_had_another_one(play: Play, shaped: bool) -> None:
    change = f"""
from supervisor.terminal import GeometryFile
file = GeometryFile(sys.argv[1])
dead = file.read()
dead.shaped = {shaped}
file.store(dead)
"""

    it = play(f"{change}terminal.restore(dead=True); terminal.restore(dead=False)")

    assert it.raw.count(SHAPE_OFF) == int(shaped)


@pytest.mark.slow
def test_until_the_screen_is_back_keys_are_not_echoed(play: Play) -> None:
    it = play("terminal.restore(dead=True)")

    assert it.after[3] == it.before[3] & ~termios.ECHO
    assert it.after[:3] == it.before[:3]


@pytest.mark.slow
def test_at_the_end_the_terminal_is_as_it_was(play: Play, tmp_path: Path) -> None:
    it = play("terminal.restore(dead=True); terminal.restore(dead=False)")

    assert it.after == it.before
    assert it.cursor == (2, 0)
    assert not (tmp_path / "run.screen").exists()


@pytest.mark.slow
def test_what_is_in_order_already_is_left_alone(play: Play) -> None:
    it = play("terminal.restore(dead=False); terminal.restore(dead=False)")

    assert it.raw.count(MODES_OFF) == 1
