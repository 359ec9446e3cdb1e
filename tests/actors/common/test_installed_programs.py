"""Programs of our own do not come from the workspace."""

from pathlib import Path

import pytest

from actors.common import installed_programs
from actors.confinement.errors import ToolFailed
from actors.tools.helper_programs import need, shell


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the workspace that comes first on the PATH, as that of an activated environment does."""
    folder = tmp_path / "work" / ".venv" / "bin"
    folder.mkdir(parents=True)
    for name in ("bash", "bwrap", "git", "only-here"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:.venv/bin:/usr/bin:/bin")
    return folder


def test_a_program_of_the_workspace_is_passed_over(tmp_path: Path, brought: Path) -> None:
    work = tmp_path / "work"

    assert not Path(shell(work)).is_relative_to(brought)
    assert installed_programs.find("bwrap", work) != str(brought / "bwrap")
    assert installed_programs.find("only-here", work) == ""
    with pytest.raises(ToolFailed, match="only in the workspace"):
        need("only-here", work)


def test_neither_is_one_taken_that_a_link_outside_leads_to(
    tmp_path: Path, brought: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "bash").symlink_to(brought / "bash")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")

    assert Path(shell(tmp_path / "work")).parent in (Path("/usr/bin"), Path("/bin"))


def test_where_all_of_the_machine_is_the_workspace_the_systems_programs_are_found() -> None:
    assert installed_programs.find("sh", Path("/"))


def test_folders_of_the_workspace_come_last_and_keep_their_order(tmp_path: Path) -> None:
    work = tmp_path.resolve()
    path = f"{work}/a:/usr/bin:relative::{work}/b:/bin"

    assert installed_programs.workspaces_last(path, work) == f"/usr/bin:/bin:{work}/a:relative::{work}/b"
    assert installed_programs.outside(path, work) == "/usr/bin:/bin"
