"""`trouper top` in a pipe, in one that nobody reads, and in a terminal."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.system.harness import BOUND_S, LAUNCHER, Fifo, Place, Session, answer, call, kill
from tests.system.screen.tmux import Tmux

pytestmark = pytest.mark.slow
needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture
def session(place: Place) -> Iterator[Session]:
    """One that goes on until the test is over."""
    fifo = Fifo(place.workspace / "fifo")
    session = place.prompt(place.script(answer("Now.", call("bash", command="cat fifo"))))
    session.wait_for("tool_call", name="bash")
    yield session
    session.kill_supervisor()
    fifo.close()


def test_in_a_pipe_it_prints_once_and_ends(place: Place, session: Session) -> None:
    shown = place.run("top")

    assert (shown.code, shown.err) == (0, "")
    assert {"supervisor", str(session.pid), "store"} <= set(shown.out.split())


@pytest.mark.usefixtures("session")
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_where_nobody_reads_it_ends_quietly(place: Place, more: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)

    ended = subprocess.run(
        [sys.executable, "-P", LAUNCHER, "top", *more],
        stdout=writer,
        stderr=subprocess.PIPE,
        cwd=place.workspace,
        env=place.environment,
        timeout=BOUND_S,
        check=False,
    )
    os.close(writer)

    assert (ended.returncode, ended.stderr) == (1, b"")


@needs_tmux
def test_in_a_terminal_it_goes_on_until_ctrl_c_and_its_table_stays(place: Place, session: Session) -> None:
    tmux = Tmux(place, "top", width=100, height=24, job_control=True)
    try:
        tmux.wait(lambda: " up 00:0" in tmux.visible and "agent:main" in tmux.visible)
        kill(next(actor.pid for actor in place.tree().actors if actor.name == "store"))
        tmux.wait(lambda: "killed" in tmux.visible)
        tmux.resize(40, 6)
        tmux.wait(lambda: "more rows" in tmux.visible)
        tmux.resize(100, 24)
        tmux.wait(lambda: "more rows" not in tmux.visible and "agent:main" in tmux.visible)
        tmux.press("C-c")
        tmux.wait_for("\nbash-")
        tmux.type("echo ended with $?")
        tmux.press("Enter")
        tmux.wait_for("\nended with 0")
        assert str(session.pid) in tmux.visible
        assert "agent:main" in tmux.visible
    finally:
        tmux.close()


@needs_tmux
def test_it_ends_with_the_last_session(place: Place, session: Session) -> None:
    tmux = Tmux(place, "top")
    try:
        tmux.wait_for("agent:main")
        session.kill_supervisor()
        tmux.check_terminal()
        assert "no session is running any more" in tmux.text
        assert "ended with 0" in tmux.text
    finally:
        tmux.close()


@needs_tmux
def test_on_a_dumb_terminal_it_prints_once(place: Place, session: Session) -> None:
    tmux = Tmux(place, "top", variables={"TERM": "dumb"})
    try:
        tmux.check_terminal()
        assert str(session.pid) in tmux.text
    finally:
        tmux.close()
