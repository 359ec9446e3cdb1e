"""Where ripgrep is, and the options that every search has."""

import sys
import sysconfig
from functools import cache
from pathlib import Path

from actors.common.installed_programs import find
from actors.tools.errors import ToolFailed

COMMON = ("--no-config", "--color=never", "--hidden", "--glob=!.git", "--sort=path")


@cache
def ripgrep(workspace: Path) -> str:
    """From the wheel, beside this interpreter, else on the PATH. Raises ToolFailed."""
    # the interpreter of a virtual environment is a symlink: its own folder is meant, not the target's
    for folder in (Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))):
        if (folder / "rg").exists():
            return str(folder / "rg")
    if found := find("rg", workspace):
        return found
    raise ToolFailed("ripgrep (rg) is missing. Reinstall Trouper, or use bash with find and grep.")
