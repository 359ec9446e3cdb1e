"""Who counts as hung, on a clock of its own: time in which the supervisor did not run is nobody's silence."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio
from trio.testing import MockClock

from supervisor import health
from supervisor.child import Child
from supervisor.child_spec import ChildSpec
from supervisor.process.spawner import Process
from supervisor.process.wire import Connection

SPEC = ChildSpec(name="store", entry="a.module:run", heartbeat_s=10.0)
PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17
FROZEN = "frozen: it was stopped by a signal"


@pytest.mark.parametrize(
    ("stopped_s", "silent_s", "hung"), [(0.0, 9.0, False), (3600.0, 9.0, False), (3600.0, 13.0, True)]
)
async def test_what_a_stopped_supervisor_did_not_read_is_not_held_against_anybody(
    mock_clock: MockClock, stopped_s: int, silent_s: int, hung: bool
) -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    child = Child("store", SPEC, msgspec.Raw(b""))
    with theirs:
        async with trio.open_nursery() as nursery:
            child.connection, child.busy = Connection(ours), True
            nursery.start_soon(health.watch, [child], lambda _name: 1, trio.lowlevel.ParkingLot())
            await pass_(mock_clock, 1.5)
            assert child.pinged_at is not None
            mock_clock.jump(stopped_s)
            await pass_(mock_clock, silent_s)
            nursery.cancel_scope.cancel()
        ours.close()

    assert child.own_fault is hung


async def pass_(clock: MockClock, seconds: float) -> None:
    """As it passes where everybody runs."""
    for _ in range(round(seconds / 0.5)):
        await trio.testing.wait_all_tasks_blocked()
        clock.jump(0.5)
    await trio.testing.wait_all_tasks_blocked()


@pytest.fixture
def stopped() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        stop(process.pid)
        yield process.pid
        process.kill()


def stop(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    os.waitpid(pid, os.WUNTRACED)


def go_on(pid: int) -> None:
    os.kill(pid, signal.SIGCONT)
    os.waitpid(pid, os.WCONTINUED)


@asynccontextmanager
async def watched_at_work(pid: int, *names: str) -> AsyncIterator[Child]:
    """names: of those that are at work."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    child = Child("store", SPEC, msgspec.Raw(b""))
    with theirs:
        async with trio.open_nursery() as nursery:
            child.connection, child.process = Connection(ours), Process(pid)
            lot = trio.lowlevel.ParkingLot()
            nursery.start_soon(health.watch_for_frozen, [child], lambda: {*names}, lot, lambda _name: None)
            yield child
            nursery.cancel_scope.cancel()
        ours.close()


async def test_who_was_stopped_with_work_is_ended_within_two_seconds(mock_clock: MockClock, stopped: int) -> None:
    async with watched_at_work(stopped, "store") as child:
        await pass_(mock_clock, 2.0)
        assert child.process is not None
        status = await child.process.wait()

    assert status == -signal.SIGKILL
    assert child.cause == FROZEN
    assert not child.own_fault


async def test_who_was_stopped_without_work_is_left_alone(mock_clock: MockClock, stopped: int) -> None:
    async with watched_at_work(stopped) as child:
        await pass_(mock_clock, 20.0)

    assert child.cause == ""


async def test_who_is_stopped_and_goes_on_again_and_again_is_only_slow(mock_clock: MockClock, stopped: int) -> None:
    async with watched_at_work(stopped, "store") as child:
        for _ in range(10):
            await pass_(mock_clock, 0.5)
            go_on(stopped)
            stop(stopped)

    assert child.cause == ""


async def test_who_runs_without_ever_answering_is_not_frozen(mock_clock: MockClock, stopped: int) -> None:
    go_on(stopped)
    async with watched_at_work(stopped, "store") as child:
        await pass_(mock_clock, 20.0)

    assert child.cause == ""


@pytest.mark.parametrize(("silent_s", "cause"), [(0.5, ""), (2.0, FROZEN)])
async def test_what_a_stopped_supervisor_did_not_see_is_not_counted(
    mock_clock: MockClock, stopped: int, silent_s: float, cause: str
) -> None:
    async with watched_at_work(stopped, "store") as child:
        await pass_(mock_clock, 0.5)
        mock_clock.jump(3600)
        await pass_(mock_clock, silent_s)

    assert child.cause == cause


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it cannot be told from being stopped")
async def test_who_is_held_by_a_debugger_is_not_hung_and_has_its_time_once_let_go(
    mock_clock: MockClock, stopped: int
) -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    child = Child("store", SPEC, msgspec.Raw(b""))
    with ours, theirs:
        async with trio.open_nursery() as nursery:
            child.connection, child.process, child.busy = Connection(ours), Process(stopped), True
            seize(stopped)
            nursery.start_soon(health.watch, [child], lambda _name: 1, trio.lowlevel.ParkingLot())
            await pass_(mock_clock, 20.0)
            let_go(stopped)
            await pass_(mock_clock, 5.0)
            soon = child.cause
            await pass_(mock_clock, 10.0)
            nursery.cancel_scope.cancel()

    assert soon == ""
    assert child.cause == "hung: no answer for 10 s"


def seize(pid: int) -> None:
    """As a debugger does."""
    assert ctypes.CDLL(None).ptrace(PTRACE_SEIZE, pid, 0, 0) == 0
    os.waitpid(pid, os.WUNTRACED)


def let_go(pid: int) -> None:
    assert ctypes.CDLL(None).ptrace(PTRACE_DETACH, pid, 0, 0) == 0


GROWING = """
import sys
print("here", flush=True)
sys.stdin.readline()
ballast = bytearray(b"x" * 300 * 1024 * 1024)
print("grown", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def growing() -> Iterator[subprocess.Popen[bytes]]:
    """It grows once it is told a line, and says so."""
    command = [sys.executable, "-c", GROWING]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        yield process
        process.kill()


async def test_who_goes_on_growing_after_its_pong_is_seen(
    mock_clock: MockClock, growing: subprocess.Popen[bytes]
) -> None:
    """Nothing more is sent to it, so nobody but the last look can tell."""
    spec = ChildSpec(name="store", entry="a.module:run", memory_mb=200)
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    child = Child("store", spec, msgspec.Raw(b""))
    assert growing.stdin is not None
    assert growing.stdout is not None
    with theirs:
        async with trio.open_nursery() as nursery:
            child.connection, child.process, child.busy = Connection(ours), Process(growing.pid), True
            nursery.start_soon(health.watch, [child], lambda _name: 0, trio.lowlevel.ParkingLot())
            await pass_(mock_clock, 1.5)
            child.pinged_at = None  # it has answered
            growing.stdin.write(b"grow\n")
            growing.stdin.flush()
            assert growing.stdout.readline() == b"grown\n"
            await pass_(mock_clock, 3)
            nursery.cancel_scope.cancel()
        ours.close()

    assert child.cause.startswith("too large: ")
