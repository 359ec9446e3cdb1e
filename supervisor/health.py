"""Who is hung, who is too large: pings to those that were given work, and a look at memory now and then."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import trio

from actors.messages.base import Envelope
from supervisor.child import Child
from supervisor.process.wire import MOST_QUEUED

TICK_S = 1.0
RESTING_S = 5.0
"""Between looks at an actor that is at work and was given nothing new."""
PAGE = 4096
MEGABYTE = 1024 * 1024


def ailing(child: Child, now: float) -> str:
    """Why this child must be replaced; "" when it is well."""
    if child.pinged_at is not None and now - child.pinged_at > child.spec.heartbeat_s:
        return f"hung: no answer for {child.spec.heartbeat_s:g} s"
    if child.connection is not None and child.connection.queued > MOST_QUEUED:
        return "hung: it does not read what it is sent"
    if child.process is not None and (used := _memory_mb(child.process.pid)) > child.spec.memory_mb:
        return f"too large: {used} MB of {child.spec.memory_mb} MB allowed"
    return ""


async def watch(children: Iterable[Child], open_requests: Callable[[str], int], work: trio.lowlevel.ParkingLot) -> None:
    """Looks closely at those who were just given something, now and then at those at work, at nobody else.

    So an idle session has next to no wake-ups. `work` is unparked when something is routed.
    """
    while True:
        began = trio.current_time()
        await trio.sleep(TICK_S)
        _forgive(children, trio.current_time() - began - TICK_S)
        at_work = [child for child in children if child.connection is not None and open_requests(child.name)]
        watched = [child for child in children if child.connection is not None and _is_due(child, child in at_work)]
        for child in watched:
            _look(child)
        if not watched:
            with trio.move_on_after(RESTING_S if at_work else float("inf")):
                await work.park()


def _forgive(children: Iterable[Child], late_s: float) -> None:
    """We did not run for so long, stopped by Ctrl-Z or on a busy machine: answers of that time are not read yet."""
    for child in children:
        if child.pinged_at is not None:
            child.pinged_at += late_s


def _is_due(child: Child, at_work: bool) -> bool:
    resting = trio.current_time() - child.looked_at < RESTING_S
    return child.busy or child.pinged_at is not None or (at_work and not resting)


def _look(child: Child) -> None:
    """End it, or ping it when no ping is out. While a large message moves it lives: ping or answer may be behind it."""
    if child.connection is not None and child.connection.moved != child.moved:
        child.moved = child.connection.moved
        child.pinged_at = None if child.pinged_at is None else trio.current_time()
    if why := ailing(child, trio.current_time()):
        child.fail(why)
    elif child.pinged_at is None and child.connection is not None:
        child.busy = False
        child.looked_at = child.pinged_at = trio.current_time()
        child.connection.send(Envelope(kind="ping", to=child.name, sender="supervisor", id=0))


def _memory_mb(pid: int) -> int:
    """Resident memory of an actor. The pid of a tool worker is its guardian's, so direct children count; theirs do not:
    what a command needs is its own affair."""
    if sys.platform == "linux":  # psutil reads the same files, after an import of 25 ms
        return sum(map(_resident_mb, [pid, *_children(pid)]))
    import psutil

    try:
        return int(psutil.Process(pid).memory_info().rss) // MEGABYTE
    except psutil.NoSuchProcess:
        return 0


def _resident_mb(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE // MEGABYTE
    except (OSError, IndexError):
        return 0  # it has just ended


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
