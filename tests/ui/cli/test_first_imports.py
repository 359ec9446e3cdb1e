"""What is imported before the first frame: the standard library, little of it, and few modules of our own."""

import subprocess
import sys

from tests import ROOT

MOST = 60
"""Modules, ours and the library's; each costs 0.2 ms or more of the 30 ms until something is on the screen."""
PAINTED = """
import sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
from ui.cli import main
from ui.start.launch_state import Launch

class Frame(Launch):
    def paint(self, cwd):
        from actors.version import VERSION
        from supervisor.terminal import Terminal
        from ui.start import first_frame
        print(*sorted(set(sys.modules) - before))
        sys.stdout.flush()
        sys.exit()

main.prepare(["why?"], Frame(""))
"""


def test_the_first_frame_waits_for_the_standard_library_only() -> None:
    command = [sys.executable, "-I", "-c", PAINTED, str(ROOT)]

    imported = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    foreign = {name.partition(".")[0] for name in imported} - sys.stdlib_module_names - {"actors", "supervisor", "ui"}
    assert foreign == set()
    assert "typing" not in imported
    assert len(imported) <= MOST
