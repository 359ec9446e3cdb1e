"""Each command in namespaces of its own, below a worker whose view of the files is already what it may see.

By bubblewrap, or where that is not to be had by a launcher of ours that understands the same options.
Beside that it has its own processes, /dev, /proc, and a filter of system calls. Network: `kernel/shared_network.py`.
"""

import contextlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from actors.common.installed_programs import find
from actors.confinement.hidden_files import Followed
from actors.confinement.protected_places import OWN, PROTECTED
from actors.confinement.sandbox.kernel import launcher, seccomp, shared_network
from actors.confinement.sandbox.view import file_view, masks
from actors.confinement.sandbox.view.mount_points import is_empty
from actors.confinement.sandbox.view.mounts import is_read_only
from actors.messages.tool import Grant, SandboxLevel

OF_THE_KERNEL = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "asound", "driver")
"""In /proc: where root changes the machine, and bubblewrap leaves some of it writable."""
PACKAGES = Path(__file__).parents[3]
"""Where the launcher's package is."""
IGNORED = b"*\n"
"""To git in a command a folder with that in .gitignore is none that `git clean -d` could remove, nor `git stash -u`."""

Made = TypeVar("Made")


class Bubblewrap(msgspec.Struct, frozen=True):
    """What is the same for all commands of one worker."""

    launcher: tuple[str, ...]
    """bubblewrap, or what does the same."""
    workspace: Path
    temporary: Path
    """The session's folder for temporary files."""
    filter: bytes
    credentials: masks.Candidates
    followed: Followed

    @classmethod
    def here(cls, level: SandboxLevel, workspace: Path, temporary: Path, followed: Followed) -> "Bubblewrap | None":
        """None: not installed, or no filter for this machine."""
        launched, machine = program(level, workspace), seccomp.here()
        if launched is None or machine is None:
            return None
        words = (str(launched),) if level == "bubblewrap" else launcher.command(str(PACKAGES))
        rules = seccomp.packed(seccomp.program(machine, internet=True, debugging=True))
        return cls(words, workspace, temporary, rules, masks.Candidates(file_view.credentials()), followed)

    def argv(self, words: Sequence[str], cwd: Path, grant: Grant, given: "Descriptors") -> list[str]:
        """Raises ToolFailed: too much of the workspace is to be hidden."""
        return [
            *self.launcher,
            *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
            *(("--unshare-user",) if os.geteuid() else ("--cap-drop", "ALL")),
            *("--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
            *(word for name in OF_THE_KERNEL for word in ("--ro-bind-try", f"/proc/{name}", f"/proc/{name}")),
            *("--bind-try", str(file_view.SHARED_MEMORY), str(file_view.SHARED_MEMORY), "--remount-ro", "/dev"),
            # bubblewrap makes a file where one to be masked has just been renamed, unless it cannot
            *(("--ro-bind", str(self.workspace), str(self.workspace)) if given.looks else ()),
            *(word for path in given.covered for word in ("--tmpfs", str(path))),
            *(word for path, fd in given.late.items() for word in ("--ro-bind-data", str(fd), str(path))),
            *(word for path in given.covered for word in ("--remount-ro", str(path))),
            *masks.options(masks.wherever(self.workspace, grant.hidden, self.followed)),
            *masks.options(masks.fresh(self.credentials, self.workspace)),
            *("--chdir", str(cwd), "--seccomp", str(given.filter), "--json-status-fd", str(given.status)),
            "--",
            *words,
        ]

    @property
    def late(self) -> list[Path]:
        """Protected places of the workspace that are no mounts: they were not there when the worker began, or the user
        has put something else in their place since, outside, which takes a mount away. Or mounts for git to clean away.
        """
        every = [self.workspace / name for name in PROTECTED]
        return [path for path in every if not is_read_only(path) or (path.name == OWN and is_empty(path))]

    @property
    def reports(self) -> bool:
        return True

    @contextlib.contextmanager
    def wrapped(
        self, argv: Sequence[str], cwd: Path, grant: Grant, status_fd: int, *, looks: bool = False
    ) -> Iterator[tuple[Sequence[str], tuple[int, ...]]]:
        """What to run, and the descriptors it gets. Raises ToolFailed, OSError."""
        with contextlib.ExitStack() as stack:
            filter_fd, late = _holding(self.filter), self.late
            covered = tuple(path for path in late if _is_folder(path))
            files = {path: fd for path in late if (fd := _opened(path)) is not None}
            files |= {path / ".gitignore": _holding(IGNORED) for path in covered}
            for fd in (filter_fd, *files.values()):
                stack.callback(os.close, fd)
            given = Descriptors(filter_fd, status_fd, covered, files, looks)
            yield self.argv(argv, cwd, grant, given), (filter_fd, status_fd, *files.values())

    def run(self, make: Callable[[], Made], grant: Grant) -> Made:
        return shared_network.run(make) if grant.network else make()


class Descriptors(msgspec.Struct, frozen=True):
    """What bubblewrap is given for one command, and what that is."""

    filter: int
    status: int
    covered: tuple[Path, ...]
    """Folders among the late places."""
    late: Mapping[Path, int]
    """Files among them, and in these folders. A path of the workspace is no source of a mount: bubblewrap would follow
    a symlink that a command has put there meanwhile, in the worker's tree."""
    looks: bool = False
    """The workspace is read-only."""


def _holding(data: bytes) -> int:
    """A new one each time: who reads a file moves on in it."""
    descriptor = os.memfd_create("data", os.MFD_CLOEXEC)
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def is_here(level: SandboxLevel, workspace: Path) -> bool:
    """Else it is not installed, or there is no filter for this machine."""
    return program(level, workspace) is not None and seccomp.here() is not None


def program(level: SandboxLevel, workspace: Path) -> Path | None:
    """What starts the commands of this level; None: it is not installed."""
    if level == "namespaces":
        return Path(launcher.__file__)
    path = find("bwrap", workspace)
    return Path(path).resolve() if path else None


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _opened(path: Path) -> int | None:
    """None: it is not there, no regular file, or reached by a symlink."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
    if is_file and Path(f"/proc/self/fd/{descriptor}").readlink() == path:
        return descriptor
    os.close(descriptor)
    return None
