"""A fork whose child is not ours but our parent's: one process instead of two, and nobody to wait for.

It is what glibc's fork does, with CLONE_PARENT: the kernel notes the new process's number in the C library's own place,
which is the main thread's for as long as there is no other.
"""

import ctypes
import os
import signal
import sys
from pathlib import Path

CLONE_PARENT = 0x8000
CLONE_CHILD_CLEARTID, CLONE_CHILD_SETTID = 0x0020_0000, 0x0100_0000
FLAGS = CLONE_PARENT | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | signal.SIGCHLD
NUMBERS = {"x86_64": 56, "aarch64": 220}
"""Of clone(2), by machine."""
PR_GET_TID_ADDRESS = 40
THREADS = Path("/proc/self/task")
ONE_THREAD = 3
"""Links of that folder: two and one for each."""
REFUSED = -1

_libc = ctypes.PyDLL(None)
"""With the interpreter's lock held: between the two halves of a fork nothing else of Python may run."""


def fork() -> int | None:
    """As os.fork, for a process of one thread; None where this machine does not have it, and nothing was forked."""
    number, place = NUMBERS.get(os.uname().machine), _place_of_number()
    if number is None or place is None:
        return None
    # the fourth is what x86 reads, the fifth what others do: each ignores the other without CLONE_SETTLS
    words = [ctypes.c_long(word) for word in (number, FLAGS, 0, 0, place, place)]
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    pid: int = _libc.syscall(*words)
    if pid == 0:
        python.PyOS_AfterFork_Child()
    else:
        python.PyOS_AfterFork_Parent()
    return None if pid == REFUSED else pid


def _place_of_number() -> int | None:
    """Where the C library keeps the number of this thread. None: it is another one, which uses that place otherwise, or
    there are more threads, whose locks only its own fork knows."""
    if sys.platform != "linux" or not _is_alone():
        return None
    place = ctypes.c_void_p()
    words = (ctypes.c_ulong(0) for _ in range(3))
    if _libc.prctl(PR_GET_TID_ADDRESS, ctypes.byref(place), *words) or not place.value:
        return None
    return place.value if ctypes.c_int.from_address(place.value).value == os.getpid() else None


def _is_alone() -> bool:
    try:
        return THREADS.stat().st_nlink == ONE_THREAD
    except OSError:
        return False
