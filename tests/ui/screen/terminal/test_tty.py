"""What is known of a write when its process dies: real processes on real pseudo terminals."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import ROOT
from tests.system.harness import until
from tests.ui.screen.pty_stage import PtyTerminal

pytestmark = pytest.mark.slow

WRITES = """
import os, pathlib, sys
import trio
from ui.screen.terminal.tty import Tty

said, text = pathlib.Path(sys.argv[1]), sys.argv[2] * int(sys.argv[3])
write = os.write

def dies(fd, data):
    write(fd, data)
    os.kill(os.getpid(), 9)

if len(text) == 1:
    os.write = dies
trio.run(Tty(utf8=True).write, text, lambda whole: (said.write_text(str(whole)), None)[1])
"""

Writes = Callable[[str, int], PtyTerminal]


@pytest.fixture
def writes(tmp_path: Path) -> Iterator[Writes]:
    opened: list[PtyTerminal] = []

    def start(text: str, times: int) -> PtyTerminal:
        argv = [sys.executable, "-c", WRITES, str(tmp_path / "said"), text, str(times)]
        opened.append(PtyTerminal(argv, tmp_path, {**os.environ, "PYTHONPATH": str(ROOT)}))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def test_who_dies_as_soon_as_it_has_written_has_said_so(writes: Writes, tmp_path: Path) -> None:
    terminal = writes("x", 1)

    assert terminal.wait_for_end() == -9
    assert terminal.text.strip() == "x"
    assert (tmp_path / "said").read_text() == "True"


def test_nobody_says_it_is_written_while_the_terminal_takes_no_more(writes: Writes, tmp_path: Path) -> None:
    said = tmp_path / "said"

    terminal = writes("\a", 150_000)
    until(lambda: said.exists() and said.read_text() == "False")

    assert terminal.wait_for_end() == 0
    assert said.read_text() == "True"
