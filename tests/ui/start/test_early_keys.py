"""What was kept of early keys is taken by whoever asks, also where the home folder lies on another machine."""

import os
import subprocess
import sys
from pathlib import Path

from tests import ROOT
from ui.start import early_keys

AS_NFS = """
import errno, fcntl, os, sys

def locks_want_writing(event, arguments):
    if event == "fcntl.flock":
        descriptor, operation = arguments
        mode = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE
        if operation & fcntl.LOCK_EX and mode == os.O_RDONLY:
            raise OSError(errno.EBADF, "flock(2), NFS details")

sys.addaudithook(locks_want_writing)

from ui.start import early_keys

os.write(1, early_keys.take(sys.argv[1]))
"""


def test_the_keys_are_taken_where_a_lock_wants_a_file_open_for_writing(tmp_path: Path) -> None:
    kept = tmp_path / "run.screen.typed"
    kept.write_bytes(b"typed early")

    taken = subprocess.run(
        [sys.executable, "-c", AS_NFS, str(tmp_path / "run.screen")], cwd=ROOT, capture_output=True, check=False
    )

    assert (taken.stdout, taken.stderr) == (b"typed early", b"")
    assert not kept.exists()


def test_what_killed_programs_left_goes_and_what_is_new_stays(tmp_path: Path) -> None:
    old, new, other = (tmp_path / name for name in ("a.screen.typed", "b.screen.taken", "a.screen"))
    for path in (old, new, other):
        path.write_text("secret")
    for path in (old, other):
        os.utime(path, (0, 0))

    early_keys.sweep(str(tmp_path / "c.screen"))

    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.screen", "b.screen.taken"]
