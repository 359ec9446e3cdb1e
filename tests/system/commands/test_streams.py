"""What the streams of a command can be: a closed pipe, a full disk, a silent stdin, a terminal without a screen."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.system.harness import BOUND_S, LAUNCHER, Place, answer
from tests.ui.headless.fronts import closed_pipe, full_disk
from tests.ui.screen.pty_stage import PtyTerminal

pytestmark = pytest.mark.slow


def run(place: Place, stdout: int, *arguments: str) -> tuple[int, str]:
    """Exit code and stderr."""
    try:
        finished = subprocess.run(
            [sys.executable, "-P", str(LAUNCHER), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            cwd=place.workspace,
            env=place.environment,
            timeout=BOUND_S,
            check=False,
        )
    finally:
        os.close(stdout)
    return finished.returncode, finished.stderr.decode()


def test_a_transcript_whose_reader_is_gone_ends_without_a_word(place: Place) -> None:
    session = place.prompt(place.script(answer("hello"))).finish().events[-1]["session"]

    assert run(place, closed_pipe(), "sessions", "show", session) == (1, "")


def test_an_answer_for_a_full_disk_ends_with_the_cause(place: Place) -> None:
    code, err = run(place, full_disk(), "-p", "hi", "--model", place.script(answer("hello")))

    assert (code, err) == (1, "trouper: cannot write to stdout: No space left on device\n")


def test_who_leaves_stdin_open_is_told(place: Place) -> None:
    arguments = ("-p", "review", "--model", place.script(answer("{prompt}")))
    with subprocess.Popen(
        [sys.executable, "-P", str(LAUNCHER), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=place.workspace,
        env=place.environment,
    ) as process:
        assert process.stderr is not None
        assert select.select([process.stderr], [], [], BOUND_S)[0]
        told = process.stderr.readline()
        out, err = process.communicate(b"caf\xe9", timeout=BOUND_S)

    assert told == b"trouper: reading stdin; close it or use </dev/null\n"
    assert (process.returncode, out.decode(), err) == (0, "review\n\ncaf\ufffd\n", b"")


@pytest.fixture
def terminal(place: Place) -> Iterator[PtyTerminal]:
    place.prompt(place.script()).finish()  # a session to go on with
    argv = [sys.executable, "-P", str(LAUNCHER), "-cp", "x", "--model", place.script()]
    opened = PtyTerminal(argv, place.workspace, place.environment)
    yield opened
    opened.close()


def test_a_prompt_in_a_cluster_of_options_has_no_screen(terminal: PtyTerminal) -> None:
    code = terminal.wait_for_end()

    assert (code, b"\x1b" in terminal.raw) == (0, False)
    assert terminal.raw.endswith(b"\r\nDone.\r\n")  # what stderr says of the mode is before it


def test_a_large_answer_in_many_events_goes_to_a_file_whole(place: Place) -> None:
    text = "all of it\n" * 2_000_000
    model = place.script(answer(text, chunks=5000))
    path = place.temporary / "out"

    code, err = run(place, os.open(path, os.O_WRONLY | os.O_CREAT), "-p", "go on", "--model", model)

    assert (code, path.read_text() == text) == (0, True), err
