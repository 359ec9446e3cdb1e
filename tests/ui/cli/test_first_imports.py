"""What is imported before the first frame: the standard library, little of it, and few modules of our own."""

import subprocess
import sys

import pytest

from tests import ROOT

MOST = 60
"""Modules, ours and the library's; each costs 0.2 ms or more of the 30 ms until something is on the screen."""
FEW = 25
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

main.prepare(sys.argv[2:], Frame(""))
"""


def imported_before(*arguments: str) -> list[str]:
    """The first frame of `trouper` with these."""
    command = [sys.executable, "-I", "-c", PAINTED, str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_the_first_frame_waits_for_the_standard_library_only() -> None:
    imported = imported_before("why?")

    foreign = {name.partition(".")[0] for name in imported} - sys.stdlib_module_names - {"actors", "supervisor", "ui"}
    assert foreign == set()
    assert "typing" not in imported
    assert len(imported) <= MOST


@pytest.mark.parametrize("arguments", [(), ("-c",), ("--mode", "auto", "--model", "a/b")])
def test_without_more_to_understand_the_first_frame_waits_for_hardly_anything(arguments: tuple[str, ...]) -> None:
    imported = imported_before(*arguments)

    assert {"argparse", "re", "shutil", "enum"}.isdisjoint(imported)
    assert len(imported) <= FEW
