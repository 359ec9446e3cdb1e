"""Processes of others as tests see them: any of them may end between two looks."""

import contextlib
import os
import select
import time
from collections.abc import Iterable

import psutil


def lives(process: psutil.Process) -> bool:
    """A zombie does not."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def watch(pids: Iterable[int]) -> list[tuple[int, int]]:
    """(pid, pidfd) of those that have not ended since they were listed."""
    watched = []
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            watched.append((pid, os.pidfd_open(pid)))
    return watched


def still_alive(watched: Iterable[tuple[int, int]], patience_s: float) -> list[int]:
    """Of processes that are about to end, those that have not. Closes the descriptors."""
    deadline, alive = time.monotonic() + patience_s, []
    for pid, descriptor in watched:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            alive.append(pid)
        os.close(descriptor)
    return alive
