"""bubblewrap: each command in namespaces of its own, below a worker whose view of the files is already what it may see.

Beside that it has its own processes, /dev, /proc, and a filter of system calls. Network: see `networked`.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from actors.installed import find
from actors.messages.tool import Grant
from actors.tools.sandbox import masks, networked, places, seccomp
from actors.tools.workspace import PROTECTED

ROOTS_CAPABILITIES = (
    *("CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_KILL"),
    *("CAP_SETGID", "CAP_SETUID", "CAP_NET_BIND_SERVICE"),
)
"""What root's commands keep; everybody else's have none."""
OF_THE_KERNEL = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "asound", "driver")
"""In /proc: where root changes the machine, and bubblewrap leaves some of it writable."""
STATUS_BYTES = 65_536


Made = TypeVar("Made")


class Status(msgspec.Struct):
    """What it reports, a JSON object a line."""

    exit_code: int | None = msgspec.field(default=None, name="exit-code")


@dataclass(frozen=True)
class Bubblewrap:
    """What is the same for all commands of one worker."""

    path: str
    workspace: Path
    temporary: Path
    """The worker's private folder."""
    filter: bytes
    late: tuple[Path, ...]
    """Protected places of the workspace that there were not when the worker began."""

    @staticmethod
    def installed(workspace: Path) -> Path | None:
        path = find("bwrap", workspace)
        return Path(path).resolve() if path else None

    @classmethod
    def here(cls, workspace: Path, temporary: Path) -> "Bubblewrap | None":
        """None: not installed, or no filter for this machine."""
        path, machine = cls.installed(workspace), seccomp.here()
        if path is None or machine is None:
            return None
        rules = seccomp.packed(seccomp.program(machine, internet=True, debugging=True))
        late = tuple(workspace / name for name in PROTECTED if not (workspace / name).exists())
        return cls(str(path), workspace, temporary, rules, late)

    def argv(self, program: Sequence[str], cwd: Path, grant: Grant, *, filter_fd: int, status_fd: int) -> list[str]:
        """Raises ToolFailed: too much of the workspace is to be hidden."""
        return [
            self.path,
            *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
            *_privileges(os.geteuid()),
            *("--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
            *(word for name in OF_THE_KERNEL for word in ("--ro-bind-try", f"/proc/{name}", f"/proc/{name}")),
            *("--bind", str(self.temporary / places.WORKERS_SHARED_MEMORY), "/dev/shm", "--remount-ro", "/dev"),  # noqa: S108
            *(word for path in self.late if path.exists() for word in ("--ro-bind", str(path), str(path))),
            *masks.options(masks.find(self.workspace, grant.hidden)),
            *("--chdir", str(cwd), "--seccomp", str(filter_fd), "--json-status-fd", str(status_fd)),
            "--",
            *program,
        ]

    @property
    def reports(self) -> bool:
        return True

    @contextlib.contextmanager
    def wrapped(
        self, argv: Sequence[str], cwd: Path, grant: Grant, status_fd: int
    ) -> Iterator[tuple[Sequence[str], tuple[int, ...]]]:
        """What to run, and the descriptors it gets. Raises ToolFailed, OSError."""
        filter_fd = os.memfd_create("filter", os.MFD_CLOEXEC)  # a new one each time: who reads a file moves on in it
        try:
            os.write(filter_fd, self.filter)
            os.lseek(filter_fd, 0, os.SEEK_SET)
            yield self.argv(argv, cwd, grant, filter_fd=filter_fd, status_fd=status_fd), (filter_fd, status_fd)
        finally:
            os.close(filter_fd)

    def run(self, make: Callable[[], Made], grant: Grant) -> Made:
        return networked.run(make) if grant.network else make()


def has_started(status: bytes) -> bool:
    """The command itself was reached: else what ended is bubblewrap, because it could not set up the sandbox."""
    decoder = msgspec.json.Decoder(Status)
    return any(report.exit_code is not None for report in decoder.decode_lines(status))


def _privileges(user: int) -> list[str]:
    if user:
        return ["--unshare-user"]
    return ["--cap-drop", "ALL", *(word for name in ROOTS_CAPABILITIES for word in ("--cap-add", name))]
