"""Boxes for attacks: a home with secrets, a workspace beside it, and a worker of one level that may change only that.

As root each level is tried as an ordinary user, too.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from actors.confinement.processes.resource_watch import Bounds
from actors.messages.tool import Grant
from actors.settings import credential_files
from actors.settings.config import WorkerKind
from actors.tools.base import NOTHING, Outcome
from tests.actors.tools import sandboxed
from tests.actors.tools.sandboxed import Sandboxed, confined_to

PYTHON = sys.executable
NOBODY = 65534
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--")
Kind = Literal["bubblewrap", "namespaces", "landlock"]
KINDS: tuple[Kind, ...] = ("bubblewrap", "namespaces", "landlock")
"""landlock: on a system that allows no namespaces."""
OPEN = (".bashrc", "dotfiles/bashrc", "notes.txt")
"""Files of the home that every command may read."""


@dataclass(frozen=True)
class Box:
    home: Path
    workspace: Path
    worker: Sandboxed
    kind: Kind
    tmux: Path
    """Where tmux would have its socket."""

    @property
    def masked(self) -> bool:
        """Its commands have namespaces and a view of the files of their own."""
        return self.kind != "landlock"

    def bash(self, command: str, grant: Grant = NOTHING) -> Outcome:
        return self.worker.bash(command, grant=grant)

    def outside(self) -> dict[str, tuple[str, int]]:
        """All files of the home: what is in them and their mode."""
        files = [path for path in self.home.rglob("*") if path.is_file()]
        return {str(path): (path.read_text(), path.stat().st_mode) for path in files}


def boxes() -> list[Any]:
    """Parameters of a fixture: every level that there may be, as every user we can be."""
    users = ("root", "ordinary user") if os.geteuid() == 0 else ("ordinary user",)
    return [pytest.param((kind, user), id=f"{kind}, {user}") for kind in KINDS for user in users]


@contextmanager
def opened(kind: Kind, user: str, bounds: Bounds | None = None, worker: WorkerKind = "") -> Iterator[Box]:
    """worker: what it is for. Skips the test where there is no such level, or no such user."""
    runner = AS_NOBODY if user != "root" and os.geteuid() == 0 else ()
    if runner and not _can_run(runner):
        pytest.skip("this Python cannot be run by an ordinary user here")
    # not below /tmp, which commands do not see, and not below pytest's folder, which is closed to others
    top = Path(tempfile.mkdtemp(prefix="trouper-test-", dir="/var/tmp")).resolve()
    try:
        home, workspace = _furnish(top)
        tmux = top / "tmp" / f"tmux-{NOBODY if runner else os.getuid()}"
        tmux.mkdir()
        if runner:
            for path in (top, *top.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
        environment = {"HOME": str(home), "TMPDIR": str(top / "tmp"), "OPENAI_API_KEY": "hunter2"}
        with Sandboxed(
            confined_to(workspace, home / ".trouper", kind, worker),
            environment=environment,
            namespaces=kind != "landlock",
            bounds=bounds,
            runner=runner,
        ) as opened_worker:
            if opened_worker.level != kind:
                pytest.skip(f"this system has only {opened_worker.detail}")
            yield Box(home, workspace, opened_worker, kind, tmux)
    finally:
        shutil.rmtree(top)


def _furnish(top: Path) -> tuple[Path, Path]:
    home, workspace = top / "home", top / "workspace"
    for folder in (home / ".ssh", home / ".trouper" / "run", workspace / "src", top / "tmp"):
        folder.mkdir(parents=True)
    credentials = [name for name in credential_files.paths(credential_files.HOME) if name != ".ssh"]
    for name in (".ssh/id", "dotfiles/key", "dotfiles/keys/key", *credentials, ".trouper/trouper.db", *OPEN):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("private")
    (home / ".ssh" / "linked").symlink_to("../dotfiles/key")
    (home / ".ssh" / "keys").symlink_to(home / "dotfiles" / "keys")
    subprocess.run(["git", "init", "-q", "--template=", workspace], check=True)  # without hooks
    return home, workspace


def _can_run(runner: tuple[str, ...]) -> bool:
    """The checkout may be closed to others, too. By way of a shell: the runner itself starts what only root reaches."""
    reads = f"import trio; open({sandboxed.__file__!r})"
    program = ("sh", "-c", 'exec "$0" "$@"', PYTHON, "-c", reads)
    try:
        return subprocess.run([*runner, *program], capture_output=True, check=False).returncode == 0
    except OSError:
        return False
