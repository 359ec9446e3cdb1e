"""Who counts as hung, on a clock of its own: time in which the supervisor did not run is nobody's silence."""

import socket

import msgspec
import pytest
import trio
from trio.testing import MockClock

from supervisor import health
from supervisor.child import Child
from supervisor.child_spec import ChildSpec
from supervisor.process.wire import Connection

SPEC = ChildSpec(name="store", entry="a.module:run", heartbeat_s=10.0)


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
