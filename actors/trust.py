"""Whether a file of the workspace is the user's own, or may have come with what somebody else wrote."""

import os
import stat
import subprocess
from pathlib import Path

from actors.installed import find


def why_not_trusted(path: Path) -> str:
    """ "" for the user's own, though it need not be there yet. The folder it is in counts, too."""
    try:
        if path.is_symlink() or path.parent.is_symlink():
            return "it is, or is in, a symlink"
        for one in (path, path.parent) if path.exists() else (path.parent,):
            found = one.stat()
            if found.st_uid != os.getuid():
                return f"{one} belongs to somebody else"
            if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                return f"others may write to {one}: chmod go-w {one}"
    except OSError as error:
        return f"it cannot be looked at: {error}"
    return _tracked(path) if _is_in_repository(path) else ""


def _is_in_repository(path: Path) -> bool:
    return any(os.path.lexists(folder / ".git") for folder in path.parents)


def _tracked(path: Path) -> str:
    """Asked of the repository that its own folder belongs to; nothing of that repository's config is run."""
    git = find("git", path.parent.parent.resolve())
    command = (
        git or "git is not installed",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "-C",
        str(path.parent),
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        code = subprocess.run(
            (*command, "ls-files", "--error-unmatch", "--", f":(icase){path.name}"),
            env={**environment, "GIT_OPTIONAL_LOCKS": "0"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=10,
            check=False,
        ).returncode
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"git cannot be asked whether it is committed: {error}"
    if code == 0:
        return f"git tracks it, so others may have written it: git rm --cached {path}"
    return "" if code == 1 else "git cannot tell whether it is committed"
