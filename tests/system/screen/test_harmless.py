"""What others have written is printed: on a terminal it steers nothing, in a pipe it is what it was."""

import json
import sys
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import LAUNCHER, PROMPT, Place, answer, call, until
from tests.ui.screen.pty_stage import PtyTerminal

pytestmark = pytest.mark.slow
EVIL = "before\x1b]52;c;ZXZpbA==\x07\x1b]0;title\x07\x9b31m\x85\u202eafter"
SIGNS = ("\x1b]", "\x07", "\x9b", "\x85", "\u202e")
Show = Callable[..., str]


@pytest.fixture
def show(place: Place) -> Iterator[Show]:
    """Runs the program on a terminal, to its end."""
    opened: list[PtyTerminal] = []

    def run(*arguments: str) -> str:
        command = [sys.executable, "-P", str(LAUNCHER), *arguments]
        opened.append(PtyTerminal(command, place.workspace, {**place.environment, "LANG": "C.UTF-8"}))
        opened[-1].wait_for_end()
        return opened[-1].raw.decode()

    yield run
    for terminal in opened:
        terminal.close()
    until(lambda: place.left() == [])


def test_nothing_that_is_printed_steers_a_terminal(place: Place, show: Show) -> None:
    (place.workspace / "evil.txt").write_text(EVIL)
    model = place.script(answer(EVIL, call("read", path="evil.txt")), answer(EVIL))
    read = json.dumps({"path": "evil.txt"})

    shown = {
        "text": show("-p", EVIL, "--model", model),
        "json": show("-p", "go", "--model", model, "--output", "json"),
        "stream": show("-p", "go", "--model", model, "--output", "stream-json"),
        "list": show("sessions"),
        "show": show("sessions", "show"),
        "export": show("sessions", "export"),
        "call": show("tools", "call", "read", read),
        "call --json": show("tools", "call", "read", read, "--json"),
        "usage": show(f"--{EVIL}"),
        "model": show("-p", "go", "--model", f"{EVIL}/x"),
        "models": show("models", EVIL),
        "permissions": show("permissions", "test", "bash", json.dumps({"command": f"echo '{EVIL}'"})),
        "auth": show("auth", "remove", EVIL),
    }

    assert {what: [sign for sign in SIGNS if sign in text] for what, text in shown.items()} == {it: [] for it in shown}
    assert "before" in shown["text"]


def test_a_pipe_gets_the_text_and_json_has_escapes(place: Place) -> None:
    model = place.script(answer(EVIL))

    text = place.run("-p", "go", "--model", model)
    stream = place.run(*PROMPT, model)

    assert text.out.rstrip("\n") == EVIL
    assert not any(sign in stream.out for sign in SIGNS)
    assert json.loads(stream.out.splitlines()[-1])["answer"] == EVIL
