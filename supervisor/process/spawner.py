"""Starting actor processes, in either of two ways, and waiting for their end."""

import contextlib
import ctypes
import errno
import gc
import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import trio

from actors.settings import secret_variables
from supervisor.process import zygote
from supervisor.process.host import first_steps

Way = Literal["fork", "exec"]
LARGEST_DESCRIPTOR = 8192
ANSWER_S = 5.0
"""For a fork that takes 5 ms, and the first of a kind some 60 more for its imports; after that the zygote counts as
hung."""


WARM_S = 60.0
"""For a fresh interpreter and all its imports, on a machine that is busy."""


class Process:
    """A child of ours, by pid."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._pidfd = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else -1
        self._status: int | None = None

    async def wait(self) -> int:
        """0, the exit code, or minus the signal that ended it."""
        if self._status is None:
            if self._pidfd >= 0:
                await trio.lowlevel.wait_readable(self._pidfd)
                os.close(self._pidfd)
                self._pidfd = -1
                self._status = _reap(self.pid)
            else:  # macOS, untested: no pidfd there; a thread each, for none of them must wait for another
                limiter = trio.CapacityLimiter(1)
                self._status = await trio.to_thread.run_sync(_reap, self.pid, abandon_on_cancel=True, limiter=limiter)
        return self._status

    def kill(self) -> None:
        """SIGKILL; the pid is ours until `wait` has reaped it."""
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)


class Spawner:
    """One way in, whatever the way: `start` returns a process that waits for its Boot on the socket."""

    def __init__(self, way: Way, launcher: str, preload: Sequence[str]) -> None:
        """launcher: the file that, run by a fresh interpreter, becomes an actor or a zygote."""
        self._way = way
        self._launcher = launcher
        self._preload = tuple(preload)
        self._control: socket.socket | None = None
        self._zygote: int | None = None
        self._early: tuple[str, socket.socket] | None = None
        self._early_pid: int | None = None
        self._greeting: trio.Lock | None = None
        """While the zygote, a fresh interpreter, has not said yet that it is warm."""
        self.lock = trio.Lock()
        """Held while a child of ours may have a pid that nobody knows yet."""

    def fork_zygote(self, early: str = "", modules: Sequence[str] = ()) -> None:
        """Before trio.run only: a fork inside it could never run an event loop of its own.

        early: an actor that is asked for at once and imports these modules before it has its Boot.
        """
        become_subreaper()
        more_descriptors()
        if self._way == "exec":
            return
        control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if early:
            ours, theirs = _pair()
            with theirs:
                zygote.ask_fork(control, theirs, own=modules)
            self._early = early, ours
        supervisor = os.getpid()
        first_steps()
        gc.freeze()  # pages of what is imported stay shared: no collection touches them
        self._zygote = os.fork()
        if self._zygote == 0:
            os.closerange(3, other.fileno())  # it must hold no end of an actor's socket
            os.closerange(other.fileno() + 1, LARGEST_DESCRIPTOR)
            try:
                zygote.serve(other, supervisor, self._preload)
            finally:
                os._exit(0)  # whatever happens, the launcher's own code must not run twice
        other.close()
        control.setblocking(False)
        self._control = control

    def of_kind(self, preload: Sequence[str]) -> "Spawner":
        """The same way, for actors that share these modules."""
        return Spawner(self._way, self._launcher, preload)

    def exec_zygote(self) -> None:
        """In a fresh interpreter, which imports while others are started: `warm` waits for it. Raises OSError."""
        if self._way == "fork":
            self._replace_zygote()

    @property
    def known(self) -> set[int]:
        """Pids of ours that are no actor's yet."""
        return {pid for pid in (self._zygote, self._early_pid) if pid is not None}

    def close(self) -> None:
        """End the zygote."""
        self._end_zygote()

    def _end_zygote(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._zygote is not None:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):  # reaped with the strays
                os.kill(self._zygote, signal.SIGKILL)
                os.waitpid(self._zygote, 0)
            self._zygote = None

    async def start(self, name: str, modules: Sequence[str], *, secrets: bool) -> tuple[Process, socket.socket]:
        """modules: what it runs; the zygote has imported them by then, or does now. Without one that is not warm."""
        async with self.lock:
            if self._control is not None and self._greeting is None:
                try:
                    return await self._fork(self._control, name, modules)
                except OSError as error:
                    if error.errno in (errno.EMFILE, errno.ENFILE):
                        raise  # ours, not the zygote's
                    self._replace_zygote()  # it died; this one child starts the slow way
            ours, theirs = _pair()
            with theirs:
                return Process(self._exec("actor", theirs, secrets=secrets)), ours

    async def warm(self) -> None:
        """Until a zygote that is a fresh interpreter has imported what is shared."""
        if self._greeting is None or self._control is None:
            return
        control, greeting = self._control, self._greeting
        async with greeting:
            if greeting is self._greeting:
                with contextlib.suppress(OSError):  # it died, or hangs: whoever asks it for a fork will see
                    await _answer(control, WARM_S)
                self._greeting = None

    async def _fork(self, control: socket.socket, name: str, modules: Sequence[str]) -> tuple[Process, socket.socket]:
        if self._early is not None and self._early_pid is None:
            self._early_pid = await _answer(control)
        if self._early is not None and self._early_pid is not None and self._early[0] == name:
            (_, ours), pid = self._early, self._early_pid
            self._early = self._early_pid = None
            return Process(pid), ours
        ours, theirs = _pair()
        try:
            with theirs:
                zygote.ask_fork(control, theirs, shared=modules)
                pid = await _answer(control)
        except BaseException:
            ours.close()  # what it may have forked in its last moment reads its end and leaves
            raise
        return Process(pid), ours

    def _replace_zygote(self) -> None:
        self._end_zygote()
        control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            self._zygote = self._exec("zygote", other, secrets=True)
        control.setblocking(False)
        self._control = control
        self._greeting = trio.Lock()
        self._early = self._early_pid = None

    def _exec(self, role: str, end: socket.socket, *, secrets: bool) -> int:
        environment = {
            name: value for name, value in os.environ.items() if secrets or not secret_variables.SECRET.search(name)
        }
        arguments = [str(os.getpid()), *(self._preload if role == "zygote" else ())]
        command = [sys.executable, "-P", self._launcher, f"--become={role}", str(end.fileno()), *arguments]
        # From this thread: PR_SET_PDEATHSIG is bound to the thread that spawned.
        child = subprocess.Popen(command, pass_fds=[end.fileno()], env=environment)
        child.returncode = 0  # we reap it ourselves
        return child.pid


async def _answer(control: socket.socket, within_s: float = ANSWER_S) -> int:
    """A pid. Raises OSError when the zygote is gone."""
    try:
        with trio.fail_after(within_s):
            await trio.lowlevel.wait_readable(control)
    except trio.TooSlowError:
        raise TimeoutError("the zygote does not answer") from None
    answer = control.recv(zygote.PID.size)
    if not answer:
        raise ConnectionResetError("the zygote is gone")
    return int(zygote.PID.unpack(answer)[0])


def _pair() -> tuple[socket.socket, socket.socket]:
    """Ours, non-blocking, and the actor's."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    return ours, theirs


def end_strays(known: set[int]) -> int:
    """SIGKILL and reap every child of ours that is not known: what an actor left behind came to us. How many."""
    strays = [pid for pid in _children() if pid not in known]
    for pid in strays:
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            continue  # ended or reaped meanwhile
    return len(strays)


def more_descriptors() -> None:
    """A batch has a socket an actor; the usual soft limit of 1024, or 256 on macOS, is soon reached."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = LARGEST_DESCRIPTOR if hard == resource.RLIM_INFINITY else min(LARGEST_DESCRIPTOR, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def become_subreaper() -> None:
    """Orphans of our descendants become our children (Linux)."""
    if sys.platform == "linux":
        pr_set_child_subreaper = 36
        ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


def _children() -> list[int]:
    """Of this process, all threads. Without /proc (macOS) orphans never come to us, so there are none to find."""
    try:
        tasks = os.listdir("/proc/self/task")  # noqa: PTH208  # names are all we need
    except OSError:
        return []
    pids: list[int] = []
    for task in tasks:
        try:
            pids += map(int, Path(f"/proc/self/task/{task}/children").read_text().split())
        except OSError:
            continue  # a thread that has just ended
    return pids


def _reap(pid: int) -> int:
    """Of a process that has ended."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
