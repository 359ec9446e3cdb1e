"""The private folder of a worker: what its commands may have left in it is removed."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

LIKE_ANYBODY = (
    "from actors.confinement.sandbox.kernel import system_calls; system_calls.keep_capabilities(set(), set())\n"
)
"""Root reads and writes what is closed to everybody."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no way to give up what root may")


def run(script: str, temporary: Path) -> None:
    said(script, temporary)


def said(script: str, temporary: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    imports = "from pathlib import Path; from actors.confinement.sandbox.view import private_folder\n"
    command = [sys.executable, "-c", LIKE_ANYBODY + imports + script]
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def closed(folder: Path, beside: Path) -> Path:
    """With folders in it that nobody may read or write, and links out of it."""
    (folder / "a/b").mkdir(parents=True)
    for inside in (folder, folder / "a", folder / "a/b"):
        (inside / "file").touch()
        (inside / "link").symlink_to(beside)
    for inside, mode in ((folder / "a/b", 0), (folder / "a", 0o555), (folder, 0)):
        inside.chmod(mode)
    return folder


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """Read-only, with a file in it."""
    made = tmp_path / "beside"
    made.mkdir()
    (made / "kept").touch()
    made.chmod(0o555)
    return made


def test_folders_that_commands_have_closed_are_removed_and_nothing_that_links_lead_to(
    tmp_path: Path, beside: Path
) -> None:
    folder = closed(tmp_path / "own", beside)

    run(f"private_folder.removal.remove(Path({str(folder)!r}))", tmp_path)

    assert not folder.exists()
    assert ((beside / "kept").exists(), stat.S_IMODE(beside.stat().st_mode)) == (True, 0o555)


def test_one_that_was_left_closed_is_removed_by_the_next_worker(tmp_path: Path, beside: Path) -> None:
    left = closed(tmp_path / f"trouper-{os.getuid()}" / "left", beside)
    instead = left.parent / "link"
    instead.symlink_to(beside)
    left.parent.chmod(0)

    run("private_folder.of_worker()", tmp_path)

    assert not left.exists()
    assert ((beside / "kept").exists(), stat.S_IMODE(beside.stat().st_mode)) == (True, 0o555)


def test_between_two_lives_it_is_kept_for_as_long_as_its_session_lives(tmp_path: Path) -> None:
    begin = f"folder = private_folder.of_session('s', {os.getpid()}); (folder.part / 'x').touch()"
    brief = "import os; private_folder.of_session('s', os.getpid())"

    run(begin, tmp_path)
    run(brief, tmp_path)
    run("private_folder.of_worker()", tmp_path)

    parts = (tmp_path / f"trouper-{os.getuid()}").glob("*/tmp")
    assert sorted(bool(list(part.iterdir())) for part in parts) == [False, True]


def test_the_last_one_who_leaves_removes_it(tmp_path: Path) -> None:
    script = """
import os
first = private_folder.of_session('s', os.getppid())
second = private_folder.shared(str(first.part))
first.leave()
print(second.part.exists())
second.leave()
print(second.path.exists())
"""

    assert said(script, tmp_path) == "True\nFalse\n"


def test_nobodys_folder_is_shared(tmp_path: Path) -> None:
    (tmp_path / "other" / "tmp").mkdir(parents=True)

    with pytest.raises(subprocess.CalledProcessError):
        run(f"private_folder.shared({str(tmp_path / 'other' / 'tmp')!r})", tmp_path)
