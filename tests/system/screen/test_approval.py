"""Approvals on the real screen, in tmux: what each answer gives, for how long, and where it is written down."""

import shutil
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.system.harness import Event, Place, answer, call, until
from tests.system.screen.questions import decide, listening
from tests.system.screen.tmux import Tmux
from ui.screen.terminal.cells import GOES_ON

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
MAKE = call("bash", command="mkdir -p made")
AGAIN = (answer("First.", MAKE), answer("Second.", MAKE), answer("All done."))
REMOVE = (answer("I delete it.", call("bash", command="rm -r made")), answer("You said: {result}"))


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []
    (place.workspace / "a.txt").write_text("one\n")

    def open_session(*answers: Event, more: tuple[str, ...] = (), size: tuple[int, int] = (100, 30)) -> Tmux:
        model = place.script(*answers)
        opened.append(Tmux(place, "--model", model, *more, "go on", width=size[0], height=size[1]))
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def local_rules(place: Place) -> list[str]:
    path = place.workspace / ".trouper" / "config.local.toml"
    rules: list[str] = tomllib.loads(path.read_text())["permissions"]["allow"] if path.exists() else []
    return rules


def test_yes_is_for_once(start: Start, place: Place) -> None:
    tmux = start(*AGAIN)

    decide(tmux, "y")
    tmux.wait_for("Second.")
    decide(tmux, "y")

    tmux.wait_for("All done.")
    assert (place.workspace / "made").is_dir()
    assert local_rules(place) == []


def test_for_this_session_is_not_written_down(start: Start, place: Place) -> None:
    tmux = start(*AGAIN)

    decide(tmux, "s")

    tmux.wait_for_turn("All done.")
    assert local_rules(place) == []
    tmux.press("C-d")
    tmux.check_terminal()
    again = start(*AGAIN)
    decide(again, "y")


def test_always_writes_the_rule_that_it_showed_and_nothing_else(start: Start, place: Place) -> None:
    tmux = start(*AGAIN)
    tmux.wait_for("always: Bash(mkdir -p made)")

    decide(tmux, "a")

    tmux.wait_for_turn("All done.")
    assert local_rules(place) == ["Bash(mkdir -p made)"]
    tmux.press("C-d")
    tmux.check_terminal()
    again = start(*AGAIN)
    again.wait_for_turn("All done.")
    again.type("/permissions")
    again.press("Enter")
    again.wait_for("1* allow  Bash(mkdir -p made)")
    again.type("/permissions forget 1")
    again.press("Enter")
    again.wait_for("forgotten: Bash(mkdir -p made)")
    assert local_rules(place) == []


def test_enter_is_no_and_so_is_escape(start: Start, place: Place) -> None:
    for key in ("Enter", "Escape"):
        tmux = start(answer("First.", MAKE), answer("You said: {result}"))

        decide(tmux, key, opens="f")

        tmux.wait_for("You said: denied by the user")
        assert "interrupted" not in tmux.text
        assert not (place.workspace / "made").exists()


@pytest.mark.parametrize("mode", ["default", "auto"])
def test_a_deletion_is_asked_about_whatever_is_allowed(start: Start, place: Place, mode: str) -> None:
    made: Path = place.workspace / "made"
    made.mkdir()
    (made / "own.txt").write_text("what would be lost\n")
    tmux = start(*REMOVE, more=("--mode", mode, "--allow", "Bash"))

    listening(tmux)

    warned, offered = "! " in tmux.visible, "for this session" in tmux.visible
    assert (warned, offered) == ((True, False) if mode == "auto" else (False, True))
    tmux.press("n")
    tmux.wait_for("You said: denied by the user")
    assert made.is_dir()


def test_several_questions_wait_in_a_queue_and_survive_the_screen(start: Start, place: Place) -> None:
    outside = [place.temporary / name for name in ("one.txt", "two.txt")]
    for path in outside:
        path.write_text(f"in {path.name}\n")
    tmux = start(answer("I look.", *(call("read", path=str(path)) for path in outside)), answer("All done."))
    tmux.wait_for("1 of 2")

    tmux.kill("ui")

    # above that line may be a frame that the screen was killed in
    tmux.wait(lambda: "1 of 2" in tmux.text.partition("the screen was restarted")[2])
    decide(tmux, "y")
    tmux.wait_for("2 of 2")
    decide(tmux, "y", "2 of 2")
    tmux.wait_for("All done.")
    assert tmux.text.count("● read") == 2


SCRIPT = "\n".join([*(f"echo step {number:02}" for number in range(1, 40)), "mkdir made"])
RUN = (answer("I run it.", call("bash", command=SCRIPT)), answer("All done."))
CHANGE = (answer("I change it.", call("edit", path="a.txt", old="one", new="something else")), answer("All done."))


@pytest.mark.parametrize(
    ("answers", "size", "last"),
    [(RUN, (80, 24), "mkdir made"), (RUN, (40, 10), "mkdir made"), (CHANGE, (20, 24), "local.toml")],
)
def test_what_was_never_on_the_screen_is_not_approved(
    start: Start, place: Place, answers: tuple[Event, ...], size: tuple[int, int], last: str
) -> None:
    tmux = start(*answers, size=size)
    tmux.wait_for("space")
    seen: list[str] = []

    def read() -> bool:
        seen.append(tmux.visible)
        tmux.press("Space")
        return "pgup" in tmux.visible or "not yet" not in tmux.visible

    tmux.press_until(lambda: "not yet" in tmux.visible, "y")
    tmux.wait(read)
    seen.append(tmux.visible)

    assert not (place.workspace / "made").exists()
    assert (place.workspace / "a.txt").read_text() == "one\n"
    together = "".join("".join(seen).split()).replace(GOES_ON, "")
    assert "".join(last.split()) in together
    tmux.press_until(lambda: "All done." in tmux.text, "y")


def test_a_file_of_thousands_of_lines_is_not_allowed_before_it_was_read(start: Start, place: Place) -> None:
    content = "".join(f"echo {number}\n" for number in range(4100))
    tmux = start(answer("I write it.", call("write", path="big.sh", content=content)), answer("You said: {result}"))

    tmux.wait_for("echo 0")
    tmux.press_until(lambda: "not yet shown: " in tmux.visible, "y")
    tmux.press_until(lambda: "You said: denied by the user" in tmux.text, "n")

    assert not (place.workspace / "big.sh").exists()
