"""Real repositories for tests: git with an author, a date and a branch of its own, and no settings of this machine."""

import os
import subprocess
from pathlib import Path

WHEN = "2024-05-06T07:08:09+00:00"
SETTINGS = (
    *("-c", "user.name=Ann", "-c", "user.email=ann@example.com"),
    *("-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"),
)


def git(folder: Path, *words: str) -> str:
    """What it prints. Raises CalledProcessError."""
    dates = {"GIT_AUTHOR_DATE": WHEN, "GIT_COMMITTER_DATE": WHEN}
    done = subprocess.run(
        ["git", *SETTINGS, *words],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "HOME": "/nowhere", **dates},
    )
    return done.stdout.strip()
