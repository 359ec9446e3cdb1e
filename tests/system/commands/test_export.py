"""Sessions as files, from end to end: the forms of the export, and trajectories of runs however they ended."""

import json
import os
import signal
import stat

import pytest

from tests.system.harness import Event, Place, answer, call, until

pytestmark = pytest.mark.slow
LOOK = (answer("I look.", call("read", path="a.txt")), answer("It says hi."))
STUBBORN = 'trap "" TERM; touch reached; while :; do sleep 1; done'


def trajectory(place: Place) -> Event:
    return dict(json.loads((place.workspace / "t.json").read_text()))


def steps(place: Place) -> list[tuple[str, str]]:
    return [(step["source"], step["message"]) for step in trajectory(place)["steps"]]


def test_a_session_leaves_in_every_form(place: Place) -> None:
    (place.workspace / "a.txt").write_text("hi\n")
    session = place.prompt(place.script(*LOOK)).finish().events[-1]["session"]

    forms = {
        form: place.run("sessions", "export", session, "--format", form).out for form in ("markdown", "html", "atif")
    }
    to_file = place.run("sessions", "export", session[:9], "--format", "trouper", "--out", "whole")
    again = place.run("sessions", "export", session, "--format", "trouper", "--out", "whole")

    assert "## Answer\n\nI look.\n\n## Tool: `read`\n\n```json\n" in forms["markdown"]
    assert '<div class="prose"><p>It says hi.</p>\n</div>' in forms["html"]
    assert [step["message"] for step in json.loads(forms["atif"])["steps"]] == ["go on", "I look.", "It says hi."]
    assert (to_file.code, to_file.out, to_file.err) == (0, "", "")
    whole = place.workspace / "whole"
    assert (whole.read_bytes()[:4], stat.S_IMODE(whole.stat().st_mode)) == (b"PK\3\4", 0o600)
    assert (again.code, again.err) == (2, f"trouper: --out {whole}: that is there already. To replace it: --force\n")


def test_a_run_is_told_as_a_trajectory(place: Place) -> None:
    (place.workspace / "a.txt").write_text("hi\n")
    model = place.script(*LOOK, *LOOK)
    place.run("-p", "Look around.", "--model", model)

    finished = place.run("-c", "-p", "And now?", "--model", model, "--trajectory", "t.json")

    assert (finished.code, finished.out) == (0, "It says hi.\n")
    assert steps(place) == [("user", "And now?"), ("agent", "I look."), ("agent", "It says hi.")]
    (result,) = trajectory(place)["steps"][1]["observation"]["results"]
    assert result["content"].split() == ["1", "hi"]
    assert trajectory(place)["extra"] == {"ended": "done"}


@pytest.mark.parametrize("chaos", ["agent:kill@text:I look", "ui:kill@text:I look", "store:kill@text:I look"])
def test_what_dies_on_the_way_leaves_no_gap_and_nothing_twice(place: Place, chaos: str) -> None:
    (place.workspace / "a.txt").write_text("hi\n")
    model = place.script(*LOOK)

    finished = place.run("-p", "Go.", "--model", model, "--trajectory", "t.json", TROUPER_CHAOS=chaos)

    assert (finished.code, finished.out) == (0, "It says hi.\n")
    assert steps(place) == [("user", "Go."), ("agent", "I look."), ("agent", "It says hi.")]


def test_a_run_that_could_not_begin_has_a_trajectory(place: Place) -> None:
    finished = place.run("-p", "Hello", "--model", "openai/m", "--trajectory", "t.json", OPENAI_API_KEY="")

    assert finished.code == 5
    (asked, (source, why)) = steps(place)
    assert (asked, source) == (("user", "Hello"), "system")
    assert why.startswith("The turn ended: no_credentials: ")


def test_an_interrupted_run_has_a_trajectory(place: Place) -> None:
    session = place.prompt(place.script(answer("Now.", call("bash", command=STUBBORN))), "--trajectory", "t.json")
    until((place.workspace / "reached").exists)

    session.signal(signal.SIGINT)
    finished = session.finish()

    assert finished.code == 130
    assert [source for source, _ in steps(place)] == ["user", "agent", "system"]
    assert trajectory(place)["extra"] == {"ended": "interrupted"}


def test_a_run_whose_calls_were_refused_says_so(place: Place) -> None:
    model = place.script(answer("", call("bash", command="touch x")), answer("I could not."))

    finished = place.run("-p", "Do it.", "--model", model, "--trajectory", "t.json")

    assert finished.code == 3
    assert trajectory(place)["extra"] == {"ended": "refused"}


def test_a_trajectory_that_cannot_be_written_is_no_success(place: Place) -> None:
    folder = place.workspace / "gone"
    folder.mkdir()
    model = place.script(answer("", call("bash", command=f"rmdir {folder}")), answer("Done."))

    finished = place.run("-p", "x", "--mode", "auto", "--model", model, "--trajectory", "gone/t.json")

    assert (finished.code, finished.out) == (1, "Done.\n")
    assert f"trouper: cannot write the trajectory to {folder}/t.json: No such file or directory\n" in finished.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("-p", "x", "--trajectory", "gone/t.json"), "is no folder that can be written to"),
        (("-p", "x", "--trajectory", "."), "that is no regular file"),
        (("--trajectory", "t.json", "x"), "are for a prompt without a screen"),
    ],
)
def test_a_trajectory_to_nowhere_is_wrong_usage(place: Place, arguments: tuple[str, ...], why: str) -> None:
    finished = place.run(*arguments)

    assert (finished.code, finished.out) == (2, "")
    assert why in finished.err


def test_a_pipe_is_not_replaced(place: Place) -> None:
    os.mkfifo(place.workspace / "t.json")

    finished = place.run("-p", "x", "--model", place.script(answer("y")), "--trajectory", "t.json")

    assert (finished.code, (place.workspace / "t.json").is_fifo()) == (2, True)
