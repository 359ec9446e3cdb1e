"""The second session of an installation reads the code of its modules from one file; the first has written it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT
from tests.system.harness import until

pytestmark = pytest.mark.slow
FEW = 40
"""Files that Python opens for code although all is kept: what is imported before the first frame, and the program."""
NOTES = """
import os, sys

os.close(os.open({file!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))

def note(event, given):
    if event == "open" and str(given[0]).endswith(".pyc"):
        file = os.open({file!r}, os.O_WRONLY | os.O_APPEND)
        os.write(file, (str(given[0]) + "\\n").encode())
        os.close(file)

sys.addaudithook(note)
"""


class Installation:
    def __init__(self, top: Path) -> None:
        self.top = top
        for package in ("actors", "supervisor", "ui"):
            shutil.copytree(ROOT / package, top / package, ignore=shutil.ignore_patterns("__pycache__"))
        for folder in ("home", "work", "site"):
            (top / folder).mkdir()
        (top / "site" / "sitecustomize.py").write_text(NOTES.format(file=str(top / "opened")))
        (top / "script.json").write_text('{"end": {"text": "Good morning."}}')

    @property
    def kept(self) -> list[Path]:
        return sorted((self.top / "actors/common/lean").glob("__pycache__/*.all*"))

    def wait_for_file(self) -> Path:
        """On a machine that is busy the first session does not wait for it to the end."""
        until(lambda: [path.suffix for path in self.kept] == [".all"])
        return self.kept[0]

    def run(self, **environment: str) -> list[str]:
        """The codes that Python opened for one turn."""
        (self.top / "opened").unlink(missing_ok=True)
        passed = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        own = {"HOME": str(self.top / "home"), "PYTHONPATH": str(self.top / "site")}
        ran = subprocess.run(
            [
                *(sys.executable, "-P", str(self.top / "ui" / "launch.py")),
                *("--model", f"scripted:{self.top / 'script.json'}", "-p", "hello"),
            ],
            env=passed | own | environment,
            cwd=self.top / "work",
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout == "Good morning.\n"
        return (self.top / "opened").read_text().splitlines()


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path.resolve())


@pytest.mark.parametrize("way", ["fork", "exec"])
def test_the_second_session_opens_one_file(installation: Installation, way: str) -> None:
    first = installation.run(TROUPER_SPAWN=way)
    kept = installation.wait_for_file()
    written = kept.stat()
    second = installation.run(TROUPER_SPAWN=way)

    assert len(first) > 10 * FEW
    assert len(set(second)) < FEW
    assert kept.stat().st_ino == written.st_ino


def test_one_that_was_changed_runs_what_it_is_now(installation: Installation) -> None:
    installation.run()
    installation.wait_for_file()
    changed = installation.top / "actors" / "providers" / "scripted.py"
    changed.write_text(changed.read_text() + "\n# changed\n")

    assert [path for path in installation.run() if "scripted" in path] != []


def test_one_that_cannot_be_written_to_goes_on_as_ever(installation: Installation) -> None:
    installation.run(PYTHONDONTWRITEBYTECODE="1")

    assert installation.kept == []
