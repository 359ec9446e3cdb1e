"""For all tests: which files are collected, that no generated example is measured against the clock, and that none
takes away what another may use.

The slow tests alone are collected from the files that have some: every worker would read all the others, too.
"""

import sys
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


def pytest_runtest_setup() -> None:
    """A test of texts that are made to be slow spends the time that the next one has for its own."""
    for name in ("code", "prose", "word_marks"):
        if module := sys.modules.get(f"ui.screen.transcript.{name}"):
            allowance = module._ALLOWANCE
            allowance._left = allowance._together
