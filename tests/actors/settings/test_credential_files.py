"""Where credentials may lie."""

import os
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


@pytest.mark.parametrize("home", ["user", "link", "link/../user", "missing", "top/tmp"])
def test_where_all_of_them_lead_is_found_as_if_each_was_resolved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    user = tmp_path / "user"
    for folder in (".ssh", ".local", "dot/config/gh", ".docker"):
        (user / folder).mkdir(parents=True)
    links = {".config": "dot/config", ".aws": "nowhere", ".netrc": ".netrc", ".local/share": "../dot", "Library": "/"}
    for name, target in {**links, ".npmrc": ".docker/../.yarnrc", ".yarnrc": str(user / ".pypirc")}.items():
        (user / name).symlink_to(target)
    (user / ".pypirc").touch()
    (tmp_path / "link").symlink_to("user")
    (tmp_path / "top").symlink_to("/")
    monkeypatch.setenv("HOME", str(tmp_path / home))

    leads = credential_files.leads()

    named = [str(place) for place in credential_files.places()]
    assert [lead.named for lead in leads] == named
    assert [lead.real for lead in leads] == [os.path.realpath(name) for name in named]
    assert [lead.may_be_folder for lead in leads] == [os.path.islink(name) or os.path.isdir(name) for name in named]  # noqa: PTH112, PTH114
