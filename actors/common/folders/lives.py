"""Whether the process is still there that something belongs to: by its pid and when it began, for a pid comes again."""

import os
import sys
from pathlib import Path


def of(pid: int) -> str:
    """A process, and when it began; not that of one that is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return f"{pid} "
    return f"{pid} {fields[19]}"  # starttime in proc_pid_stat(5), of which two come before these


def goes_on(life: str) -> bool:
    """life: as of `of`, or any text."""
    pid, _, began = life.partition(" ")
    if not pid.isdecimal():
        return False
    if sys.platform == "linux":
        return began != "" and life == of(int(pid))
    try:
        os.kill(int(pid), 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
