"""Processes seen from outside: the tree below one, its proportional memory, its CPU time, its end. Linux."""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from actors.confinement.processes.descendants import descendants
from tests.bench.figures import CannotMeasure

KIB_PER_MB = 1024
NANO = 1e-9
SAMPLE_S = 0.015
PATIENCE_S = 60.0
POLL_S = 0.002
PRIVATE = ("Private_Clean:", "Private_Dirty:")

Cpu = dict[tuple[int, str], int]
"""Nanoseconds on a core, by process and thread."""


def tree(root: int) -> list[int]:
    """The process and all below it."""
    return [root, *descendants(root)]


def pss_mb(pids: Iterable[int]) -> float:
    """Memory in MiB in which a page that several processes share is divided among them. Raises CannotMeasure."""
    return sum(map(_pss_kib, pids)) / KIB_PER_MB


def _pss_kib(pid: int) -> int:
    return _memory_kib(pid, "Pss:")


def _memory_kib(pid: int, *fields: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except PermissionError:
        raise CannotMeasure("a tool worker hides its memory from other processes; only root can see it") from None
    except (FileNotFoundError, ProcessLookupError):
        return 0  # ended since it was listed
    return sum(int(line.split()[1]) for line in lines if line.startswith(fields))


def private_mb(root: int) -> dict[str, float]:
    """MiB that nobody else has, by the name of the process. Raises CannotMeasure."""
    found = {"the supervisor": _memory_kib(root, *PRIVATE) / KIB_PER_MB}
    for pid in descendants(root):
        with contextlib.suppress(OSError):
            name = Path(f"/proc/{pid}/comm").read_text().strip()
            found[name.removeprefix("tr:") if name.startswith("tr:") else "the zygote"] = (
                _memory_kib(pid, *PRIVATE) / KIB_PER_MB
            )
    return found


def peak_pss_mb(*roots: "subprocess.Popen[bytes]", every_s: float = SAMPLE_S) -> float:
    """The most that their trees had at once, until all of them have ended."""
    peak = 0.0
    while alive := [process.pid for process in roots if process.poll() is None]:
        peak = max(peak, pss_mb(pid for root in alive for pid in tree(root)))
        time.sleep(every_s)
    return peak


def cpu(pids: Iterable[int]) -> Cpu:
    spent: Cpu = {}
    for pid in pids:
        with contextlib.suppress(OSError):  # ended since it was listed
            for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  # names are all we need
                spent[pid, thread] = int(Path(f"/proc/{pid}/task/{thread}/schedstat").read_text().split()[0])
    return spent


def cpu_s(before: Cpu, after: Cpu) -> float:
    return sum(spent - before.get(thread, 0) for thread, spent in after.items()) * NANO


def named(root: int, name: str) -> int:
    """The process of the tree that runs the actor of this name."""
    for pid in tree(root):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/comm").read_text().strip() == f"tr:{name}":
                return pid
    raise CannotMeasure(f"no process of the session is {name}")


def commands(root: int, argv: tuple[str, ...]) -> list[int]:
    """The processes of the tree with this command line."""
    wanted = b"".join(argument.encode() + b"\0" for argument in argv)
    found = []
    for pid in descendants(root):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/cmdline").read_bytes() == wanted:
                found.append(pid)
    return found


def wait_for_commands(root: int, argv: tuple[str, ...], count: int) -> list[int]:
    """Until so many of the tree run it."""
    wait_until(lambda: len(commands(root, argv)) >= count, f"no process ran {' '.join(argv)}")
    return commands(root, argv)


def wait_until(happened: Callable[[], bool], otherwise: str, patience_s: float = PATIENCE_S) -> None:
    """Raises CannotMeasure."""
    deadline = time.monotonic() + patience_s
    while not happened():
        if time.monotonic() > deadline:
            raise CannotMeasure(otherwise)
        time.sleep(POLL_S)


class Deaths:
    """Watches processes that are not ours; made before they are to die."""

    def __init__(self, pids: Iterable[int]) -> None:
        """Raises CannotMeasure."""
        if not hasattr(os, "pidfd_open"):
            raise CannotMeasure("this system has no pidfd, by which processes are watched; Linux has")
        self._watched: list[int] = []
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):  # ended since it was listed
                self._watched.append(os.pidfd_open(pid))

    def wait(self, patience_s: float = PATIENCE_S) -> float:
        """When the last of them was dead, on the monotonic clock. Raises CannotMeasure, having killed what was not."""
        deadline = time.monotonic() + patience_s
        survivors = [watched for watched in self._watched if not _ended(watched, deadline)]
        at = time.monotonic()
        for descriptor in survivors:
            signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        for descriptor in self._watched:
            os.close(descriptor)
        if survivors:
            raise CannotMeasure(f"{len(survivors)} processes that had to end were alive after {patience_s:g} s")
        return at


def _ended(descriptor: int, deadline: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(deadline - time.monotonic(), 0) * 1000))


def end(process: "subprocess.Popen[bytes]") -> None:
    """SIGKILL to its whole tree, and wait until nothing of it is left."""
    whole = kill(process.pid)
    process.wait()
    whole.wait()


def kill(root: int) -> Deaths:
    """All of its tree, as not every program ends with the one that started it; to be waited for."""
    whole = tree(root)
    deaths = Deaths(whole)
    for pid in whole:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return deaths
