"""Whether a process goes on that something belongs to."""

import os
import subprocess
import sys

import pytest

from actors.common.folders import lives


def test_a_process_goes_on_until_it_ends() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        life = lives.of(process.pid)
        while_it_lives = lives.goes_on(life)

    assert while_it_lives
    assert not lives.goes_on(life)
    assert lives.goes_on(lives.of(os.getpid()))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the pid is known")
def test_another_process_of_the_same_pid_is_another() -> None:
    assert not lives.goes_on(f"{os.getpid()} 1")


@pytest.mark.parametrize("text", ["", " ", "x", "-1 1", "1", "99999999999999999999 1", f"{2**22 + 1} "])
def test_what_is_no_life_is_over(text: str) -> None:
    assert not lives.goes_on(text)
