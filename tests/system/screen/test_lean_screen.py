"""What a screen imports before anybody uses it, and then."""

import shutil
from pathlib import Path

import pytest

from tests.system.harness import Place, answer, until
from tests.system.imports import Imports
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
OF_ANSWERS = ("markdown_it", "pygments")
HEAVY = ("httpx", "rich", "click", "PIL", "tree_sitter", "asyncio", "actors.tools", "actors.confinement", *OF_ANSWERS)


def test_what_shows_answers_is_imported_with_the_first_key(place: Place, tmp_path: Path) -> None:
    imports = Imports(place, tmp_path)
    tmux = Tmux(place, "--model", place.script(answer("Done.")))
    tmux.wait_for(" default")
    tmux.resize(80, 20)
    tmux.wait_for(" default")
    ui = tmux.pid("ui")

    unused = imports.among(ui, HEAVY)
    tmux.type("w")

    assert unused == []
    until(lambda: imports.among(ui, HEAVY) == list(OF_ANSWERS))
    tmux.close()
    until(lambda: place.left() == [])
