"""Commands that use too much: processes, memory, disk, output. They end, and the worker goes on."""

import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from actors.confinement import limits
from actors.confinement.processes.resource_watch import Bounds
from tests.processes import lives
from tests.system.harness import until
from tests.system.sandbox.boxes import KINDS, PYTHON, Box, Kind, opened

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]
MB = 1024 * 1024
PLENTY = Bounds(processes=10_000, memory=1 << 60, free=0)
FEW_PROCESSES = Bounds(processes=20, memory=1 << 60, free=0)
LITTLE_MEMORY = Bounds(processes=10_000, memory=200 * MB, free=0)
FORKS = """
import os, time
for _ in range(60):
    if os.fork() == 0:
        os.setsid()
        time.sleep(300)
time.sleep(300)
"""
EATS = "import time; eaten = [bytes([1]) * 1048576 for _ in range(400)]; time.sleep(300)"
MARGIN = 1024 * MB
"""More than others on this machine write meanwhile; and what is reserved is more than they remove."""
FILLS = """
import os, time
for number in range(64):
    os.posix_fallocate(os.open(str(number), os.O_CREAT | os.O_WRONLY), 0, 64 * 1024 * 1024)
    time.sleep(0.1)
time.sleep(300)
"""

Open = Callable[[Bounds], Box]


@contextmanager
def alone(folder: str) -> Iterator[None]:
    """Of all tests that fill this disk: on one that is full already from the start a command is not watched."""
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


@pytest.fixture(params=KINDS)
def open_box(request: pytest.FixtureRequest) -> Iterator[Open]:
    kind: Kind = request.param
    opening = []

    def open_it(bounds: Bounds) -> Box:
        opening.append(opened(kind, "ordinary user", bounds=bounds))
        return opening[-1].__enter__()

    yield open_it
    for one in opening:
        one.__exit__(None, None, None)


def assert_ended(box: Box, command: str, why: str) -> None:
    outcome = box.bash(command)

    assert outcome.failed
    assert why in outcome.output
    assert box.bash("echo alive").output == "alive"
    worker = psutil.Process(int(box.worker.worker))
    # the wrapper of that echo may be just about to leave
    until(lambda: not any(map(lives, worker.children(recursive=True))))


def test_a_command_with_too_many_processes_is_ended(open_box: Open) -> None:
    assert_ended(open_box(FEW_PROCESSES), f'{PYTHON} -c "{FORKS}"', "more than 20 processes")


def test_a_command_that_eats_the_memory_is_ended(open_box: Open) -> None:
    assert_ended(open_box(LITTLE_MEMORY), f'{PYTHON} -c "{EATS}"', "more than 200 MB of memory")


def test_a_command_that_fills_the_disk_is_ended(open_box: Open) -> None:
    with alone("/var/tmp"):
        disk = os.statvfs("/var/tmp")
        free = disk.f_bavail * disk.f_frsize - MARGIN
        box = open_box(Bounds(processes=10_000, memory=1 << 60, free=free))

        assert_ended(box, f'{PYTHON} -c "{FILLS}"', "free on the disk")


def test_processes_that_share_their_memory_are_counted_once_for_all(open_box: Open) -> None:
    box = open_box(LITTLE_MEMORY)
    shares = "import os, time; kept = bytes([1]) * 62914560; [os.fork() for _ in range(3)]; time.sleep(1)"

    outcome = box.bash(f'{PYTHON} -c "{shares}"')

    assert not outcome.failed, outcome.output


def test_a_gigabyte_of_output_costs_no_memory(open_box: Open) -> None:
    box = open_box(PLENTY)
    before = rss(box)

    outcome = box.bash("head -c 1G /dev/zero")

    assert "bytes cut from the middle" in outcome.output
    assert rss(box) - before < 32 * MB


def test_output_without_an_end_of_line_costs_no_memory(open_box: Open) -> None:
    box = open_box(PLENTY)
    before = rss(box)

    outcome = box.bash("head -c 100M /dev/zero | tr '\\0' x")

    assert len(outcome.output) < 1 * MB
    assert rss(box) - before < 32 * MB


def test_escape_sequences_do_not_get_out(open_box: Open) -> None:
    box = open_box(PLENTY)

    outcome = box.bash(r"printf 'a\033]52;c;c3RvbGVu\007b\033[2Jc\033]0;title\033\\d\x9b31me'")

    assert "\x1b" not in outcome.output
    assert "\x9b" not in outcome.output
    assert "c3RvbGVu" not in outcome.output


def test_no_core_of_a_command_is_kept(open_box: Open) -> None:
    box = open_box(PLENTY)

    outcome = box.bash("ulimit -c")

    assert outcome.output == "0"


def rss(box: Box) -> int:
    """Bytes of the worker."""
    pages = int(Path(f"/proc/{box.worker.worker}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_the_kernel_counts_the_processes_where_it_can(open_box: Open) -> None:
    box = open_box(PLENTY)
    if not box.masked:
        pytest.skip("outside a user namespace all processes of the user would count")

    assert box.bash("ulimit -u").output == str(limits.PROCESSES)
