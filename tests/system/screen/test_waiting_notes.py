"""What is said while code is being written waits for its end; a screen killed meanwhile says it all the same."""

import json
import shutil

import pytest

from tests.system.harness import Place, answer, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
CODE = [f"line_{number} = {number}" for number in range(40)]
TEXT = "Look:\n\n```python\n" + "\n".join(CODE) + "\n```\n\nThat is all.\n"
SAID = "· nothing was used in this session yet"


def test_a_notice_that_waits_survives_the_screen_and_is_said_once(place: Place) -> None:
    tmux = Tmux(place, "--model", place.script(answer(TEXT, chunks=40, chunk_delay_s=0.3)), height=60)
    tmux.wait_for(" default")
    tmux.type("go")
    tmux.press("Enter")
    tmux.wait_for(CODE[0])

    tmux.type("/cost")
    tmux.press("Enter")
    until(lambda: any(json.loads(value)["told"] for value in place.remembered("draft/")))
    tmux.kill("ui")
    tmux.wait_for_turn("That is all.")
    tmux.wait_for(SAID)
    tmux.kill("ui")
    tmux.wait(lambda: tmux.text.count("the screen was restarted") == 2 and "default" in tmux.visible)

    rows = [row.rstrip() for row in tmux.text.split("\n") if row.startswith(("line_", SAID, "That is"))]
    assert rows == [*CODE, SAID, "That is all."]
    tmux.close()
    until(lambda: place.left() == [])
