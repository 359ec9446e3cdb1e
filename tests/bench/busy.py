"""Other work beside what is measured: processes that keep a core busy. They end with us, and by themselves."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

AT_MOST_S = 1800
SPIN = f"""
import os, time
ours, end = os.getppid(), time.monotonic() + {AT_MOST_S}
while time.monotonic() < end and os.getppid() == ours:
    sum(range(10000))
"""


@contextmanager
def beside(count: int) -> Iterator[None]:
    spinning = [subprocess.Popen([sys.executable, "-I", "-c", SPIN]) for _ in range(count)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()
