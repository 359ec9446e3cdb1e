"""The commands of a worker and everything they started: one command's whole tree can be ended, and nothing else.

A process that daemonises comes to the worker, which is a child subreaper. Which command it belongs to is told by a mark
in its environment; one that has dropped its environment belongs to the command during which it appeared.
"""

import contextlib
import os
import secrets
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import trio

from actors.tools.descent import children, descendants

MARK = "TROUPER_CALL"
PIPE_BYTES = 65_536
"""What a pipe holds."""
ROUND_S = 0.001
"""Between two looks at what is still alive; a kill takes effect in less."""


class Command:
    """One that runs; its output, merged, is read from `output`."""

    def __init__(self, argv: Sequence[str], cwd: Path, environment: Mapping[str, str], before: frozenset[int]) -> None:
        self.mark = secrets.token_hex(8)
        self.before = before
        self.output, inside = os.pipe()
        try:
            # From the main thread and without preexec_fn: the cheap way to start a process, see DECISIONS
            self._process = subprocess.Popen(
                argv,
                cwd=cwd,
                env={**environment, MARK: self.mark},
                stdin=subprocess.DEVNULL,
                stdout=inside,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except BaseException:
            os.close(self.output)
            raise
        finally:
            os.close(inside)
        os.set_blocking(self.output, False)
        self.pid = self._process.pid

    async def ended(self) -> int:
        """Its exit code, or minus the signal that ended it. Does not wait for what it left running."""
        if self._process.poll() is None and hasattr(os, "pidfd_open"):
            descriptor = os.pidfd_open(self.pid)
            try:
                await trio.lowlevel.wait_readable(descriptor)
            finally:
                os.close(descriptor)
        elif self._process.poll() is None:  # macOS, untested: no pidfd there
            await trio.to_thread.run_sync(self._process.wait, abandon_on_cancel=True)
        return self._process.wait()

    @property
    def exit_code(self) -> int | None:
        return self._process.poll()


class Processes:
    def __init__(self) -> None:
        self._running: dict[int, Command] = {}

    def start(self, argv: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> Command:
        """Raises OSError."""
        self._reap()
        command = Command(argv, cwd, environment, before=frozenset(self._orphans()))
        self._running[command.pid] = command
        return command

    def forget(self, command: Command) -> None:
        """It has ended; what it left goes on."""
        self._running.pop(command.pid, None)

    def left_by(self, command: Command) -> list[int]:
        """What still runs of it after its own end."""
        self._reap()
        roots = [pid for pid in self._orphans() if self._belongs(pid, command)]
        return [pid for root in roots for pid in (root, *descendants(root))]

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
