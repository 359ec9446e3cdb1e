"""The screen on terminals that can do less, and while its terminal is taken away, dragged and flooded."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.system.harness import Event, Fifo, Place, answer, call, until
from tests.system.screen.questions import decide
from tests.system.screen.tmux import Tmux
from tests.ui.screen.pty_stage import PtyTerminal
from ui.screen.status import SPINNER

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
NAMES = [f"Block {number:02d}" for number in range(30)]
STREAM = answer("\n\n".join(f"{name}: " + "some words that fill the row " * 4 for name in NAMES), chunks=150)
SLOWLY = {**STREAM, "chunk_delay_s": 0.02}
COLOUR = re.compile(r"\x1b\[(?:[0-9;]*;)?(?:[349][0-7]|10[0-7]|[34]8[;:][0-9;:]*)m")
WORK = (answer("I make it:\n\n- one\n- two", call("bash", command="mkdir made")), answer("It is **made**."))


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event, more: tuple[str, ...] = (), **variables: str) -> Tmux:
        model = place.script(*answers)
        opened.append(Tmux(place, "--model", model, *more, height=20, variables=variables))
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def said(tmux: Tmux) -> list[str]:
    return [row[: len(NAMES[0])] for row in tmux.text.split("\n") if row.startswith("Block ")]


def shows(client: PtyTerminal, text: str) -> bool:
    return text in client.text


def test_without_utf8_all_signs_are_ascii_and_none_is_a_question_mark(start: Start) -> None:
    tmux = start(*WORK, more=("--no-sandbox",), LC_ALL="C")
    tmux.wait_for("> \n---")
    tmux.type("go on")
    tmux.press("Enter")
    tmux.wait_for(" bash  mkdir made  ")
    tmux.press_until(lambda: "It is made." in tmux.text, "y")
    tmux.wait_for_turn("It is made.")

    assert tmux.text.isascii()
    assert "?" not in tmux.text.replace("Allow?", "")
    assert "> go on" in tmux.text
    assert "\n* bash mkdir made" in tmux.text


def test_without_colours_every_state_has_a_word_or_a_sign(start: Start) -> None:
    broken = call("bash", command="exit 3")
    tmux = start(answer("", broken), answer("It is **broken**."), more=("--no-sandbox", "go on"), NO_COLOR="1")
    decide(tmux, "y", " bash  ")

    tmux.wait_for_turn("It is broken.")

    assert not COLOUR.search(tmux.painted)
    assert re.search(r"^● bash exit 3 +✗", tmux.text, re.MULTILINE)
    assert "sandbox: none" in tmux.visible


def test_who_wants_no_motion_sees_a_still_sign(start: Start, place: Place) -> None:
    fifo = Fifo(place.workspace / "fifo")
    reads = call("bash", command="read word < fifo")
    tmux = start(answer("", reads), answer("Done."), more=("--mode", "auto", "go on"), PREFERS_REDUCED_MOTION="1")

    tmux.wait_for("· Running bash")

    assert not set(SPINNER) & set(tmux.visible)
    fifo.let_go()
    tmux.wait_for_turn("Done.")
    fifo.close()


def test_a_terminal_that_is_dumb_gets_lines(start: Start) -> None:
    tmux = start(answer("Hello."), more=("go on",), TERM="dumb")

    tmux.wait_for("agent: Hello.\nyou:")


def test_detaching_and_attaching_while_it_streams_loses_and_doubles_nothing(start: Start, place: Place) -> None:
    tmux = start(SLOWLY, more=("go on",))
    tmux.wait_for(NAMES[2])
    environment = {name: value for name, value in os.environ.items() if name != "TMUX"}

    for number in (5, 8):
        client = PtyTerminal(tmux.attaching, place.workspace, environment)
        client.wait(partial(shows, client, "Block"))
        tmux.type("x")
        tmux.wait_for(NAMES[number])
        tmux.detach()
        client.wait_for_end()
        client.close()

    tmux.wait_for_turn(f"{NAMES[-1]}:")
    tmux.wait_for("❯ xx")
    assert [name for name in NAMES if name not in said(tmux)] == []


def test_a_drag_while_it_streams_keeps_what_is_typed_meanwhile(start: Start) -> None:
    tmux = start(SLOWLY, more=("go on",))
    tmux.wait_for(NAMES[1])

    for step, letter in enumerate("typed while dragged"):
        tmux.resize(100 - 4 * min(step, 18 - step), 20)
        tmux.type(letter)
    tmux.resize(100, 20)

    tmux.wait_for_turn(f"{NAMES[-1]}:")
    tmux.wait_for("❯ typed while dragged")
    assert tmux.text.count("❯ typed") == 1


def test_keys_right_behind_a_paste_of_10000_lines_go_behind_it(start: Start) -> None:
    tmux = start(answer("I have read it."))
    tmux.wait_for("❯")

    tmux.type("look at ")
    tmux.paste("\n".join(f"line {number}" for number in range(10_000)))
    tmux.type("and say")
    tmux.press("BSpace")

    tmux.wait_for("❯ look at [pasted 10,000 lines]and sa")
    tmux.press("Enter")
    tmux.wait_for_turn("I have read it.")
