"""Whether TROUPER_HOME can be used, the disks and the clock."""

import os
import threading
from pathlib import Path

from actors.errors import BadConfiguration
from actors.settings.config import Settings
from ui.common.doctor import home
from ui.common.doctor.home import Unusable

NOW = 1_700_000_000.0


def test_a_home_that_can_be_made_is_usable(tmp_path: Path) -> None:
    assert home.unusable(tmp_path / "new") is None
    assert (tmp_path / "new" / "run").is_dir()


def test_one_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    def make(_: Path) -> None:
        raise BadConfiguration("it cannot be made.")

    assert home.unusable(tmp_path, make) == Unusable("it cannot be made.", hangs=False)


def test_a_disk_that_does_not_answer_is_not_waited_for(tmp_path: Path) -> None:
    answers = threading.Event()

    found = home.unusable(tmp_path, lambda _: answers.wait() and None)
    answers.set()

    assert found is not None
    assert (found.hangs, "does not answer" in found.why) == (True, True)


def test_each_disk_is_told_of_once(tmp_path: Path) -> None:
    settings = Settings(home=str(tmp_path), cwd=str(tmp_path), session_id="s", run_id="r")

    names = [row.name for row in home.rows(settings)]

    assert names[0] == "home"
    assert names.count("disk: home") == 1
    assert "disk: workspace" not in names
    assert list(tmp_path.iterdir()) == [], "what was tried is gone"


def test_a_clock_behind_what_was_written_is_doubted(tmp_path: Path) -> None:
    (tmp_path / "config.toml").touch()
    os.utime(tmp_path / "config.toml", (NOW, NOW))
    newest = max(NOW, Path(home.__file__).stat().st_mtime)

    assert [row.state for row in home.clock_rows(tmp_path, newest + 1)] == ["ok"]
    assert [row.state for row in home.clock_rows(tmp_path, newest - 3 * home.DAY_S)] == ["warning"]
