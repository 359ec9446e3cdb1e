"""What a tool worker may do, fixed before it hears its first request: files, network, system calls, processes.

`prepare` forks a guardian and confines the worker. Everything here holds for all that the worker starts and cannot be
taken back. Linux; on macOS only the guardian stands (untested there) and the level is "none".
"""

import contextlib
import fcntl
import os
import pwd
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from actors.config import Settings
from actors.tools import guardian, landlock, linux, namespaces, seccomp
from actors.tools.workspace import PROTECTED

Level = Literal["landlock", "none"]
REACHED = "TROUPER_SANDBOX"
"""Environment variable that says what was reached, to us and to the commands."""

SECRETS = (
    *(".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", ".pgpass", ".my.cnf", ".vault-token"),
    *(".git-credentials", ".config/git/credentials", ".config/gh", ".config/hub", ".config/gcloud", ".config/op"),
    *(".pypirc", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".terraform.d"),
    *(".password-store", ".local/share/keyrings", ".local/share/kwalletd", ".bash_history", ".zsh_history"),
    *(".mozilla", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge"),
    *(".thunderbird", ".claude/.credentials.json", ".codex/auth.json", ".local/share/opencode/auth.json"),
)
"""In a home folder; neither read nor written."""
SYSTEM_SECRETS = ("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssl/private")
DOORS = ("/run/docker.sock", "/run/podman", "/run/containerd", "/run/dbus", "/run/snapd.socket", "/run/systemd/private")
"""Unix sockets behind which a process outside does what it is told."""
DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm", "fd")
KEPT_CAPABILITIES = {0, 1, 3, 4, 5, 6, 7, 8, 10}
"""Of root: CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID SETPCAP NET_BIND_SERVICE. Everybody else keeps none."""
LAST_CAPABILITY = 63


@dataclass(frozen=True)
class Reached:
    landlock: int
    """Version; 0: none."""
    seccomp: bool
    network: Literal["own", "denied", "open"]


def describe(reached: Reached) -> str:
    if not (reached.landlock and reached.seccomp):
        return "none: this system has no Landlock or no seccomp filter for this machine"
    network = {"own": "network of its own", "denied": "no network, not even loopback", "open": "network open"}
    return f"landlock {reached.landlock}, seccomp, {network[reached.network]}"


def level(environ: Mapping[str, str] = os.environ) -> Level:
    """Of this process."""
    return "landlock" if environ.get(REACHED, "").startswith("landlock") else "none"


def prepare(settings: Settings, socket_fd: int) -> None:
    """Called in the fresh process, of one thread, before its event loop. Comes back in a new process, the worker."""
    _give_signals_back()
    folder, folder_fd = _private_folder()
    guardian.stand_guard(socket_fd, folder, folder_fd)
    os.environ["TMPDIR"] = str(folder)
    os.environ[REACHED] = describe(_confine(settings, folder) if sys.platform == "linux" else Reached(0, False, "open"))


def _give_signals_back() -> None:
    """An ignored signal stays ignored in the commands; one with a handler becomes the default there."""
    for each in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTSTP):
        signal.signal(each, lambda *_: None)


def _private_folder() -> tuple[Path, int]:
    """For temporary files; and the descriptor whose lock says that it is in use. Removes those nobody uses any more."""
    above = Path(tempfile.gettempdir()) / f"trouper-{os.getuid()}"
    with contextlib.suppress(FileExistsError):  # somebody else's file of that name
        above.mkdir(mode=0o700)
    if above.is_symlink() or not above.is_dir() or above.stat().st_uid != os.getuid():
        above = Path(tempfile.mkdtemp(prefix="trouper-"))
    for old in above.iterdir():
        with contextlib.suppress(OSError):  # in use, or gone meanwhile
            os.close(_lock(old))
            shutil.rmtree(old, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(dir=above)).resolve()
    return folder, _lock(folder)


def _lock(folder: Path) -> int:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _confine(settings: Settings, temporary: Path) -> Reached:
    workspace = Path(settings.cwd).resolve()
    keep = (workspace, temporary, *_interpreter())
    hidden = _hidden(settings)
    own_network = namespaces.enter()
    masked = own_network and _mask(workspace, hidden, keep)
    _give_up_capabilities(KEPT_CAPABILITIES if os.geteuid() == 0 else set())
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    version = landlock.version()
    if version:
        landlock.restrict(_rules(workspace, temporary, () if masked else hidden), tcp=own_network)
    machine = seccomp.here()
    filtered = machine is not None and _filter(machine, internet=own_network)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)  # commands must not read the memory or the environment of their worker
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of privileges may have cleared it
    return Reached(version, filtered, "own" if own_network else "denied" if filtered else "open")


def _give_up_capabilities(kept: set[int]) -> None:
    """A user namespace gave us all of them, over our own files too: a read-only file would not be read-only."""
    for capability in range(LAST_CAPABILITY + 1):
        with contextlib.suppress(OSError):  # not ours to drop, or beyond what this kernel has
            if capability not in kept:
                linux.prctl(linux.PR_CAPBSET_DROP, capability)
    linux.keep_capabilities(kept)


def _hidden(settings: Settings) -> tuple[Path, ...]:
    """What is there of secrets, resolved."""
    homes = {str(Path.home()), pwd.getpwuid(os.getuid()).pw_dir}
    agent = os.environ.get("SSH_AUTH_SOCK")
    candidates = [
        *(Path(home, name) for home in homes for name in SECRETS),
        *map(Path, (*SYSTEM_SECRETS, *DOORS)),
        Path("/run/user", str(os.getuid())),
        Path(tempfile.gettempdir(), f"tmux-{os.getuid()}"),
        *([Path(agent)] if agent else ()),
        Path(settings.home),
    ]
    found = {path.resolve() for path in candidates if _is_there(path)}
    return tuple(sorted(found))


def _is_there(path: Path) -> bool:
    try:
        path.stat()
    except OSError:
        return False  # or out of our reach, which is as good
    return True


def _mask(workspace: Path, hidden: tuple[Path, ...], keep: tuple[Path, ...]) -> bool:
    try:
        for path in hidden:
            namespaces.mask(path, keep)
        for name in PROTECTED:
            if (workspace / name).exists():
                namespaces.make_read_only(workspace / name)
    except OSError:
        return False
    return True


def _rules(workspace: Path, temporary: Path, hidden: tuple[Path, ...]) -> list[tuple[Path, int]]:
    """Where Landlock alone keeps the secrets: a workspace that holds some of them is open as a whole."""
    devices = Path("/dev")
    readable = landlock.beside((*hidden, devices), Path("/"))
    return [
        (Path("/"), landlock.READ_DIR),
        *((path, landlock.LOOK) for path in (*readable, *_interpreter())),
        *((devices / name, landlock.USE_DEVICE) for name in DEVICES),
        (devices / "shm", landlock.LOOK | landlock.CHANGE),
        *((path, landlock.LOOK | landlock.CHANGE) for path in (workspace, temporary)),
    ]


def _interpreter() -> tuple[Path, ...]:
    """This Python and what it imports, wherever that is."""
    places = {Path(place).resolve() for place in (sys.prefix, sys.base_prefix, *sys.path) if Path(place).is_absolute()}
    return tuple(sorted(place for place in places if _is_there(place)))


def _filter(machine: seccomp.Machine, *, internet: bool) -> bool:
    try:
        seccomp.install(seccomp.program(machine, internet=internet))
    except OSError:
        return False
    return True
