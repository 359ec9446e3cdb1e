"""A workspace with checkpoints."""

from pathlib import Path

import pytest

from tests.actors.checkpoints.places import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)
