"""What a tool worker may do, fixed before it hears its first request: files, network, system calls, processes.

`prepare` forks a guardian and confines the worker. Everything here holds for all that the worker starts and cannot be
taken back. See `levels` for how strong it is. Linux; on macOS single commands are confined, see `macos`.
"""

import contextlib
import os
import re
import resource
import signal
import sys
import tempfile
from functools import cache
from pathlib import Path

from actors.common import installed_programs, locks, own_code
from actors.common.folders import left_commands
from actors.confinement import limits
from actors.confinement.hidden_files import Followed
from actors.confinement.processes.process_trees import Confinement, Guard
from actors.confinement.sandbox import bubblewrap, environment, guardian, levels, probe
from actors.confinement.sandbox.bubblewrap import Bubblewrap
from actors.confinement.sandbox.git import repository_places as git_places
from actors.confinement.sandbox.git_guard import Inside, Outside
from actors.confinement.sandbox.kernel import landlock, namespaces, seccomp, shared_network, system_calls
from actors.confinement.sandbox.levels import REACHED, Reached
from actors.confinement.sandbox.view import file_view, private_folder
from actors.confinement.sandbox.view.file_view import Places
from actors.confinement.sandbox.view.mount_points import MountPoints
from actors.confinement.sandbox.view.private_folder import PrivateFolder
from actors.messages.tool import SandboxLevel
from actors.settings.config import Settings

DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm", "fd")
KEPT_CAPABILITIES = {0, 1, 3, 4, 5, 6, 7, 8, 10}
"""Of a root worker, for its file tools: CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID SETPCAP NET_BIND_SERVICE.
Everybody else keeps none, and no command has any."""
LAUNCHERS_CAPABILITIES = {21}
"""Of root, for what starts a command: SYS_ADMIN. It ends there."""
LAST_CAPABILITY = 63
SHARED_MEMORY = "mode=1777,size=25%"
"""Options of its tmpfs, whose size is a share of the machine's memory."""
MORE_LIKELY_ENDED = "300"
"""When the machine runs out of memory: before anything that holds the session."""
WITH_FILES = ("", "network", "mcp")
"""Workers that see the files of the machine, confined."""
ALONE = ("web", "mcp")
"""Those whose folder for temporary files nobody shares."""
LATER = "TROUPER_LATER"
"""Variable that says, if it is not empty, that this is not the first worker of its agent."""
BEGAN = "TROUPER_BEGAN"
"""Variable with the time at which the session did."""


def prepare(settings: Settings, socket_fd: int) -> None:
    """Called in the fresh process, of one thread, before its event loop. Comes back in a new process, the worker."""
    _give_signals_back()
    if _is_the_way_out(settings):
        os.environ[BEGAN] = str(_began(os.getppid()))
        _trust_no_programs(Path(settings.cwd).resolve())
    folder = _temporary(settings)
    confined = settings.worker in WITH_FILES and settings.sandbox != "none"
    mount_points = MountPoints(Path(settings.cwd).resolve() if confined else None)
    inside = _inside(Path(settings.cwd).resolve()) if confined and sys.platform == "linux" else None
    noted = _noted(Path(settings.home))

    def clean_up(is_over: bool) -> None:
        if is_over or settings.worker in ALONE:
            folder.leave()
        mount_points.remove()
        if inside is not None:
            inside.at_end()
        if noted is not None:
            locks.release(*noted)

    held = {folder.lock, *mount_points.descriptors, *([inside.unlooked] if inside is not None else ())}
    held |= {noted[1]} if noted is not None else set()
    guardian.stand_guard(socket_fd, held, clean_up)
    file_view.note_linked(Path(settings.cwd).resolve())
    _bound()
    os.environ[REACHED] = levels.describe(_confine(settings, folder.part))
    os.environ[LATER] = "" if folder.is_new or settings.worker else "1"
    os.environ[left_commands.WORKER] = noted[0].stem if noted is not None else ""
    os.environ[environment.CONFIGURED] = " ".join(settings.environment)
    os.environ[private_folder.NOTED] = str(folder.part)
    os.environ["TMPDIR"] = str(folder.outside if settings.worker == "none" else folder.part)
    tempfile.tempdir = None


def _noted(home: Path) -> tuple[Path, int] | None:
    """So that a later program finds what its commands leave when all that could end them is killed."""
    with contextlib.suppress(OSError):
        return left_commands.begin(home)
    return None


def _temporary(settings: Settings) -> PrivateFolder:
    """The same for all workers of an agent and all their lives; what is nobody's worker has its own."""
    if settings.worker in ALONE:
        return private_folder.of_worker()
    with contextlib.suppress(OSError):
        if settings.temporary:
            return private_folder.shared(settings.temporary)
    return private_folder.of_session(f"{settings.run_id} {settings.session_id}", os.getppid())


def commands(settings: Settings, followed: Followed) -> Confinement | None:
    """What each command is put into beside what holds for its worker; asked in a worker that was prepared."""
    workspace, temporary = Path(settings.cwd).resolve(), Path(tempfile.gettempdir())
    if (level := levels.level()) in levels.LAUNCHED:
        return Bubblewrap.here(level, workspace, temporary, followed)
    wanted = settings.worker in WITH_FILES and settings.sandbox != "none"
    if sys.platform == "darwin" and wanted:
        from actors.confinement.sandbox import macos  # nowhere else is it of use

        if not Path(macos.SANDBOX_EXEC).exists():
            return None
        return macos.Seatbelt(workspace, temporary, file_view.of(settings, temporary).hidden)
    return None


def lost() -> str:
    """What an earlier life of this worker took with it, for the model; "" for nothing."""
    if not os.environ.get(LATER):
        return ""
    memory = "what was in /dev/shm is gone" if levels.level() in levels.LAUNCHED else ""
    gone = " and ".join(filter(None, ("its background jobs have ended", memory)))
    return f"\n[The worker that ran the calls before has died: {gone}. $TMPDIR and /tmp are as they were.]"


def guard(settings: Settings) -> Guard | None:
    """Of what commands leave for a git outside; asked in a worker that was prepared."""
    workspace = Path(settings.cwd).resolve()
    if _is_the_way_out(settings):
        return Outside(workspace, float(os.environ[BEGAN]))
    if levels.level() == "none":
        return None
    inside = _inside(workspace)
    inside.note_protected()
    return inside


@cache
def _inside(workspace: Path) -> Inside:
    return Inside(workspace)


def _is_the_way_out(settings: Settings) -> bool:
    """Its commands run without the sandbox that others have."""
    return settings.worker == "none" and settings.sandbox != "none"


def _began(supervisor: int) -> float:
    import psutil  # 25 ms, and few workers need it

    return psutil.Process(supervisor).create_time()


def _trust_no_programs(workspace: Path) -> None:
    """Commands in the sandbox can write what the workspace brings."""
    os.environ["PATH"] = installed_programs.workspaces_last(os.environ.get("PATH", os.defpath), workspace)
    if libraries := installed_programs.outside(os.environ.pop("LD_LIBRARY_PATH", ""), workspace):
        os.environ["LD_LIBRARY_PATH"] = libraries


def _give_signals_back() -> None:
    """An ignored signal stays ignored in the commands; one with a handler becomes the default there."""
    for each in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTSTP):
        signal.signal(each, lambda *_: None)


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(MORE_LIKELY_ENDED)


def _confine(settings: Settings, temporary: Path) -> Reached:
    if settings.unrestricted and settings.worker != "web":
        return Reached("none", missing="unrestricted")
    if sys.platform != "linux":
        return Reached(
            "none", missing="what confines commands on this system was never tested, so nothing relies on it"
        )
    if settings.worker == "web":
        return _landlock(file_view.of_web(settings, temporary), network=True)
    if settings.worker == "none" or settings.sandbox == "none":
        return Reached("none", missing="it is switched off for this worker")
    view = file_view.of(settings, temporary)
    missing: list[str] = []
    for level in levels.LAUNCHED:
        why_not = _why_not(level, settings, view)
        if not why_not:
            return _launched(level, view, "; ".join(missing))
        missing.append(f"no {level}: {why_not}")
    networked = settings.worker == "network" or any(server.network for server in file_view.server(settings))
    reached = _landlock(view, network=networked)
    return Reached(reached.level, reached.landlock, reached.network, "; ".join([*missing, reached.missing]).strip("; "))


def _why_not(level: SandboxLevel, settings: Settings, view: Places) -> str:
    """Found out by trying, once for each start of the machine. "" when it works."""

    def attempt() -> str:
        _enter(view)
        made = Bubblewrap.here(level, view.workspace, view.temporary, Followed())
        return probe.run_true(made) if made is not None else "nothing to run"

    if settings.sandbox == "landlock" or (settings.sandbox == "namespaces" and level == "bubblewrap"):
        return "settings ask for no more"
    if settings.worker == "network":
        return "this worker keeps the network"
    if (place := own_code.loose(view.workspace)) is not None:
        return f"Trouper itself runs from {place}, where commands could change it"
    if not bubblewrap.is_here(level, view.workspace):
        return "it is not installed, or there is no seccomp filter for this machine"
    return probe.why_not(Path(settings.home), bubblewrap.program(level, view.workspace), attempt)


def _launched(level: SandboxLevel, view: Places, missing: str) -> Reached:
    """Raises OSError: what worked before does not work now; the next worker tries anew."""
    _enter(view)
    _settle()
    return Reached(level, network="own", missing=missing)


def _enter(view: Places) -> None:
    """Raises OSError."""
    if not namespaces.enter(network=True):
        raise PermissionError("namespaces of its own are not allowed here")
    sockets = file_view.sockets(view)
    for path in view.masked:
        namespaces.mask(path, view.kept)
    if file_view.RUN.is_dir():
        namespaces.mask(file_view.RUN, file_view.kept_in_run(view.kept))
    if file_view.SHARED_MEMORY.is_dir():
        namespaces.mask(file_view.SHARED_MEMORY, view.kept, SHARED_MEMORY)
    kept = file_view.kept_in_temporary((*view.kept, *view.opened))
    namespaces.cover(file_view.TEMPORARY, view.temporary, kept)
    file_view.note_shown(kept, view)
    for path in sockets:  # in a /tmp of our own they are not there any more
        namespaces.mask(path, view.kept)
    for path in file_view.writable(view):
        namespaces.make_own_mount(path)
    writable = (*file_view.writable(view), Path("/proc"))
    own = tuple(path for path in file_view.OWN if path not in file_view.shown())
    namespaces.make_all_read_only_but(writable, own, view.hidden_beside)
    _protect(view.workspace)
    shared_network.stay(_without_privileges)
    namespaces.leave_network()
    _without_privileges()


def _without_privileges() -> None:
    """Of this thread, but for those that starting a command needs of root."""
    _give_up_capabilities(LAUNCHERS_CAPABILITIES)
    system_calls.prctl(system_calls.PR_SET_NO_NEW_PRIVS, 1)


def _landlock(view: Places, *, network: bool) -> Reached:
    own = namespaces.enter(network=network)
    masked = own and _mask(view)
    _give_up_capabilities(set())
    system_calls.prctl(system_calls.PR_SET_NO_NEW_PRIVS, 1)
    version = landlock.version()
    if version:
        landlock.restrict(_rules(view, () if masked else view.masked), tcp=own or network)
    machine = seccomp.here()
    filtered = machine is not None and _filter(machine, internet=own or network)
    _settle()
    if not (version and filtered):
        return Reached("none", missing="this system has no Landlock or no seccomp filter for this machine")
    return Reached("landlock", version, "open" if network else "own" if own else "denied")


def _settle() -> None:
    if os.geteuid() != 0 and _counts_apart():
        resource.setrlimit(resource.RLIMIT_NPROC, (limits.PROCESSES, limits.PROCESSES))
    system_calls.prctl(
        system_calls.PR_SET_DUMPABLE, 0
    )  # commands must not read the memory or the environment of their worker
    system_calls.prctl(system_calls.PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of privileges may have cleared it


def _counts_apart() -> bool:
    """In a user namespace of its own, from Linux 5.14 on: else all processes of the user would count."""
    numbers = re.match(r"(\d+)\.(\d+)", os.uname().release)
    version = tuple(map(int, numbers.groups())) if numbers else (0, 0)
    return version >= (5, 14) and "4294967295" not in Path("/proc/self/uid_map").read_text()


def _give_up_capabilities(passed: set[int]) -> None:
    """A user namespace gave us all of them, over our own files too: a read-only file would not be read-only.

    passed: of root, what the programs keep that it starts.
    """
    kept, passed = (KEPT_CAPABILITIES | passed, passed) if os.geteuid() == 0 else (set(), set())
    if passed:
        system_calls.keep_capabilities(kept, passed)  # nothing can be passed on any more when the bounding set is empty
    for capability in range(LAST_CAPABILITY + 1):
        with contextlib.suppress(OSError):  # not ours to drop, or beyond what this kernel has
            system_calls.prctl(system_calls.PR_CAPBSET_DROP, capability)
    system_calls.keep_capabilities(kept, passed)


def _mask(view: Places) -> bool:
    try:
        for path in view.masked:
            namespaces.mask(path, view.kept)
        _protect(view.workspace)
    except OSError:
        return False
    return True


def _protect(workspace: Path) -> None:
    """`.git` cannot be moved away either, and something else put in its place; nor can what we ourselves run from."""
    for path in (*own_code.around(workspace), *git_places.in_place(workspace)):
        namespaces.make_own_mount(path)
    started = (path for path in own_code.at_start(workspace) if path.exists())
    for path in (*git_places.protected(workspace), *own_code.held(workspace), *started):
        namespaces.make_read_only(path)


def _rules(view: Places, hidden: tuple[Path, ...]) -> list[tuple[Path, int]]:
    """hidden: where Landlock alone keeps the secrets. Then a workspace that holds some of them is open as a whole, and
    a repository elsewhere stays closed, for its hooks would be open.
    """
    writable = (view.workspace, view.temporary) if hidden else file_view.writable(view)
    devices = Path("/dev")
    readable = landlock.beside((*hidden, devices), Path("/"))
    return [
        (Path("/"), landlock.READ_DIR),
        *((path, landlock.LOOK) for path in (*readable, *view.lent, *file_view.interpreter())),
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
