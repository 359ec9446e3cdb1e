"""What a prompt names of MCP servers, in tmux: shown, stopped by Esc, and a server that is killed on the way."""

import shutil
from collections.abc import Iterator

import psutil
import pytest

from tests.fakes.mcp_server import FILE
from tests.system.commands.test_mcp_quoted import configure, never_answered
from tests.system.harness import Place, answer, kill, until
from tests.system.screen.test_places import prompts
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
ECHO = answer("You said: {prompt}.")


@pytest.fixture
def screen(place: Place) -> Iterator[Tmux]:
    configure(place)
    tmux = Tmux(place, "--model", place.script(*[ECHO] * 9))
    tmux.wait_for(" default")
    yield tmux
    tmux.close()
    until(lambda: place.left() == [])


def send(tmux: Tmux, text: str, *then: str) -> None:
    """then: what is there at the end."""
    tmux.type(text)
    tmux.press("Enter")
    for words in then:
        tmux.wait_for(words)
    tmux.wait(lambda: "reading what you named" not in tmux.visible)


def server(place: Place) -> int:
    """Its pid, once it was asked for what it never gives."""
    until(lambda: never_answered(place))
    pids: list[int] = []

    def there() -> bool:
        lines = [(one.pid, one.info["cmdline"] or []) for one in psutil.process_iter(["cmdline"])]
        pids[:] = [pid for pid, words in lines if words[1:2] == [FILE] and str(place.home) in words]
        return bool(pids)

    until(there)
    return pids[0]


def test_a_resource_and_a_prompt_go_with_what_was_typed(screen: Tmux, place: Place) -> None:
    send(screen, "see @fake:fake://rows/7", "[@fake:fake://rows/7, 2 lines]", "row 7")
    send(screen, "/fake:greet", "/fake:greet needs who. Usage: /fake:greet <who> [how]", "❯ /fake:greet")
    send(screen, " 'Ada Lovelace'", "[the prompt greet of fake, 1 line]", "Greet Ada Lovelace.")
    send(screen, "/help", "/fake:greet <who> [how]", "Says hello. (the MCP server's)")
    send(screen, "/fake:nothing", "the MCP server fake has no prompt nothing. Its prompts: die, greet, talk.")

    assert "\x1b[2J" not in screen.text
    assert prompts(place) == ["see @fake:fake://rows/7", "/fake:greet 'Ada Lovelace'"]


def test_escape_ends_the_reading_at_once_and_the_draft_is_there_again(screen: Tmux, place: Place) -> None:
    screen.type("wait for @fake:fake://silent")
    screen.press("Enter")
    screen.wait_for("reading what you named · esc stops")

    screen.press("Escape")

    screen.wait_for("the prompt was not sent")
    screen.wait_for("❯ wait for @fake:fake://silent")
    screen.press("C-u")
    send(screen, "hello", "You said: hello.")
    assert prompts(place) == ["hello"]


def test_a_screen_that_dies_meanwhile_gives_the_draft_back(screen: Tmux, place: Place) -> None:
    screen.type("wait for @fake:fake://silent")
    screen.press("Enter")
    screen.wait_for("reading what you named · esc stops")
    until(lambda: any("fake://silent" in draft for draft in place.remembered("draft/")))

    screen.kill("ui")

    screen.wait_for("the screen was restarted")
    screen.wait(lambda: "❯ wait for @fake:fake://silent" in screen.visible.partition("the screen was restarted")[2])
    screen.press("C-u")
    send(screen, "hello", "You said: hello.")
    assert prompts(place) == ["hello"]


def test_a_server_that_is_killed_meanwhile_costs_an_error_and_no_word(screen: Tmux, place: Place) -> None:
    screen.type("wait for @fake:fake://silent")
    screen.press("Enter")
    screen.wait_for("reading what you named · esc stops")

    kill(server(place))

    screen.wait_for("@fake:fake://silent cannot be read: The MCP server fake was lost")
    screen.wait_for("❯ wait for @fake:fake://silent")
    screen.press("C-u")
    send(screen, "/fake:die", "/fake:die is not to be had: The MCP server fake was lost", "❯ /fake:die")
    screen.press("C-u")
    send(screen, "and @fake:fake://one?", "[@fake:fake://one, 1 line]")
    assert prompts(place) == ["and @fake:fake://one?"]
