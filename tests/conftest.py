"""For all tests: which files are collected, and that no generated example is measured against the clock.

The slow tests alone are collected from the files that have some: every worker would read all the others, too.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """True: it is not even imported. None: as it is without this."""
    if config.option.markexpr != "slow" or not collection_path.name.startswith("test_"):
        return None
    return True if collection_path.is_file() and "mark.slow" not in collection_path.read_text() else None
