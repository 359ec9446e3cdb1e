"""What coding models do every day is asked about where that is wanted, and nowhere else."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.messages.tool import Mode, SandboxLevel
from tests.actors.gate.cases import around, run
from tests.actors.gate.rules.everyday import Row, rows

ROWS = rows()
MODES: tuple[Mode, ...] = ("default", "accept-edits", "auto")


@pytest.fixture(scope="module")
def project() -> Iterator[Path]:
    """A repository; not in the temporary folder, of which commands have one of their own."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        project = Path(folder).resolve() / "project"
        (project / ".git").mkdir(parents=True)
        yield project


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nowhere/user")


def answer(project: Path, mode: Mode, level: SandboxLevel, command: str) -> str:
    decision = run(around(project, mode, level=level), command).decision
    return "ask every time" if decision.strong else decision.verdict


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.command)
def test_each_is_answered_as_wanted(project: Path, row: Row) -> None:
    assert tuple(answer(project, mode, "bubblewrap", row.command) for mode in MODES) == row.wanted


@pytest.mark.parametrize("row", [row for row in ROWS if "/tmp" not in row.command], ids=lambda row: row.command)
def test_without_bubblewrap_too(project: Path, row: Row) -> None:
    assert tuple(answer(project, mode, "namespaces", row.command) for mode in MODES) == row.wanted


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.command)
def test_without_a_sandbox_all_of_them_ask(project: Path, row: Row) -> None:
    found = {answer(project, mode, "none", row.command) for mode in MODES}

    assert found <= ({"deny"} if "deny" in row.wanted else {"ask", "ask every time"})
