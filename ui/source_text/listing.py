"""The names of the files in a folder that ignore files leave, by ripgrep, which follows no symlink."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from actors.common import installed_programs
from ui.source_text.source_file import CannotCollect

OPTIONS = (
    *("--files", "--no-config", "--hidden", "--null", "--no-require-git", "--no-messages", "--no-follow"),
    *("--glob", "!.git", "--color=never"),
)
MOST_BYTES = 64 * 1024 * 1024
"""Of all names."""
WITHIN_S = 120.0


def names(root: Path, below: Sequence[str]) -> list[bytes]:
    """Relative to the root, in order. below: relative, too; none: all. Raises CannotCollect."""
    rg = installed_programs.ripgrep(root)
    if not rg:
        raise CannotCollect("ripgrep (rg) is missing, by which files are found. Reinstall Trouper.")
    argv = [rg, *OPTIONS, "--", *(f"./{each}" for each in below or ("",))]
    try:
        ran = subprocess.run(
            argv, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, timeout=WITHIN_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise CannotCollect(f"The files of {root} could not be listed within {WITHIN_S:.0f} s.") from error
    return sorted({name.removeprefix(b"./") for name in ran.stdout.split(b"\0") if name})
