"""A place of its own for every system test, empty of processes when the test is over."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.harness import Place


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    yield place
    place.close()
    assert place.left() == []
