"""`trouper auth import`: what another program keeps is found, and read only on the user's word."""

import json
from pathlib import Path

import pytest

from tests.system.harness import Place

pytestmark = pytest.mark.slow
KEY = "sk-planted-0123456789"


def test_another_programs_keys_are_found_and_kept_on_the_users_word(place: Place) -> None:
    place.environment["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    place.environment.pop("XDG_DATA_HOME", None)
    file = Path(place.environment["HOME"], ".local/share/opencode/auth.json")
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"deepseek": {"type": "api", "key": KEY}, "odd": {"type": "other"}}))
    kept = place.home / "auth.json"

    found, before = place.run("auth", "import"), kept.exists()
    taken = place.run("auth", "import", "opencode")

    assert (found.code, found.out, before) == (0, f"opencode  {file}\n", False)
    assert (taken.code, taken.out) == (0, "kept here as well: deepseek\n")
    assert "left out: odd: " in taken.err
    assert json.loads(kept.read_text())["deepseek"]["key"] == KEY
    assert KEY not in found.out + found.err + taken.out + taken.err
    assert KEY not in (place.home / "logs" / "trouper.log").read_text()
