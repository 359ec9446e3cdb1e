"""Being stopped: SIGINT and --timeout end everything that runs, whoever does not read what we say."""

import fcntl
import select
import signal
import termios

import psutil
import pytest

from tests.processes import lives
from tests.system.harness import Place, Session, answer, call, transcript, until

pytestmark = pytest.mark.slow
STUBBORN = "(setsid sleep 300 &) ; echo > reached; sleep 300"
NOTHING = bytes(4)
LONG = answer("word " * 60_000, chunks=3_000)


def in_a_call(place: Place, *more: str) -> Session:
    session = place.prompt(place.script(answer("Now.", call("bash", command=STUBBORN))), *more)
    until((place.workspace / "reached").exists)
    return session


def unread(place: Place) -> Session:
    """A session whose stdout is full, and nobody reads it."""
    session = place.prompt_unread(place.script(LONG))
    fcntl.fcntl(session.out.fileno(), fcntl.F_SETPIPE_SZ, select.PIPE_BUF)
    until(lambda: fcntl.ioctl(session.out.fileno(), termios.FIONREAD, NOTHING) != NOTHING)
    return session


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_a_signal_ends_the_command_with_all_it_started(place: Place, number: signal.Signals, code: int) -> None:
    session = in_a_call(place)
    running = session.processes()

    session.signal(number)
    finished = session.finish()

    assert finished.code == code
    assert [process for process in running if lives(process)] == []
    stored = transcript(place.entries(finished.events[-1]["session"]))
    assert [body["type"] for body in stored] == [
        "ModelChosen",
        "UserMessage",
        "Instructed",
        "AssistantMessage",
        "Checkpointed",
        "CallStarted",
        "ToolResult",
        "TurnEnded",
    ]
    assert stored[-1]["reason"] == finished.events[-1]["reason"] == "interrupted"


def test_after_an_interrupt_the_session_goes_on(place: Place) -> None:
    session = in_a_call(place)
    session.signal(signal.SIGINT)
    interrupted = session.finish()

    resumed = place.prompt(place.script(name="rest"), "-c").finish()

    assert resumed.code == 0
    assert resumed.events[-1]["session"] == interrupted.events[-1]["session"]
    assert resumed.events[-1]["answer"] == "Done."


def test_the_timeout_ends_it_too(place: Place) -> None:
    finished = in_a_call(place, "--timeout", "5.5").finish()

    assert finished.code == 124
    assert finished.events[-1]["reason"] == "timeout"
    assert "trouper: time was up after 5.5 s (--timeout); go on with: trouper -c\n" in finished.err


def test_what_the_model_had_said_is_kept(place: Place) -> None:
    session = place.prompt(place.script(answer("one two three four " * 20, chunks=80, chunk_delay_s=0.5)))
    session.wait_for("text")
    session.signal(signal.SIGINT)
    finished = session.finish()

    stored = transcript(place.entries(finished.events[-1]["session"]))
    said = next(body for body in stored if body["type"] == "AssistantMessage")
    assert said["stop_reason"] == "cancelled"
    assert said["blocks"][0]["text"].startswith("one ")


def test_an_interrupt_at_the_very_start_leaves_nothing(place: Place) -> None:
    place.cold = True
    session = place.prompt(place.script(LONG))
    until(lambda: bool(psutil.Process(session.pid).children()))
    session.signal(signal.SIGINT)

    assert session.finish().code in {130, -signal.SIGINT}


def test_a_reader_that_stopped_does_not_hold_up_an_interrupt(place: Place) -> None:
    session = unread(place)

    session.signal(signal.SIGINT)

    assert session.wait() == 130
    (ended,) = (line for line in place.log() if line["event"] == "ended" and line["actor"] == "ui")
    assert (ended["status"], ended["why"]) == (0, "")  # by itself: one that hangs is killed


def test_a_reader_that_stopped_for_a_while_misses_nothing(place: Place) -> None:
    session = unread(place)

    session.out.start()
    finished = session.finish()

    assert finished.code == 0
    deltas = "".join(event["delta"] for event in finished.events if event["type"] == "text")
    assert deltas == LONG["text"]
    assert finished.events[-1]["answer"] == LONG["text"]


def test_a_reader_that_is_gone_ends_the_session(place: Place) -> None:
    session = unread(place)

    session.out.close()

    assert session.wait() == 1
