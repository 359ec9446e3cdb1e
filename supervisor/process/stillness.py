"""Whether a process stands still, as the kernel tells it: stopped by a signal, or in one long wait for the disk.

Who is slow does not: one that waits for its turn on the processor counts as ready to run, and one whose memory has to
be fetched runs between two pages.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

State = Literal["stopped", "traced", "disk", "other"]
LETTERS: dict[str, State] = {"T": "stopped", "t": "traced", "D": "disk"}
"""Of proc_pid_status(5). Asleep (S) is not among them: who waits for another session's lock, or a folder on another
machine, sleeps without ever running, too."""


class Look(msgspec.Struct, frozen=True):
    state: State
    turns: int
    """How often its first thread, the one of the event loop, has left the processor."""


class Still(msgspec.Struct, frozen=True):
    """Looks at a process that were all the same."""

    look: Look
    since: float


def followed(before: Still | None, look: Look, now: float) -> Still | None:
    """None: it moves, or could. One that ran between two looks is not the same, even if it is stopped again."""
    if look.state not in ("stopped", "disk"):
        return None
    return before if before is not None and before.look == look else Still(look, now)


def look(pid: int) -> Look:
    """At a process that may have just ended."""
    if sys.platform == "linux":  # psutil reads the same file, after an import of 25 ms
        return _read(pid)
    import psutil

    try:
        process = psutil.Process(pid)
        switches = process.num_ctx_switches()
        state: State = "stopped" if process.status() == psutil.STATUS_STOPPED else "other"
    except psutil.Error:
        return Look("other", 0)
    return Look(state, switches.voluntary + switches.involuntary)


def _read(pid: int) -> Look:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
    except OSError:
        return Look("other", 0)
    return read(lines)


def read(lines: Iterable[str]) -> Look:
    """Of proc_pid_status(5). A kernel that does not count turns (gVisor's) says as if there were none."""
    fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    turns = sum(int(fields.get(f"{kind}_ctxt_switches", "0")) for kind in ("voluntary", "nonvoluntary"))
    return Look(LETTERS.get(fields.get("State", "")[:1], "other"), turns)
