"""Where credentials may lie."""

from pathlib import Path

import pytest

from actors.settings import credential_files


def test_a_link_in_a_folder_of_credentials_names_what_it_leads_to_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path.resolve() / "home"
    for folder in (".ssh", ".claude", "dot", "code/project"):
        (home / folder).mkdir(parents=True)
    (tmp_path / "system").mkdir()
    (home / ".ssh/plain").touch()
    (home / ".ssh/id").symlink_to("../dot/id")
    (home / ".ssh/on").symlink_to("over")
    (home / ".ssh/over").symlink_to(home / "dot/over")
    (home / ".ssh/system").symlink_to(tmp_path / "system")
    (home / ".ssh/home").symlink_to(home)
    (home / ".ssh/round").symlink_to("round")
    (home / ".claude/projects").symlink_to(home / "code")
    monkeypatch.setenv("HOME", str(home))

    found = credential_files.linked([home / ".ssh", home / ".claude"], home / "code/project")

    assert found == [home / ".ssh/round", home / "dot/id", home / "dot/over"]
