"""A repository with worktrees."""

from pathlib import Path

import pytest

from tests.actors.checkpoints.worktrees.copies import Copies


@pytest.fixture
def copies(tmp_path: Path) -> Copies:
    return Copies(tmp_path)
