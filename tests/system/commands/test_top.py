"""`trouper top` where nobody watches: in a pipe, and in one that nobody reads."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.system.harness import BOUND_S, LAUNCHER, Fifo, Place, Session, answer, call

pytestmark = pytest.mark.slow


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
