"""What is hidden stays hidden under every path that shows it: a file system may be mounted more than once."""

import os
import subprocess
import sys
import tempfile

import pytest

from tests import ROOT
from tests.system.sandbox.boxes import KINDS, PYTHON, Kind

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="mounting is for root, on Linux"),
]
ATTACK = """
import subprocess, sys
from pathlib import Path
from actors.messages.tool import Grant
from tests.actors.tools.sandboxed import Sandboxed, confined_to

top, kind = Path(sys.argv[1]), sys.argv[2]
home, work = top / "home", top / "work"
for folder in (home / ".ssh", work, top / "tmp", top / "homes", top / "part", top / "works"):
    folder.mkdir(parents=True)
for file in (home / ".ssh" / "id", home / ".netrc", home / "notes.txt", work / "key"):
    file.write_text("private")
for source, place in ((home, "homes"), (home / ".ssh", "part"), (work, "works")):
    subprocess.run(["mount", "--bind", source, top / place], check=True)
environment = {"HOME": str(home), "TMPDIR": str(top / "tmp")}
settings = confined_to(work, home / ".trouper", kind)
with Sandboxed(settings, environment=environment, namespaces=kind != "landlock") as worker:
    line = f"cat {top}/homes/.netrc {top}/homes/.ssh/id {top}/part/id; cat {top}/homes/notes.txt"
    print(worker.level, worker.bash(line).output.count("private"))
    print(worker.bash(f"cat {top}/works/key", grant=Grant(hidden=("key",))).output.count("private"))
"""


@pytest.mark.parametrize("kind", KINDS)
def test_another_mount_shows_no_credential_and_nothing_that_a_rule_hides(kind: Kind) -> None:
    apart = ("unshare", "--mount", "--propagation", "private")
    here = ROOT

    with tempfile.TemporaryDirectory(prefix="trouper-test-", dir="/var/tmp") as top:
        ran = subprocess.run(
            [*apart, PYTHON, "-c", ATTACK, top, kind], cwd=here, capture_output=True, text=True, check=False
        )

    by_a_rule = "1" if kind == "landlock" else "0"  # which cannot hide a file from one command
    assert ran.stdout.splitlines() == [f"{kind} 1", by_a_rule], ran.stderr
