"""What the doctor says of the sandbox and of each protection that was tried."""

import sys
from pathlib import Path
from typing import get_args

import pytest

from actors.messages.system import Protection, Tried
from actors.messages.tool import SandboxLevel
from actors.settings.config import Settings
from ui.common.doctor import sandbox, workspace
from ui.common.doctor.rows import Row


def settings(folder: Path, **more: object) -> Settings:
    return Settings(home=str(folder / "home"), cwd=str(folder), session_id="s", run_id="r", **more)  # type: ignore[arg-type]  # of any of its fields


@pytest.mark.parametrize(
    ("level", "chosen", "state", "advice"),
    [
        ("bubblewrap", "auto", "ok", ""),
        ("namespaces", "auto", "note", "bubblewrap"),
        ("namespaces", "namespaces", "ok", ""),
        ("landlock", "auto", "warning", "user namespaces"),
        ("landlock", "landlock", "warning", 'sandbox = "auto"'),
        ("none", "none", "warning", "--no-sandbox"),
        ("none", "auto", "warning", "user namespaces"),
    ],
)
def test_a_weaker_sandbox_comes_with_the_way_to_a_stronger_one(
    tmp_path: Path, level: SandboxLevel, chosen: str, state: str, advice: str
) -> None:
    found = sandbox.level_row(level, f"{level}: why", settings(tmp_path, sandbox=chosen))

    assert (found.state, found.found.startswith(f"{level}: why")) == (state, True)
    assert ("docker" in found.found) == (level == "landlock"), "what stays open is named"
    assert advice in found.advice


@pytest.mark.parametrize("protection", get_args(Protection))
def test_what_holds_is_told_and_what_does_not_with_what_it_means(protection: Protection) -> None:
    holds = sandbox.protection_row(Tried(protection=protection), "")
    broken = sandbox.protection_row(Tried(protection=protection, through=("/etc/target",)), "")

    assert holds == Row(name=f"sandbox: {protection}", found=sandbox.MEANINGS[protection].holds)
    assert (broken.state, "/etc/target" in broken.found) == ("warning", True)
    assert broken.advice.startswith(sandbox.MEANINGS[protection].means)


def test_what_landlock_leaves_open_is_no_fault_of_it() -> None:
    row = sandbox.protection_row(Tried(protection="processes", through=("process 1",)), 'set sandbox = "auto"')

    assert row.advice.endswith('Landlock alone leaves that open: set sandbox = "auto"')
    assert "report it" not in row.advice


def test_a_workspace_that_trouper_itself_runs_from_is_told_of(tmp_path: Path) -> None:
    inside = settings(Path(sys.prefix).parent.resolve())

    held = workspace.own_rows("bubblewrap", inside)
    open_to_commands = workspace.own_rows("none", inside)

    assert workspace.own_rows("bubblewrap", settings(tmp_path)) == []
    assert [(row.state, "pipx install" in row.advice) for row in held] == [("note", True)]
    assert [(row.state, "could change it" in row.found) for row in open_to_commands] == [("warning", True)]
