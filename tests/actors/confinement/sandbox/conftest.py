"""What tests of the sandbox share."""

from pathlib import Path

import pytest


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """What appears when the program beside it runs, which repositories here name."""
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/mark\n")
    program.chmod(0o755)
    return tmp_path / "mark"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made.resolve()
