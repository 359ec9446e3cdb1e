"""What a worker's view of the files is made of: what is hidden, what stays in spite of that, what is writable."""

import os
import pwd
import stat
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from actors.config import Settings
from actors.secrets import SECRETS, SYSTEM_SECRETS
from actors.tools.sandbox.git_places import linked

DOORS = ("/run/docker.sock", "/run/podman", "/run/containerd", "/run/dbus", "/run/snapd.socket", "/run/systemd/private")
"""Unix sockets behind which a process outside does what it is told."""
RUN = Path("/run")
KEPT_IN_RUN = (
    *("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"),
    *("/run/current-system", "/run/booted-system", "/run/opengl-driver"),
)
"""Who answers names, and where NixOS has its programs."""
TEMPORARY = Path("/tmp")  # noqa: S108  # commands have one of their own there
WORKERS_TEMPORARY, WORKERS_SHARED_MEMORY = "tmp", "shm"
"""In the worker's private folder: what its commands see as /tmp and /dev/shm."""


@dataclass(frozen=True)
class Places:
    """All absolute, symlinks resolved, and there."""

    workspace: Path
    temporary: Path
    """The worker's private folder."""
    repository: Path | None
    """Outside, of a workspace that is a linked worktree: commits go there."""
    hidden: tuple[Path, ...]
    kept: tuple[Path, ...]
    """To be seen although it lies in something hidden."""


def of(settings: Settings, temporary: Path) -> Places:
    workspace = Path(settings.cwd).resolve()
    hidden = (*_secrets(settings), *_doors())
    repository = linked(workspace)
    kept = (workspace, temporary, *([repository] if repository else ()), *interpreter())
    return Places(workspace, temporary, repository, _there(hidden), kept)


def writable(places: Places) -> tuple[Path, ...]:
    return (places.workspace, places.temporary, *([places.repository] if places.repository else ()))


def of_web(settings: Settings, temporary: Path) -> Places:
    """Nothing of the user's is to be seen."""
    hidden = (*_secrets(settings), *_doors(), *_homes(), Path(settings.cwd))
    return Places(temporary, temporary, None, _there(hidden), (temporary, *interpreter()))


def kept_in_run(kept: Iterable[Path]) -> tuple[Path, ...]:
    return (*_there(map(Path, KEPT_IN_RUN)), *kept)


def kept_in_temporary(kept: Iterable[Path]) -> tuple[Path, ...]:
    """A home folder in /tmp stays, and programs there; other people's and programs' files do not."""
    programs = [Path(place) for place in os.environ.get("PATH", "").split(":") if Path(place).is_absolute()]
    return (*_there((*_homes(), *programs)), *kept)


def interpreter() -> tuple[Path, ...]:
    """This Python and what it imports, wherever that is."""
    return _there(Path(place) for place in (sys.prefix, sys.base_prefix, *sys.path) if Path(place).is_absolute())


def _secrets(settings: Settings) -> list[Path]:
    in_homes = [home / name for home in _homes() for name in SECRETS]
    return [*in_homes, *map(Path, SYSTEM_SECRETS), Path(settings.home)]


def _doors() -> list[Path]:
    agent = os.environ.get("SSH_AUTH_SOCK")
    user = os.getuid()
    tmux = Path(tempfile.gettempdir(), f"tmux-{user}")
    return [*map(Path, DOORS), Path("/run/user", str(user)), tmux, *([Path(agent)] if agent else ())]


def _homes() -> set[Path]:
    return {Path.home(), Path(pwd.getpwuid(os.getuid()).pw_dir)} - {Path("/")}


def _there(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Those that there are, resolved, each once."""
    return tuple(sorted({path.resolve() for path in paths if _is_there(path)}))


def _is_there(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False  # or out of our reach, which is as good
    return not stat.S_ISCHR(mode)  # masked already, by a sandbox around this one
