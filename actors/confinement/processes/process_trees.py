"""The commands of a worker and everything they started: one command's whole tree can be ended, and nothing else.

A process that daemonises comes to the worker, which is a child subreaper. Which command it belongs to is told by a mark
in its environment; one that has dropped its environment belongs to the command during which it appeared.
"""

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec
import trio

from actors.common.folders.left_commands import MARK, fresh_mark
from actors.confinement import limits
from actors.confinement.processes import resource_watch
from actors.confinement.processes.descendants import children, descendants
from actors.confinement.processes.resource_watch import Bounds, Watch
from actors.confinement.processes.start_report import STATUS_BYTES, has_started
from actors.messages.tool import Grant

PIPE_BYTES = 65_536
"""What a pipe holds."""
ROUND_S = 0.001
"""Between two looks at what is still alive; a kill takes effect in less."""


class Program(msgspec.Struct, frozen=True):
    argv: Sequence[str]
    cwd: Path
    environment: Mapping[str, str]
    given: bytes = b""
    """Its stdin."""
    apart: bool = False
    """What it prints as errors is read apart."""
    looks: bool = False
    """It changes nothing in the workspace."""


class Command:
    """One that runs. What it prints is read from `output`, and from `errors` where that is kept apart."""

    def __init__(self, start: "Start", before: frozenset[int], watched: "Watched") -> None:
        self.mark = fresh_mark()
        self.before = before
        self.why_ended = ""
        """Why it was ended, or could not begin, when that was not its own doing; for the model."""
        self.has_run = True
        """False once it has ended: its sandbox could not be set up, so nothing of it ran."""
        self._watched = watched
        program = start.program
        self.output, inside = os.pipe()
        self.errors, inside_errors = os.pipe() if program.apart else (-1, subprocess.STDOUT)
        self._status, inside_status = os.pipe() if start.confinement and start.confinement.reports else (-1, -1)
        try:
            with _stdin(program.given) as stdin, start.wrapped(inside_status) as (argv, descriptors):
                # From a thread that stays and without preexec_fn: the cheap way to start a process, see DECISIONS
                self._process = start.run(
                    lambda: subprocess.Popen(
                        argv,
                        cwd=program.cwd,
                        env={**program.environment, MARK: self.mark},
                        stdin=stdin,
                        stdout=inside,
                        stderr=inside_errors,
                        pass_fds=descriptors,
                        start_new_session=True,
                    )
                )
        except BaseException:
            self.close()
            raise
        finally:
            for descriptor in (inside, inside_errors, inside_status):
                if descriptor >= 0:
                    os.close(descriptor)
        for pipe in self._pipes():
            os.set_blocking(pipe, False)
        self.pid = self._process.pid

    def close(self) -> None:
        """Nothing more is read of it."""
        for pipe in self._pipes():
            os.close(pipe)
        self._close_status()

    def _pipes(self) -> list[int]:
        return [pipe for pipe in (self.output, self.errors) if pipe >= 0]

    async def ended(self) -> int:
        """Its exit code, or minus the signal that ended it. Does not wait for what it left running.

        Meanwhile it is watched: one that uses too much is ended, see `why_ended`.
        """
        if self._process.poll() is None and hasattr(os, "pidfd_open"):
            descriptor = os.pidfd_open(self.pid)
            try:
                while not await _is_readable(descriptor, limits.WATCH_S):
                    await self._end_excess()
            finally:
                os.close(descriptor)
        elif self._process.poll() is None:  # macOS, untested: no pidfd there
            await trio.to_thread.run_sync(self._process.wait, abandon_on_cancel=True)
        code = self._process.wait()
        self._read_status()
        return code

    async def _end_excess(self) -> None:
        if why := self._watched.watch.excess([self.pid, *descendants(self.pid)]):
            self.why_ended = f"It was ended with all it had started: {why}."
            await self._watched.end(self)

    def _read_status(self) -> None:
        if self._status < 0:
            return
        os.set_blocking(self._status, False)
        reported = b""
        with contextlib.suppress(BlockingIOError):  # what goes on in the background may hold it open
            reported = os.read(self._status, STATUS_BYTES)
        started = has_started(reported)
        if not started and not self.why_ended and self._process.returncode > 0:
            self.has_run = False
            self.why_ended = "The sandbox could not be set up, so it did not run. Tell the user: `trouper doctor`."
        self._close_status()

    def _close_status(self) -> None:
        if self._status >= 0:
            os.close(self._status)
            self._status = -1

    @property
    def exit_code(self) -> int | None:
        return self._process.poll()


async def _is_readable(descriptor: int, within_s: float) -> bool:
    with trio.move_on_after(within_s):
        await trio.lowlevel.wait_readable(descriptor)
        return True
    return False


@contextlib.contextmanager
def _stdin(given: bytes) -> Iterator[int]:
    if not given:
        yield subprocess.DEVNULL
        return
    with tempfile.TemporaryFile() as file:  # not a pipe: nobody has to go on writing
        file.write(given)
        file.seek(0)
        yield file.fileno()


class Watched(msgspec.Struct, frozen=True):
    """What is done about a command that uses too much."""

    watch: Watch
    end: Callable[[Command], Awaitable[None]]


Made = TypeVar("Made")
Wrapped = tuple[Sequence[str], tuple[int, ...]]
"""What to run, and the descriptors it gets."""


class Confinement(Protocol):
    """What a single command is put into, beside what holds for its worker."""

    @property
    def reports(self) -> bool:
        """It says in a status file whether the command was reached."""

    def wrapped(
        self, argv: Sequence[str], cwd: Path, grant: Grant, status_fd: int, *, looks: bool = False
    ) -> contextlib.AbstractContextManager[Wrapped]:
        """looks: as of Program. Raises ToolFailed, OSError."""

    def run(self, make: Callable[[], Made], grant: Grant) -> Made:
        """Where a process has to be made that has what the grant says."""


class Guard(Protocol):
    """What is to be seen to around each command."""

    def before(self, program: Program, grant: Grant) -> None:
        """Raises ToolFailed: it does not run."""

    def after(self, *, over: bool) -> str:
        """What it left, and what was done about it, for the model and the user; "" for nothing.

        over: none of all that was started still runs.
        """


class Start(msgspec.Struct, frozen=True):
    """How a program is really started here, and with what rights."""

    program: Program
    grant: Grant
    confinement: Confinement | None

    def wrapped(self, status_fd: int) -> contextlib.AbstractContextManager[Wrapped]:
        """Raises ToolFailed, OSError."""
        if self.confinement is None:
            return contextlib.nullcontext((self.program.argv, ()))
        program = self.program
        return self.confinement.wrapped(program.argv, program.cwd, self.grant, status_fd, looks=program.looks)

    def run(self, make: Callable[[], Made]) -> Made:
        return make() if self.confinement is None else self.confinement.run(make, self.grant)


class Processes:
    def __init__(
        self, confinement: Confinement | None = None, bounds: Bounds | None = None, guard: Guard | None = None
    ) -> None:
        self._confinement = confinement
        self._guard = guard
        self._untold: list[str] = []
        self._bounds = bounds or resource_watch.usual()
        self._running: dict[int, Command] = {}

    def start(self, program: Program, grant: Grant) -> Command:
        """What the grant says of network and hidden files holds for it. Raises ToolFailed, OSError."""
        self._reap()
        if self._guard is not None:
            self._guard.before(program, grant)
        folders = {program.cwd, Path(tempfile.gettempdir())}
        start = Start(program, grant, self._confinement)
        watched = Watched(Watch(self._bounds, folders), self.end)
        command = Command(start, frozenset(self._orphans()), watched)
        self._running[command.pid] = command
        return command

    def forget(self, command: Command) -> None:
        """It has ended; what it left goes on."""
        self._running.pop(command.pid, None)
        self._look()

    async def look_again(self, command: Command) -> None:
        """Once what it left has ended, too."""
        self._reap()
        while roots := self._roots(command):
            await _end_of(roots[0])
            self._reap()
        self._look()

    def _look(self) -> None:
        if self._guard is None:
            return
        self._reap()
        if left := self._guard.after(over=not self._running and not self._orphans()):
            self._untold.append(left)

    def take_untold(self) -> str:
        """Once: what commands had left, and what was done about it. "" for nothing."""
        told = "\n".join(self._untold)
        self._untold.clear()
        return told

    def left_by(self, command: Command) -> list[int]:
        """What still runs of it after its own end."""
        self._reap()
        return [pid for root in self._roots(command) for pid in (root, *descendants(root))]

    def _roots(self, command: Command) -> list[int]:
        return [pid for pid in self._orphans() if self._belongs(pid, command)]

    async def end(self, command: Command) -> None:
        """SIGKILL to all of its tree until nothing is left; cannot be cancelled."""
        with trio.CancelScope(shield=True):
            while victims := self._tree(command):
                for pid in victims:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                await trio.sleep(ROUND_S)

    def _tree(self, command: Command) -> list[int]:
        alive = [command.pid, *descendants(command.pid)] if command.exit_code is None else []
        return alive + self.left_by(command)

    def _orphans(self) -> list[int]:
        return [pid for pid in children(os.getpid()) if pid not in self._running]

    def _belongs(self, pid: int, command: Command) -> bool:
        mark = _mark_of(pid)
        return mark == command.mark if mark else pid not in command.before

    def _reap(self) -> None:
        for pid in self._orphans():
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


async def read(pipe: int) -> bytes:
    """Some bytes of a command's output; empty at its end."""
    while True:
        await trio.lowlevel.wait_readable(pipe)
        try:
            return os.read(pipe, PIPE_BYTES)
        except BlockingIOError:
            continue  # the kernel changed its mind


async def _end_of(pid: int) -> None:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        await trio.lowlevel.wait_readable(descriptor)
    finally:
        os.close(descriptor)


def name_of(pid: int) -> str:
    """Its command line, shortened; "" when it is gone."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return ""
    return " ".join(words).strip()[:80]


def _mark_of(pid: int) -> str:
    """Empty when it has none or cannot be asked."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return ""
    start = f"{MARK}=".encode()
    return next((item[len(start) :].decode() for item in environment.split(b"\0") if item.startswith(start)), "")
