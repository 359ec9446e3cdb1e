"""What a tool worker may do, fixed before it hears its first request: files, network, system calls, processes.

`prepare` forks a guardian and confines the worker. Everything here holds for all that the worker starts and cannot be
taken back. See `levels` for how strong it is. Linux; on macOS single commands are confined, see `macos`.
"""

import contextlib
import fcntl
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from actors import installed
from actors.config import Settings
from actors.tools import limits
from actors.tools.processes import Confinement, Guard
from actors.tools.sandbox import (
    environment,
    git_places,
    guardian,
    landlock,
    levels,
    linux,
    namespaces,
    networked,
    places,
    probe,
    seccomp,
)
from actors.tools.sandbox.bubblewrap import Bubblewrap
from actors.tools.sandbox.git_guard import Inside, Outside
from actors.tools.sandbox.levels import REACHED, Reached
from actors.tools.sandbox.mount_points import MountPoints
from actors.tools.sandbox.places import Places

DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm", "fd")
KEPT_CAPABILITIES = {0, 1, 3, 4, 5, 6, 7, 8, 10}
"""Of root: CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID SETPCAP NET_BIND_SERVICE. Everybody else keeps none."""
BUBBLEWRAPS_CAPABILITIES = KEPT_CAPABILITIES | {12, 18, 21}
"""Of root, where it starts bubblewrap: NET_ADMIN SYS_CHROOT SYS_ADMIN as well. They end there."""
LAST_CAPABILITY = 63
MORE_LIKELY_ENDED = "300"
"""When the machine runs out of memory: before anything that holds the session."""
BEGAN = "TROUPER_BEGAN"
"""Variable with the time at which the session did."""


def prepare(settings: Settings, socket_fd: int) -> None:
    """Called in the fresh process, of one thread, before its event loop. Comes back in a new process, the worker."""
    _give_signals_back()
    if _is_the_way_out(settings):
        os.environ[BEGAN] = str(_began(os.getppid()))
        _trust_no_programs(Path(settings.cwd).resolve())
    folder, folder_fd = _private_folder()
    confined = settings.worker in ("", "network") and settings.sandbox != "none"
    mount_points = MountPoints(Path(settings.cwd).resolve() if confined else None)

    def clean_up() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        mount_points.remove()

    guardian.stand_guard(socket_fd, {folder_fd, *mount_points.descriptors}, clean_up)
    _bound()
    os.environ[REACHED] = levels.describe(_confine(settings, folder))
    os.environ[environment.CONFIGURED] = " ".join(settings.environment)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None


def commands(settings: Settings) -> Confinement | None:
    """What each command is put into beside what holds for its worker; asked in a worker that was prepared."""
    workspace, temporary = Path(settings.cwd).resolve(), Path(tempfile.gettempdir())
    if levels.level() == "bubblewrap":
        return Bubblewrap.here(workspace, temporary)
    wanted = settings.worker in ("", "network") and settings.sandbox != "none"
    if sys.platform == "darwin" and wanted:
        from actors.tools.sandbox import macos  # nowhere else is it of use

        if not Path(macos.SANDBOX_EXEC).exists():
            return None
        return macos.Seatbelt(workspace, temporary, places.of(settings, temporary).hidden)
    return None


def guard(settings: Settings) -> Guard | None:
    """Of what commands leave for a git outside; asked in a worker that was prepared."""
    workspace = Path(settings.cwd).resolve()
    if _is_the_way_out(settings):
        return Outside(workspace, float(os.environ[BEGAN]))
    return Inside(workspace) if levels.level() != "none" else None


def _is_the_way_out(settings: Settings) -> bool:
    """Its commands run without the sandbox that others have."""
    return settings.worker == "none" and settings.sandbox != "none"


def _began(supervisor: int) -> float:
    import psutil  # 25 ms, and few workers need it

    return psutil.Process(supervisor).create_time()


def _trust_no_programs(workspace: Path) -> None:
    """Commands in the sandbox can write what the workspace brings."""
    os.environ["PATH"] = installed.workspaces_last(os.environ.get("PATH", os.defpath), workspace)
    if libraries := installed.outside(os.environ.pop("LD_LIBRARY_PATH", ""), workspace):
        os.environ["LD_LIBRARY_PATH"] = libraries


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


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(MORE_LIKELY_ENDED)


def _confine(settings: Settings, temporary: Path) -> Reached:
    if sys.platform != "linux":
        return Reached(
            "none", missing="what confines commands on this system was never tested, so nothing relies on it"
        )
    if settings.worker == "web":
        return _landlock(places.of_web(settings, temporary), network=True)
    if settings.worker == "none" or settings.sandbox == "none":
        return Reached("none", missing="it is switched off for this worker")
    view = places.of(settings, temporary)
    missing = "settings ask for no more" if settings.sandbox == "landlock" else _why_no_bubblewrap(settings, view)
    if not missing:
        return _bubblewrap(view)
    reached = _landlock(view, network=settings.worker == "network")
    return Reached(reached.level, reached.landlock, reached.network, missing=f"no bubblewrap: {missing}")


def _why_no_bubblewrap(settings: Settings, view: Places) -> str:
    """Found out by trying, once for each start of the machine. "" when it works."""

    def attempt() -> str:
        _enter_bubblewrap(view)
        made = Bubblewrap.here(view.workspace, view.temporary)
        return probe.run_true(made) if made is not None else "nothing to run"

    if Bubblewrap.here(view.workspace, view.temporary) is None:
        return "bwrap is not installed, or there is no seccomp filter for this machine"
    return probe.why_not(Path(settings.home), Bubblewrap.installed(view.workspace), attempt)


def _bubblewrap(view: Places) -> Reached:
    """Raises OSError: what worked before does not work now; the next worker tries anew."""
    _enter_bubblewrap(view)
    _settle()
    return Reached("bubblewrap", network="own")


def _enter_bubblewrap(view: Places) -> None:
    """Raises OSError."""
    if not namespaces.enter(network=True):
        raise PermissionError("namespaces of its own are not allowed here")
    for name in (places.WORKERS_TEMPORARY, places.WORKERS_SHARED_MEMORY):
        (view.temporary / name).mkdir(exist_ok=True)
    for path in view.hidden:
        namespaces.mask(path, view.kept)
    if places.RUN.is_dir():
        namespaces.mask(places.RUN, places.kept_in_run(view.kept))
    private = view.temporary / places.WORKERS_TEMPORARY
    namespaces.cover(places.TEMPORARY, private, places.kept_in_temporary(view.kept))
    for path in places.writable(view):
        namespaces.make_own_mount(path)
    writable = (*places.writable(view), Path("/proc"))
    namespaces.make_all_read_only_but(writable, places.TEMPORARY, view.hidden)
    _protect(view.workspace)
    networked.stay(_without_privileges)
    namespaces.leave_network()
    _without_privileges()


def _without_privileges() -> None:
    """Of this thread, but for those that bubblewrap needs of root."""
    _give_up_capabilities(BUBBLEWRAPS_CAPABILITIES if os.geteuid() == 0 else set())
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)


def _landlock(view: Places, *, network: bool) -> Reached:
    own = namespaces.enter(network=network)
    masked = own and _mask(view)
    _give_up_capabilities(KEPT_CAPABILITIES if os.geteuid() == 0 else set())
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    version = landlock.version()
    if version:
        landlock.restrict(_rules(view, () if masked else view.hidden), tcp=own or network)
    machine = seccomp.here()
    filtered = machine is not None and _filter(machine, internet=own or network)
    _settle()
    if not (version and filtered):
        return Reached("none", missing="this system has no Landlock or no seccomp filter for this machine")
    return Reached("landlock", version, "open" if network else "own" if own else "denied")


def _settle() -> None:
    if os.geteuid() != 0 and _counts_apart():
        resource.setrlimit(resource.RLIMIT_NPROC, (limits.PROCESSES, limits.PROCESSES))
    linux.prctl(linux.PR_SET_DUMPABLE, 0)  # commands must not read the memory or the environment of their worker
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of privileges may have cleared it


def _counts_apart() -> bool:
    """In a user namespace of its own, from Linux 5.14 on: else all processes of the user would count."""
    numbers = re.match(r"(\d+)\.(\d+)", os.uname().release)
    version = tuple(map(int, numbers.groups())) if numbers else (0, 0)
    return version >= (5, 14) and "4294967295" not in Path("/proc/self/uid_map").read_text()


def _give_up_capabilities(kept: set[int]) -> None:
    """A user namespace gave us all of them, over our own files too: a read-only file would not be read-only."""
    for capability in range(LAST_CAPABILITY + 1):
        with contextlib.suppress(OSError):  # not ours to drop, or beyond what this kernel has
            if capability not in kept:
                linux.prctl(linux.PR_CAPBSET_DROP, capability)
    linux.keep_capabilities(kept)


def _mask(view: Places) -> bool:
    try:
        for path in view.hidden:
            namespaces.mask(path, view.kept)
        _protect(view.workspace)
    except OSError:
        return False
    return True


def _protect(workspace: Path) -> None:
    """`.git` cannot be moved away either, and something else put in its place."""
    if (workspace / ".git").is_dir():
        namespaces.make_own_mount(workspace / ".git")
    for path in git_places.protected(workspace):
        namespaces.make_read_only(path)


def _rules(view: Places, hidden: tuple[Path, ...]) -> list[tuple[Path, int]]:
    """hidden: where Landlock alone keeps the secrets. Then a workspace that holds some of them is open as a whole, and
    a repository elsewhere stays closed, for its hooks would be open.
    """
    writable = (view.workspace, view.temporary) if hidden else places.writable(view)
    devices = Path("/dev")
    readable = landlock.beside((*hidden, devices), Path("/"))
    return [
        (Path("/"), landlock.READ_DIR),
        *((path, landlock.LOOK) for path in (*readable, *places.interpreter())),
        *((devices / name, landlock.USE_DEVICE) for name in DEVICES),
        (devices / "shm", landlock.LOOK | landlock.CHANGE),
        *((path, landlock.LOOK | landlock.CHANGE) for path in writable),
    ]


def _filter(machine: seccomp.Machine, *, internet: bool) -> bool:
    try:
        seccomp.install(seccomp.program(machine, internet=internet))
    except OSError:
        return False
    return True
