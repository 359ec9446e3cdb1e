"""What commands of killed programs have left running: found by their marks, ended once when a later program runs.

Mostly there is nothing: guardians and the kernel have ended it all. Commands outlive a kill of supervisor and guardian
at once where they have no process namespace of their own. see DECISIONS: what a killed program leaves
"""

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import trio

from actors.common.folders import left_commands

ENDS_S = 0.01
"""Between two looks: what is just being started by one that is killed is found by the next."""


async def sweep(home: Path, tell: Callable[[str, int], None]) -> None:
    """tell: of which worker, and how many processes have been ended."""
    with contextlib.suppress(OSError):  # the next start tries again
        for worker in left_commands.dead_workers(home):
            if left_commands.belongs(_environment(os.getpid()), worker):
                continue  # we are among what it has left, and so is who has started us
            ended = 0
            while found := await _end_all(worker):
                ended += found
                await trio.sleep(ENDS_S)
            worker.unlink(missing_ok=True)
            if ended:
                tell(worker.stem, ended)


async def _end_all(worker: Path) -> int:
    """How many have been."""
    if sys.platform != "linux":
        return _end_by_psutil(worker)
    ended = 0
    for name in os.listdir("/proc"):  # noqa: PTH208  # names are all we need
        if name.isdecimal():
            ended += _end(int(name), worker)
            await trio.lowlevel.checkpoint()
    return ended


def _end(pid: int, worker: Path) -> bool:
    """SIGKILL if it is one of the worker's. Held by its descriptor first: its number may be another's meanwhile."""
    try:
        if Path(f"/proc/{pid}").stat().st_uid != os.geteuid():
            return False
        process = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if not left_commands.belongs(_environment(pid), worker):
            return False
        signal.pidfd_send_signal(process, signal.SIGKILL)
    except OSError:
        return False
    finally:
        os.close(process)
    return True


def _environment(pid: int) -> bytes:
    """b"" where it cannot be read: it has ended, or is not ours to look into."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


def _end_by_psutil(worker: Path) -> int:
    """macOS, untested. psutil compares when a process began before it kills it."""
    import psutil

    ended = 0
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(left_commands.MARK, "").startswith(f"{worker.stem}-"):
                process.kill()
                ended += 1
    return ended
