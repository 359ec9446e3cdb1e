"""What is generated is stored as it would be generated now, and its examples work."""

import re
from pathlib import Path

import pytest

from actors.settings import config, toml_files, workspace_files
from tests.docs import configuration, make, picture
from tests.docs.pages import ROOT
from tests.ui.screen import golden

SOURCES = "\n".join(
    path.read_text() for folder in ("actors", "supervisor", "ui") for path in (ROOT / folder).rglob("*.py")
)


@pytest.mark.parametrize("name", make.PAGES)
def test_a_page_is_stored_as_it_would_be_generated(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == make.PAGES[name](), "run: just docs"


def test_the_example_of_a_users_file_loads(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text((configuration.FOLDER / "example.toml").read_text())

    settings = config.load(tmp_path, tmp_path / "work", {}, session_id="s", run_id="r")

    assert settings.model in settings.models
    assert settings.providers["local"].headers == {"x-team": "tools"}
    assert [server.name for server in settings.mcp] == ["github"]
    assert [rule.verdict for rule in settings.rules] == ["deny", "deny", "ask", "allow", "allow", "allow", "allow"]


def test_the_example_of_a_workspaces_file_loads() -> None:
    path = configuration.FOLDER / "workspace.toml"

    says, left_out = workspace_files.parse(toml_files.text_of(path), path)

    assert left_out == ()
    assert says.loosens() != ()


@pytest.mark.parametrize("variable", configuration.VARIABLES)
def test_a_variable_is_read_somewhere(variable: str) -> None:
    assert re.search(rf'"{variable}"', SOURCES)


def test_the_picture_shows_the_stored_screen() -> None:
    stored = golden.path(picture.SCENE, picture.WIDTH).read_text().replace("▌", "").split("\n")

    assert [row.plain.rstrip() for row in picture.rows()] == [row.rstrip() for row in stored[1:-1]]
    assert picture.KILLED in "\n".join(stored)


def test_the_picture_needs_nothing_else() -> None:
    assert re.findall(r"\w+://[^\s\"']+", picture.draw()) == ["http://www.w3.org/2000/svg"]
