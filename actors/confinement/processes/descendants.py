"""Who descends from a process, by /proc where it tells, else by psutil; used by the worker and by its guardian."""

from functools import cache
from pathlib import Path


def children(pid: int) -> list[int]:
    if not _proc_tells():
        return [child for child, parent in _by_psutil(pid, recursive=False) if parent == pid]
    found: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_bytes().split())
    except (FileNotFoundError, ProcessLookupError):
        return found  # it, or a thread of it, has just ended
    return found


def descendants(pid: int) -> list[int]:
    """Parents before their children."""
    if not _proc_tells():
        return [child for child, _ in _by_psutil(pid, recursive=True)]
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children(waiting.pop())
        found += below
        waiting += below
    return found


@cache
def _proc_tells() -> bool:
    """Kernels without CONFIG_PROC_CHILDREN, and other systems, have no such file."""
    return Path("/proc/thread-self/children").exists()


def _by_psutil(pid: int, *, recursive: bool) -> list[tuple[int, int]]:
    import psutil  # 25 ms, and hardly any Linux needs it

    try:
        return [(child.pid, child.ppid()) for child in psutil.Process(pid).children(recursive=recursive)]
    except psutil.NoSuchProcess:
        return []
