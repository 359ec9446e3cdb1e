"""A copy of a repository is judged as any workspace, and the rest of TROUPER_HOME, where it lies, stays closed."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.actors.gate.cases import around, judged

HOME = Path("/users/home")
COPY = HOME / "worktrees" / "s.1" / "project"


def verdict(workspace: Path, tool: str, path: Path) -> str:
    context = replace(around(workspace, "auto"), home=HOME)
    return judged(context, tool, path=str(path)).decision.verdict


@pytest.mark.parametrize(
    ("workspace", "path", "reading", "writing"),
    [
        (COPY, COPY / "src" / "a.py", "allow", "allow"),
        (COPY, COPY / ".git" / "config", "allow", "deny"),
        (COPY, COPY / ".trouper" / "config.toml", "allow", "deny"),
        (COPY, COPY.parent / "note", "deny", "deny"),
        (COPY, COPY.parent / "git" / "config", "deny", "deny"),
        (COPY, HOME / "worktrees" / "s.2" / "project" / "a.py", "deny", "deny"),
        (COPY, HOME / "config.toml", "deny", "deny"),
        (COPY / "src", COPY / "a.py", "deny", "deny"),
        (HOME / "worktrees", COPY / "a.py", "deny", "deny"),
        (HOME / "worktrees" / "s.1" / "git", HOME / "worktrees" / "s.1" / "git" / "config", "deny", "deny"),
        (HOME / "sessions", HOME / "sessions" / "a", "deny", "deny"),
        (Path("/work"), COPY / "a.py", "deny", "deny"),
    ],
)
def test_only_the_workspace_itself_is_open(workspace: Path, path: Path, reading: str, writing: str) -> None:
    assert (verdict(workspace, "read", path), verdict(workspace, "write", path)) == (reading, writing)
