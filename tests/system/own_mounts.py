"""Tests that mount small file systems, in a namespace of their own: this machine's mounts are not for tests."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import ROOT

OWN_MOUNTS = "TROUPER_TEST_OWN_MOUNTS"
"""Set where what is mounted is seen by nobody else."""
INSIDE = OWN_MOUNTS in os.environ


def run_inside(request: pytest.FixtureRequest, tmp_path: Path, inner: Callable[..., None], passed: int = 1) -> None:
    """A test of the same file, which is skipped elsewhere. passed: with so many sets of parameters."""
    namespace = ["unshare", "--mount", "--propagation", "private"]
    if subprocess.run([*namespace, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("this system gives nobody mounts of their own")
    command = [*namespace, sys.executable, "-m", "pytest", "-q", "-m", "slow", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [*command, f"{request.path}::{inner.__name__}", f"--basetemp={tmp_path / 'inner'}"],
        cwd=ROOT,
        env={**os.environ, OWN_MOUNTS: "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout
    assert f"{passed} passed" in ran.stdout


@contextmanager
def small(folder: Path, size: str) -> Iterator[None]:
    """A file system of this size there. size: such as 512k."""
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def enlarge(folder: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", folder], check=True)
