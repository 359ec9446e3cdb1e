"""Attached files and another model on the real screen, in tmux, and a screen that is killed on the way."""

import shlex
import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Place, answer, until
from tests.system.screen.tmux import Tmux
from tests.system.services.servers import serving

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
SLOW = {"end": answer("I was told: {prompt}", chunks=6, chunk_delay_s=0.2)}


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []
    (place.workspace / "my shot.png").write_bytes(b"\x89PNG\r\n\x1a\nplanted pixels")
    with serving() as serve:
        url = serve(SLOW)
        (place.home / "config.toml").write_text(
            f'model = "one/m"\n[providers.one]\napi = "openai-chat"\nbase_url = "{url}/v1"\n'
            f'[providers.two]\napi = "anthropic-messages"\nbase_url = "{url}"\n'
            '[models."two/blind"]\nimages = false\n'
        )

        def open_session(*arguments: str) -> Tmux:
            opened.append(Tmux(place, *arguments))
            opened[-1].wait_for(" default")
            return opened[-1]

        yield open_session
        for tmux in opened:
            tmux.close()
        until(lambda: place.left() == [])


def send(tmux: Tmux, text: str) -> None:
    tmux.type(text)
    tmux.press("Enter")


def test_a_dropped_file_survives_a_killed_screen_and_goes_with_the_prompt(start: Start, place: Place) -> None:
    tmux = start()
    tmux.paste(shlex.quote(str(place.workspace / "my shot.png")))
    tmux.wait_for("❯ [image #1 my shot.png]")
    tmux.type("what is this")
    until(lambda: any("what is this" in draft and "my shot.png" in draft for draft in place.remembered("draft/")))
    tmux.kill("ui")

    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: "❯ [image #1 my shot.png] what is this" in tmux.visible.partition("the screen was restarted")[2])
    tmux.press("Enter")

    tmux.wait_for("I was told: [image #1 my shot.png] what is this")
    assert tmux.text.count("  [image my shot.png, 1 KB]") == 1


def test_another_model_answers_the_rest_and_is_remembered(start: Start) -> None:
    tmux = start("--attach", "my shot.png", "look")
    tmux.wait_for_turn("I was told: look")

    send(tmux, "/model two/blind")
    tmux.wait_for("from now on two/blind answers")
    tmux.wait_for("two/blind does not take my shot.png")
    send(tmux, "go on")
    tmux.wait_for_turn("I was told: go on")
    tmux.press("C-d")
    tmux.wait_for("ended with 0")
    again = start("-c")

    again.wait_for("I was told: go on")
    again.wait(lambda: " blind · default" in again.visible)


def test_wrong_words_change_nothing(start: Start) -> None:
    tmux = start()

    for line, said in (
        ("/attach nothing.png", "nothing.png: No"),
        ("/model nobody/x", 'No provider is named "nobody"'),
        ("/model zzzz", 'no model has "zzzz" in its name'),
        ("/model", "two/test-model"),
    ):
        send(tmux, line)
        tmux.wait_for(said)
    tmux.press("Escape")
    tmux.wait(lambda: "two/test-model" not in tmux.visible)

    send(tmux, "hello")
    tmux.wait_for("I was told: hello")
    assert " m · default" in tmux.visible
