"""Who is frozen, hung or too large: looks at those that have work, pings to those that were given some."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import trio

from actors.messages.base import Envelope
from supervisor.child import Child
from supervisor.process import stillness
from supervisor.process.stillness import Still
from supervisor.process.wire import MOST_QUEUED

TICK_S = 1.0
RESTING_S = 5.0
"""Between looks at an actor that is at work and was given nothing new."""
LOOKS_S = 0.5
"""Between looks at whether those that have work stand still."""
STOPPED_S = 1.0
"""With what passes before the first look and until its next life has begun: less than 2 s."""
AT_THE_DISK_S = 1.5
PAGE = 4096
MEGABYTE = 1024 * 1024


def ailing(child: Child, now: float) -> str:
    """Why this child must be replaced, as it was looked at last; "" when it is well."""
    if child.pinged_at is not None and now - child.pinged_at > child.spec.heartbeat_s:
        return f"hung: no answer for {child.spec.heartbeat_s:g} s"
    if child.connection is not None and child.connection.queued > MOST_QUEUED:
        return "hung: it does not read what it is sent"
    if child.memory_mb > child.spec.memory_mb:
        return f"too large: {child.memory_mb} MB of {child.spec.memory_mb} MB allowed"
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


async def watch_for_frozen(
    children: Iterable[Child],
    at_work: Callable[[], set[str]],
    work: trio.lowlevel.ParkingLot,
    tell: Callable[[str], None],
) -> None:
    """Replaces who was stopped by a signal and tells the user who waits for the disk, while they have work.

    at_work: those that serve a request or wait for one. They are looked at from outside, and not woken.
    """
    while True:
        began = trio.current_time()
        await trio.sleep(LOOKS_S)
        now = trio.current_time()
        working = at_work()
        watched = [child for child in children if child.connection is not None and _has_work(child, working)]
        for child in children:
            child.still = _still(child, now, now - began - LOOKS_S) if child in watched else {}
            _act_on_stillness(child, now, tell)
        if not watched:
            await work.park()


def _has_work(child: Child, working: set[str]) -> bool:
    return child.name in working or child.busy or child.pinged_at is not None


def _still(child: Child, now: float, late_s: float) -> dict[int, Still]:
    """Of its processes, those that are. Nobody saw them while we did not run; after long they are seen afresh."""
    found = {}
    for pid in _pids(child):
        before = child.still.get(pid) if late_s < STOPPED_S else None
        before = None if before is None else Still(before.look, before.since + late_s)
        if still := stillness.followed(before, stillness.look(pid), now):
            found[pid] = still
    return found


def _act_on_stillness(child: Child, now: float, tell: Callable[[str], None]) -> None:
    for still in child.still.values():
        if still.look.state == "stopped" and now - still.since >= STOPPED_S:
            child.kill("frozen: it was stopped by a signal")  # from outside, so what it serves is not blamed
        elif still.look.state == "disk" and now - still.since >= AT_THE_DISK_S and not child.told_of_disk:
            child.told_of_disk = True
            tell(child.name)


def _pids(child: Child) -> list[int]:
    """A tool worker is below its guardian; what others have started is no part of them."""
    if child.process is None:
        return []
    return [child.process.pid, *(_children(child.process.pid) if child.spec.prepare else ())]


def _forgive(children: Iterable[Child], late_s: float) -> None:
    """We did not run for so long, stopped by Ctrl-Z or on a busy machine: answers of that time are not read yet."""
    for child in children:
        if child.pinged_at is not None:
            child.pinged_at += late_s


def _is_due(child: Child, at_work: bool) -> bool:
    resting = trio.current_time() - child.looked_at < RESTING_S
    return child.busy or child.grows or child.pinged_at is not None or (at_work and not resting)


def _look(child: Child) -> None:
    """End it, or ping it when no ping is out. While a large message moves it lives: ping or answer may be behind it."""
    if child.connection is not None and child.connection.moved != child.moved:
        child.moved = child.connection.moved
        child.pinged_at = None if child.pinged_at is None else trio.current_time()
    if child.pinged_at is not None and any(stillness.look(pid).state == "traced" for pid in _pids(child)):
        child.pinged_at = trio.current_time()  # by a debugger: it is meant, and once let go it has its time again
    before, child.memory_mb = child.memory_mb, _memory_mb(child.process.pid) if child.process is not None else 0
    child.grows = child.memory_mb > before
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
