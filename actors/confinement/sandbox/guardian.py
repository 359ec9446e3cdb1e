"""The process above a tool worker: when the worker ends, or the session, it ends every process they left.

It is the one the supervisor knows. It blocks in poll and runs nothing of ours but this page.
"""

import contextlib
import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from actors.confinement.processes.descendants import descendants
from actors.confinement.sandbox.kernel import system_calls

WORKER_LEAVES_S = 0.2
"""When the session is over the worker gets so long to leave by itself."""
ROUND_S = 0.001
HANG_UP = select.POLLHUP | getattr(select, "POLLRDHUP", 0)


def stand_guard(socket_fd: int, held: set[int], at_end: Callable[[bool], None]) -> None:
    """Returns in the worker, a new process; this one never comes back. at_end is called when all others are ended, and
    told whether no other life of the worker is to come.

    socket_fd is only watched for its end, never read: its other end is the supervisor. held: descriptors that stay
    open, for they carry locks. Process of one thread only.
    """
    adopt_orphans()
    guardian = os.getpid()
    worker = os.fork()
    if worker:
        _guard(worker, socket_fd, held, at_end)
    die_with(guardian)
    adopt_orphans()


def die_with(parent: int) -> None:
    """Of the calling thread (Linux). parent: the real one, by now."""
    if sys.platform == "linux":
        system_calls.prctl(system_calls.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # it died before we could say so


def adopt_orphans() -> None:
    """What daemonises comes to this process, so that it can be found (Linux; elsewhere it cannot, untested)."""
    if sys.platform == "linux":
        system_calls.prctl(system_calls.PR_SET_CHILD_SUBREAPER, 1)


def _guard(worker: int, socket_fd: int, held: set[int], at_end: Callable[[bool], None]) -> NoReturn:
    gc.disable()
    if sys.platform == "linux":
        system_calls.prctl(
            system_calls.PR_SET_PDEATHSIG, 0
        )  # the supervisor's death is seen on the socket, and leaves time to sweep
        system_calls.prctl(system_calls.PR_SET_NAME, b"tr:guardian")
    woken, wake = wake_on(signal.SIGCHLD, signal.SIGTERM)
    close_all_but({0, 1, 2, socket_fd, woken, wake, *held})
    watch = select.poll()
    watch.register(woken, select.POLLIN)
    watch.register(socket_fd, HANG_UP)
    status = _wait(worker, watch, woken, socket_fd)
    swept = sweep(worker)
    at_end(_is_closed(socket_fd))
    code = os.waitstatus_to_exitcode(swept if status is None else status)
    os._exit(code if code >= 0 else 128 - code)


def _wait(worker: int, watch: select.poll, woken: int, socket_fd: int) -> int | None:
    """The worker's status; None when it is to be ended."""
    while (status := _ended(worker)) is None:
        ready = dict(watch.poll())
        if woken in ready and signal.SIGTERM in os.read(woken, 64):
            return None
        if socket_fd in ready:
            watch.unregister(socket_fd)
            watch.poll(WORKER_LEAVES_S * 1000)  # its end wakes us
            return _ended(worker)
    return status


def _is_closed(socket_fd: int) -> bool:
    """The supervisor is gone, or wants no worker any more."""
    watch = select.poll()
    watch.register(socket_fd, HANG_UP)
    return bool(watch.poll(0))


def _ended(worker: int) -> int | None:
    pid, status = os.waitpid(worker, os.WNOHANG)
    return status if pid else None


def sweep(worker: int) -> int:
    """SIGKILL to all below this process until nothing is left; the worker's status if it was among them, else 0."""
    found = 0
    while True:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                found = ended[1] if ended[0] == worker else found
        victims = descendants(os.getpid())
        if not victims:
            return found
        for pid in victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(ROUND_S)


def wake_on(*signals: signal.Signals) -> tuple[int, int]:
    """A pipe that gets a byte, the signal's number, for each of these signals."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for each in signals:
        signal.signal(each, lambda *_: None)
    return reading, writing


def close_all_but(kept: set[int]) -> None:
    for descriptor in [int(entry.name) for entry in Path("/dev/fd").iterdir()]:
        if descriptor not in kept:
            with contextlib.suppress(OSError):  # the one the listing itself used
                os.close(descriptor)
