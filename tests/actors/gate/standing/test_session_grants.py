"""Which grants of a session count again in another run."""

import shutil
from pathlib import Path

import pytest

from actors.gate.standing.session_grants import DAYS, Given, Kept, counting, where
from actors.settings import trust
from actors.settings.config import Settings
from actors.settings.workspace_files import TEAM_FILE

NOW = 1_000_000_000.0
DAY = 86_400.0
MAKE = Given("Bash(make)", "bubblewrap", NOW - DAY)


def kept(*given: Given) -> Kept:
    return Kept("run1", "here", given)


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        (MAKE, True),
        (Given("Bash(make)", "bubblewrap", NOW - (DAYS - 1) * DAY), True),
        (Given("Bash(make)", "bubblewrap", NOW - DAYS * DAY), False),
        (Given("Bash(make)", "bubblewrap", NOW + DAY), False),
        (Given("Bash(@sandbox)", "bubblewrap", NOW - DAY), False),
        (Given("NoSuchTool", "bubblewrap", NOW - DAY), False),
    ],
)
def test_another_run_takes_up_what_was_given_lately_and_is_not_as_wide_as_auto(given: Given, counts: bool) -> None:
    assert counting(kept(given), "run2", "here", NOW) == ((given,) if counts else ())
    assert counting(kept(given), "run1", "elsewhere", NOW) == (given,)


def test_elsewhere_nothing_counts_again() -> None:
    assert counting(kept(MAKE), "run2", "elsewhere", NOW) == ()


def test_another_clone_and_another_trust_are_elsewhere(tmp_path: Path) -> None:
    workspace = tmp_path / "work"
    (workspace / ".git").mkdir(parents=True)
    settings = Settings(home=str(tmp_path / "home"), cwd=str(workspace), session_id="s", run_id="r")
    first = where(settings)
    (workspace / "file").touch()
    same = where(settings)
    trust.vouch(tmp_path / "home", workspace / TEAM_FILE, "[permissions]\n")
    trusted = where(settings)
    shutil.copytree(workspace, tmp_path / "other")
    workspace.rename(tmp_path / "before")
    (tmp_path / "other").rename(workspace)

    assert same == first
    assert len({first, trusted, where(settings)}) == 3
