"""What kills an actor by itself is not given to its next life for ever, and the session goes on."""

from collections.abc import Iterator

import pytest

from tests.system.harness import Place, answer, call, until
from tests.system.screen.tmux import Tmux

pytestmark = pytest.mark.slow


def crashing(actor: str, text: str, lives: int = 4) -> str:
    """In each life the message with this text."""
    return ",".join([f"{actor}:crash@text:{text}"] * lives)


@pytest.mark.parametrize(("actor", "text"), [("providers", "go on"), ("store", "All done.")])
def test_a_request_that_kills_whoever_serves_it_fails_clearly_and_the_session_goes_on(
    place: Place, actor: str, text: str
) -> None:
    model = place.script(answer("All done."))

    failed = place.prompt(model, TROUPER_CHAOS=crashing(actor, text)).finish()
    again = place.prompt(model, "-c").finish()

    assert failed.code == 1
    assert f"{actor} died 2 times while it was serving just this" in failed.err
    assert again.code == 0


def test_a_call_that_kills_the_gate_is_refused_and_the_turn_goes_on(place: Place) -> None:
    (place.workspace / "a.txt").write_text("one\n")
    model = place.script(answer("I look.", call("read", path="a.txt")), answer("All done."))

    finished = place.prompt(model, TROUPER_CHAOS=crashing("gate", "a.txt")).finish()

    (result,) = (event for event in finished.events if event["type"] == "tool_result")
    assert finished.code == 0
    assert result["failed"]
    assert "gate died 2 times while it was serving just this" in result["output"]


def test_a_call_that_kills_its_worker_has_one_result_each_time(place: Place) -> None:
    (place.workspace / "a.txt").write_text("one\n")
    look = call("read", path="a.txt")
    model = place.script(answer("First.", look), answer("Again.", look), answer("All done."))

    finished = place.prompt(model, TROUPER_CHAOS=crashing("tools:main", "a.txt")).finish()

    results = [event for event in finished.events if event["type"] == "tool_result"]
    assert finished.code == 0
    assert len(results) == 2


def test_an_answer_that_is_written_to_hang_the_screen_is_shown_also_when_it_is_read_again(place: Place) -> None:
    fences = "\n\n".join(f"```{name}\n" + (" " * 1990 + "\n") * 40 + "```" for name in ("autoit", "ini", "gnuplot"))
    flags = "\n\n```\n" + "\U0001f1e6" * 60_000 + "\n```"
    model = place.script(answer(f"{fences}{flags}\n\nThe end."), answer("Good."))

    for arguments in (("go on",), ("-c",)):
        tmux = Tmux(place, "--model", model, *arguments)
        tmux.wait_for("The end.")
        tmux.press("C-d")
        tmux.check_terminal()
        tmux.close()
        until(lambda: place.left() == [])

    ended = [line for line in place.log() if line["event"] == "ended" and line["actor"] == "ui"]
    assert [line["why"] for line in ended] == ["", ""]


@pytest.fixture
def tmux(place: Place) -> Iterator[Tmux]:
    place.environment["TROUPER_CHAOS"] = "ui:hang@message:6"
    answers = (answer("The *first* one."), answer("The **second** one."))
    tmux = Tmux(place, "--model", place.script(*answers), "go on")
    yield tmux
    tmux.close()
    until(lambda: place.left() == [])


def test_a_screen_that_hung_comes_back_plain_and_stays(tmux: Tmux) -> None:
    tmux.wait_for("the screen was restarted")
    tmux.wait_for("answers are shown as they are written")
    tmux.type("and now")
    tmux.press("Enter")

    tmux.wait_for("The **second** one.")
    tmux.press("C-d")
    tmux.check_terminal()
