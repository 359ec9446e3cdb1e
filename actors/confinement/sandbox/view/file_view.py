"""What a worker's view of the files is made of: what is hidden, what stays in spite of that, what is writable."""

import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from actors.common import own_code
from actors.common.folders import worktree_places
from actors.confinement.sandbox import levels
from actors.confinement.sandbox.git.repository_places import linked
from actors.confinement.sandbox.view import private_folder
from actors.confinement.sandbox.view.mounts import everywhere
from actors.settings import credential_files
from actors.settings.config import Settings
from actors.settings.mcp.servers import McpServer
from actors.settings.opened_places import opened

DOORS = (
    *("/run/docker.sock", "/run/podman", "/run/containerd", "/run/dbus", "/run/snapd.socket", "/run/systemd/private"),
    *("/run/avahi-daemon", "/run/libvirt", "/run/incus", "/run/lxd"),
    *("/var/lib/incus/unix.socket", "/var/lib/lxd/unix.socket", "/var/snap/lxd/common/lxd/unix.socket"),
    *("/nix/var/nix/daemon-socket", "/var/guix/daemon-socket"),
    *("~/.docker/run", "~/.docker/desktop", "~/.colima", "~/.rd", "~/.lima", "~/.orbstack/run"),
    *("~/.local/share/containers/podman/machine", "~/.1password", "~/.ssh/agent", "~/.screen", "~/.emacs.d/server"),
)
"""Unix sockets behind which a process outside does what it is told, or asks a network."""
RUN = Path("/run")
KEPT_IN_RUN = ("/run/current-system", "/run/booted-system", "/run/opengl-driver")
"""Where NixOS has its programs."""
RESOLV_CONF = Path("/etc/resolv.conf")
MOST_LINKS = 8
USERS = Path("/var/lib/sss/pipes")
"""Who the users of this machine are, without which hardly any program works."""
SOCKETS = Path("/proc/net/unix")
"""Those of this network: one a line, its path the last of eight fields, https://man7.org/linux/man-pages/man5/proc_net.5.html."""
TEMPORARY = Path("/tmp")  # noqa: S108  # commands have one of their own there
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108  # the worker has one of its own there
OWN = (TEMPORARY, SHARED_MEMORY)

LINKED = "TROUPER_LINKED"
"""Variable with what symlinks in folders of credentials lead to: a worker that hides the folders sees no links."""
SHOWN = "TROUPER_SHOWN"
"""Variable with what of the machine is to be seen in folders that commands have of their own."""
BETWEEN = "//"
"""The paths in both: no resolved one has that in it."""


class Places(msgspec.Struct, frozen=True):
    """All absolute, symlinks resolved, and there."""

    workspace: Path
    temporary: Path
    """The session's folder for temporary files, which commands also see as /tmp."""
    repository: Path | None
    """Outside, of a workspace that is a linked worktree: commits go there."""
    hidden: tuple[Path, ...]
    kept: tuple[Path, ...]
    """To be seen although it lies in something hidden."""
    opened: tuple[Path, ...] = ()
    """To be seen in /tmp, where rules of the user's allow it; not written."""
    further: tuple[Path, ...] = ()
    """Written to beside the workspace."""
    lent: tuple[Path, ...] = ()
    """Of a workspace that is a copy in TROUPER_HOME: what its git needs to read outside of it; not written."""

    @property
    def masked(self) -> tuple[Path, ...]:
        """Hidden, and what the other sessions have for temporary files."""
        return (*self.hidden, *everywhere([private_folder.neighbours(self.temporary)]))

    @property
    def hidden_beside(self) -> tuple[Path, ...]:
        """Hidden, but for what the workspace itself lies in, or what is written beside it."""
        inside = (self.workspace, *self.further)
        return tuple(path for path in self.hidden if not any(place.is_relative_to(path) for place in inside))


def of(settings: Settings, temporary: Path) -> Places:
    workspace = Path(settings.cwd).resolve()
    hidden: tuple[str | Path, ...] = (*_secrets(settings), *_doors())
    repository = linked(workspace) if writes_workspace(settings) else None
    lent = _lent(workspace, Path(settings.home).resolve())
    further = _further(settings, workspace)
    caches = _there(server_cache(settings.home, one.name) for one in server(settings))
    kept = (workspace, temporary, *caches, *([repository] if repository else ()), *lent, *interpreter())
    allowed = (*_there(opened(TEMPORARY, settings.rules)), *further, *_there(_started_from(settings)))
    named = (path for path in allowed if path.is_relative_to(TEMPORARY))
    masked = tuple(everywhere(_there(hidden)))
    return Places(workspace, temporary, repository, masked, kept, tuple(named), further, lent)


def _further(settings: Settings, workspace: Path) -> tuple[Path, ...]:
    """None that all of the workspace or of TROUPER_HOME is in: who writes there writes everywhere."""
    home, told = Path(settings.home).resolve(), _told(settings, workspace)
    too_wide = {workspace, *workspace.parents, home, *home.parents}
    open_ones = (path for path in told if path.is_dir() and path not in too_wide and not path.is_relative_to(home))
    return (*open_ones, *_there(server_cache(settings.home, one.name) for one in server(settings)))


def _started_from(settings: Settings) -> Iterator[Path]:
    """Of an MCP server: what it is run from, and what it is told of on its command line."""
    for one in server(settings):
        for text in (one.command, *one.args):
            if (path := Path(text).expanduser()).is_absolute():
                yield _all_of_it(path)


def _all_of_it(path: Path) -> Path:
    """A program needs what it was installed with: beside its bin, or in node_modules."""
    if "node_modules" in path.parts:
        return Path(*path.parts[: path.parts.index("node_modules")])
    if path.is_dir():
        return path
    folder = path.parent.parent if path.parent.name == "bin" else path.parent
    return path if folder == TEMPORARY else folder


def writes_workspace(settings: Settings) -> bool:
    workspace = Path(settings.cwd).resolve()
    return not server(settings) or workspace in _told(settings, workspace)


def _told(settings: Settings, workspace: Path) -> tuple[Path, ...]:
    return _there(Path(workspace, Path(place).expanduser()) for one in server(settings) for place in one.write)


def server_cache(home: str, name: str) -> Path:
    """What an MCP server has fetched to run at all, such as by npx: its own, and kept."""
    return Path(home, "cache", "mcp", name)


def server(settings: Settings) -> tuple[McpServer, ...]:
    """The one that is confined; none where it is a worker."""
    return settings.mcp if settings.worker == "mcp" else ()


def _lent(workspace: Path, home: Path) -> tuple[Path, ...]:
    """As it was noted where no command can write: what the copy says itself may be a command's."""
    copied = worktree_places.copy_of(workspace, home)
    if copied is None:
        return ()
    top, note = copied
    git = (top / ".git",) if top != workspace else ()  # in the workspace otherwise
    return _there((*git, *map(Path, note.objects)))


def note_linked(workspace: Path) -> None:
    """In the environment of this process."""
    _note(LINKED, credential_files.linked(credential_files.names(), workspace))


def credentials() -> tuple[str, ...]:
    """Where they may lie, also those that are not there; asked in a worker that was prepared."""
    return (*credential_files.names(), *map(str, _noted(LINKED)))


def note_shown(in_temporary: Iterable[Path], places: Places) -> None:
    """In the environment of this process, without what commands may use anyway. in_temporary: what is kept there."""
    both = ((TEMPORARY, in_temporary), (SHARED_MEMORY, places.kept))
    seen = {path for own, kept in both for path in kept if path.is_relative_to(own)}
    used = (places.workspace, places.temporary)
    _note(SHOWN, sorted(path for path in seen if not any(path.is_relative_to(folder) for folder in used)))


def shown() -> tuple[Path, ...]:
    """Of the machine, in folders that commands otherwise have of their own; asked in a worker that was prepared."""
    return _noted(SHOWN)


def passing() -> tuple[Path, ...]:
    """What goes with the session: its folder for temporary files, by all its names; asked in a prepared worker."""
    own = os.environ.get(private_folder.NOTED)
    covered = levels.level() in levels.LAUNCHED and TEMPORARY not in shown()
    return tuple(([Path(own)] if own else []) + ([TEMPORARY] if covered else []))


def writable(places: Places) -> tuple[Path, ...]:
    return (places.workspace, places.temporary, *places.further, *([places.repository] if places.repository else ()))


def of_web(settings: Settings, temporary: Path) -> Places:
    """Nothing of the user's is to be seen."""
    hidden: tuple[str | Path, ...] = (*_secrets(settings), *_doors(), *credential_files.own_homes(), Path(settings.cwd))
    return Places(temporary, temporary, None, tuple(everywhere(_there(hidden))), (temporary, *interpreter()))


def kept_in_run(kept: Iterable[Path]) -> tuple[Path, ...]:
    return (*_there(map(Path, KEPT_IN_RUN)), *names_of(RESOLV_CONF, RUN), *kept)


def names_of(file: Path, top: Path) -> tuple[Path, ...]:
    """Those below `top` by which it is found: of it, and of what it links to. None where there is no such file."""
    found = [file]
    while found[-1].is_symlink() and len(found) <= MOST_LINKS:
        found.append(Path(os.path.normpath(found[-1].parent / found[-1].readlink())))
    return tuple(path for path in found if path.is_relative_to(top)) if file.is_file() else ()


def sockets(places: Places) -> tuple[Path, ...]:
    """Where programs of this machine listen now, beside /run, which is covered anyway, and the workspace."""
    try:
        lines = SOCKETS.read_text(errors="surrogateescape").splitlines()[1:]
    except OSError:
        return ()
    named = {Path(words[7]) for words in (line.split(None, 7) for line in lines) if len(words) == 8}
    real = {path.resolve() for path in named if path.is_absolute() and _is_socket(path)}
    spared = (*places.kept, RUN, USERS)
    return tuple(sorted(path for path in real if not any(path.is_relative_to(top) for top in spared)))


def kept_in_temporary(kept: Iterable[Path]) -> tuple[Path, ...]:
    """A home folder in /tmp stays, and programs there; other people's and programs' files do not."""
    programs = [Path(place) for place in os.environ.get("PATH", "").split(":") if Path(place).is_absolute()]
    return (*_there((*credential_files.own_homes(), *programs)), *kept)


def interpreter() -> tuple[Path, ...]:
    """This Python and what it imports, wherever that is."""
    return _there(own_code.places())


def _note(variable: str, paths: Iterable[Path]) -> None:
    os.environ[variable] = BETWEEN.join(map(str, paths))


def _noted(variable: str) -> tuple[Path, ...]:
    return tuple(Path(path) for path in os.environ.get(variable, "").split(BETWEEN) if path)


def _secrets(settings: Settings) -> list[str]:
    return [*credentials(), settings.home]


def _doors() -> list[Path]:
    agent = os.environ.get("SSH_AUTH_SOCK")
    user = os.getuid()
    tmux = Path(tempfile.gettempdir(), f"tmux-{user}")
    doors = [Path(door).expanduser() for door in DOORS]
    return [*doors, Path("/run/user", str(user)), tmux, *([Path(agent)] if agent else ())]


def _there(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    """Those that there are, resolved, each once."""
    return tuple(sorted({Path(path).resolve() for path in paths if _is_there(path)}))


def _is_socket(path: Path) -> bool:
    try:
        return stat.S_ISSOCK(path.stat().st_mode)
    except OSError:
        return False


def _is_there(path: str | Path) -> bool:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  # most are not there: no Path for those
    except OSError:
        return False  # or out of our reach, which is as good
    return not stat.S_ISCHR(mode)  # masked already, by a sandbox around this one
