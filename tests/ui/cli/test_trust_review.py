"""`trouper permissions trust`: the user's own instructions for a folder are shown and vouched for as they are."""

from pathlib import Path

import pytest

from actors.settings import trust
from actors.settings.config import Settings
from ui.cli import trust_review
from ui.common.exit_codes import DONE


def test_personal_instructions_are_vouched_for_as_they_were_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "work/.trouper/instructions.md"
    path.parent.mkdir(parents=True)
    path.write_text("be brief\x1b[2J\n")
    settings = Settings(home=str(tmp_path / "home"), cwd=str(tmp_path / "work"), session_id="s", run_id="r")

    code = trust_review.main(settings, agreed=True)

    out = capfd.readouterr().out
    assert code == DONE
    assert "\x1b" not in out
    assert "trusted, it would:\n  speak to the model as you" in out
    assert trust.record(tmp_path / "home", path).vouches_for("be brief\x1b[2J")
