"""Colours of the real screen on a real terminal: what it is told of the background, what the user chooses."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ui.screen.pty_stage import PtyStage
from ui.screen.terminal.tty import BACKGROUND_QUESTION

pytestmark = pytest.mark.slow
LIGHT_DIM = b"\x1b[38;2;103;103;103m"
CONTRAST_DIM = b"\x1b[38;2;192;192;192m"


@pytest.fixture
def it(tmp_path: Path) -> Iterator[PtyStage]:
    stage = PtyStage(tmp_path, "chat", COLORTERM="truecolor")
    stage.wait_for(" default")
    yield stage
    stage.close()


def test_the_terminal_is_asked_for_its_background_and_its_answer_is_no_text(it: PtyStage) -> None:
    assert BACKGROUND_QUESTION.encode() in it.raw
    it.type("\x1b]11;rgb:ffff/")
    it.type("ffff/ffff\x1b\\hello")
    it.wait_for("❯ hello")

    it.wait(lambda: LIGHT_DIM in it.raw)
    assert "rgb" not in it.text


def test_a_theme_is_kept_in_the_users_file(it: PtyStage) -> None:
    (it.home / "config.toml").write_text("# mine\n[search]\n")

    it.type("/theme high-contrast\r")
    it.wait_for("the theme is high-contrast from now on")

    assert (it.home / "config.toml").read_text() == '# mine\ntheme = "high-contrast"\n\n[search]\n'
    assert CONTRAST_DIM in it.raw


def test_a_file_that_cannot_be_written_is_named_and_the_theme_counts_for_now(it: PtyStage) -> None:
    (it.home / "config.toml").write_text("theme = \n")

    it.type("/theme high-contrast\r")
    it.wait_for("the theme is high-contrast until this session ends")

    assert (it.home / "config.toml").read_text() == "theme = \n"
    it.wait(lambda: CONTRAST_DIM in it.raw)
