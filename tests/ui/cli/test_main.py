"""What is guessed from the arguments before they are understood: is there going to be a screen?"""

import pytest

from ui.cli.main import prepare
from ui.start.launch_state import Launch
from ui.start.session_run import way_on


class Painted(Launch):
    """Only remembers that it was asked for the first frame."""

    asked = False

    def paint(self, cwd: str) -> None:
        self.asked = bool(cwd)


@pytest.fixture(autouse=True)
def no_zygote(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TROUPER_SPAWN", "exec")


@pytest.mark.parametrize("arguments", [["-c"], ["what is this?"], ["-r", "3fa"], ["-r"], ["--mode", "plan"], []])
def test_a_session_on_the_screen_is_painted_at_once(arguments: list[str]) -> None:
    launch = Painted("launch.py")

    prepare(arguments, launch)

    assert launch.asked


@pytest.mark.parametrize(
    "arguments",
    [
        ["-p", "x"],
        ["-px"],
        ["-cp", "x"],
        ["-ccpx"],
        ["--print", "x"],
        ["--pr=x"],
        ["-c", "-p"],
        ["--help"],
        ["batch"],
    ],
)
def test_without_a_screen_nothing_is_painted(arguments: list[str]) -> None:
    launch = Painted("launch.py")

    prepare(arguments, launch)

    assert not launch.asked


@pytest.mark.parametrize(
    ("actors", "resumable"), [(["store", "providers", "agent:main", "ui"], True), (["providers", "ui"], False)]
)
def test_only_a_session_can_be_gone_on_with(actors: list[str], resumable: bool) -> None:
    assert ("trouper -c" in way_on(actors)) == resumable
