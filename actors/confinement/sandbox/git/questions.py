"""What git says of a repository's settings, asked so that nothing of the repository is run."""

import os
import subprocess
from pathlib import Path

from actors.confinement.errors import ToolFailed
from actors.confinement.sandbox import environment

PATIENCE_S = 5.0


def output(git: str, folder: Path, *arguments: str) -> str:
    """ "" when it fails. Raises ToolFailed, OSError."""
    argv = [git, "-c", "core.fsmonitor=false", "-c", "safe.bareRepository=all", *arguments]
    here = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | environment.LOOKING
    try:
        ran = subprocess.run(argv, cwd=folder, env=here, capture_output=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise ToolFailed(f"git took too long to say what it would run in {folder}.") from error
    return ran.stdout.decode(errors="surrogateescape") if ran.returncode == 0 else ""


def listed(git: str, top: Path) -> list[tuple[Path, str, str]]:
    """File, name and value of all settings in force in a repository that stand in a file."""
    fields = output(git, top, "config", "--list", "--show-origin", "-z").split("\0")
    pairs = zip(fields[::2], fields[1::2], strict=False)
    return [
        (top / origin.removeprefix("file:"), *setting.partition("\n")[::2])
        for origin, setting in pairs
        if origin.startswith("file:")
    ]
