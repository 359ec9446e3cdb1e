"""Commands that a prompt brings with it, without a screen: interrupted they end, and the prompt is not sent."""

import os
import signal

import pytest

from tests.system.harness import Place, answer, until

pytestmark = pytest.mark.slow


def test_an_interrupted_run_ends_them_and_what_they_did_is_taken_back(place: Place) -> None:
    (place.home / "commands").mkdir()
    (place.home / "commands" / "hang.md").write_text(
        "!echo new > a.txt; touch reached; exec sleep 1000\n!touch never\n"
    )
    (place.workspace / "a.txt").write_text("mine\n")
    model = place.script(*[answer("Hello.")] * 3)
    first = place.prompt(model)
    assert first.finish().code == 0
    session_id = str(first.wait_for("session")["id"])

    hanging = place.start("-r", session_id, "-p", "/hang", "--model", model, "--mode", "auto")
    until((place.workspace / "reached").exists)
    os.kill(hanging.pid, signal.SIGINT)
    ended = hanging.finish()
    back = place.run("sessions", "rewind", session_id, "--yes")

    assert (ended.code, back.code) == (130, 0), ended.err + back.err
    assert (place.workspace / "a.txt").read_text() == "mine\n"
    assert not (place.workspace / "never").exists()
    assert not (place.workspace / "reached").exists()
