"""Who of a server's tree is to be asked to leave: the server, and none of those who hold its sandbox up."""

import contextlib
import os
import re
import signal
from pathlib import Path

from actors.confinement.processes.descendants import descendants

NAMESPACED = re.compile(r"^NSpid:\s*(.+)$", re.MULTILINE)
"""In /proc/PID/status: its pid in each namespace of processes, from ours to its own."""


def ask_to_leave(guardian: int) -> None:
    """SIGTERM. guardian: the process that was started for it."""
    for pid in of_server(guardian):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGTERM)


def of_server(guardian: int) -> list[int]:
    """Inside of namespaces: all but the first process, with which the others would end. Else: all there are."""
    below = descendants(guardian)
    inside = {pid: _pids(pid) for pid in below}
    deepest = max((len(pids) for pids in inside.values()), default=0)
    if deepest > len(_pids(os.getpid())):
        return [pid for pid, pids in inside.items() if len(pids) == deepest and pids[-1] != 1]
    return below


def kill(guardian: int) -> None:
    """All of it, for a guardian that does not."""
    for pid in (*descendants(guardian), guardian):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _pids(pid: int) -> list[int]:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return []
    found = NAMESPACED.search(status)
    return [int(word) for word in found[1].split()] if found else []
