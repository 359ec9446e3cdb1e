"""`editing = "vi"`: modes in the composer, in a real terminal."""

import shutil
from collections.abc import Iterator

import pytest

from tests.system.harness import Place, answer, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
BLOCK, BAR, OWN = b"\x1b[2 q", b"\x1b[6 q", b"\x1b[0 q"


@pytest.fixture
def tmux(place: Place) -> Iterator[Tmux]:
    (place.home / "config.toml").write_text('editing = "vi"\n')
    tmux = Tmux(place, "--model", place.script(answer("The prompt was: {prompt}")))
    tmux.wait_for(" default")
    yield tmux
    tmux.close()
    until(lambda: place.left() == [])


def test_a_prompt_is_edited_and_sent_and_the_cursor_has_its_shape_back(tmux: Tmux, place: Place) -> None:
    written = place.temporary / "written"
    tmux.write_to(written)
    tmux.type("say hello wrold")
    tmux.press("Escape")
    tmux.wait(lambda: "❮ say hello wrold" in tmux.visible and "normal" in tmux.visible)
    tmux.wait(lambda: BLOCK in written.read_bytes())

    tmux.type("bcw")
    tmux.type("world")
    tmux.press("Escape")
    tmux.wait(lambda: "❮ say hello world" in tmux.visible)
    tmux.type("2d")
    tmux.wait_for("normal 2d")
    tmux.press("Enter")

    tmux.wait_for_turn("The prompt was: say hello world")
    tmux.wait(lambda: "❮" not in tmux.visible)
    tmux.press("C-d")
    tmux.check_terminal()
    shapes = written.read_bytes()
    assert shapes.rfind(OWN) > max(shapes.rfind(BLOCK), shapes.rfind(BAR))


def test_a_killed_screen_gives_the_cursor_back_and_goes_on_with_the_draft(tmux: Tmux, place: Place) -> None:
    written = place.temporary / "written"
    tmux.type("one two")
    tmux.press("Escape")
    tmux.wait(lambda: "❮ one two" in tmux.visible)
    until(lambda: any("one two" in draft for draft in place.remembered("draft/")))
    tmux.write_to(written)

    tmux.kill("ui")

    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: "❯ one two" in tmux.visible)
    tmux.wait(lambda: 0 <= written.read_bytes().find(OWN) < written.read_bytes().rfind(BAR))
    tmux.type(" three")
    tmux.press("Escape")
    tmux.type("0x")
    tmux.press("Enter")
    tmux.wait_for_turn("The prompt was: ne two three")
