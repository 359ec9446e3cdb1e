"""Whatever is reserved, settled, given back, cancelled and killed: no tree uses more than its root may, but for one
request's estimate.
"""

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import trio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trio.testing import wait_all_tasks_blocked

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.budget import BudgetIs, Release, Reserved
from tests.actors.store.spending.test_reservations import (
    CHILD,
    ROOT,
    A,
    B,
    C,
    Waiting,
    a_store,
    answer,
    save,
    start_store,
    wish,
)
from tests.fakes.budgets import stands

PATIENCE_S = 30.0
"""Guards against hanging only."""
ESTIMATE = 0.5
"""The largest; what a request costs is at most its estimate."""
Step = tuple[str, str, float]
steps = st.lists(
    st.tuples(
        st.sampled_from(["reserve", "reserve", "settle", "settle", "release", "cancel", "kill"]),
        st.sampled_from([A, B, C, CHILD]),
        st.floats(0.01, 1.0),
    ),
    max_size=30,
)


async def play(home: Path, todo: Iterable[Step]) -> list[float]:
    """What is spent and reserved after each step."""
    found: list[float] = []
    asked: dict[str, tuple[Waiting, float]] = {}
    async with a_store(home) as (network, me), trio.open_nursery() as nursery:
        for number, (what, session_id, share) in enumerate(todo):
            request, estimate = asked.get(session_id, (None, 0.0))
            has_room = request is not None and isinstance(request.got, Reserved)
            if what == "reserve" and request is None:
                wanted = wish(session_id, share * ESTIMATE, id=str(number))
                asked[session_id] = Waiting(nursery, me, wanted), share * ESTIMATE
            elif what == "settle" and has_room:
                await save(me, session_id, answer(share * estimate))
                del asked[session_id]
            elif what == "release" and has_room:
                await me.insist("store", Release(session_id=session_id, aside=False), Done)
                del asked[session_id]
            elif what == "cancel" and request is not None and not has_room:
                request.scope.cancel()
                del asked[session_id]
            elif what == "kill":
                network.kill("store")
                start_store(network, home)
            now = await settled(me, asked)
            assert now.usd is not None
            found.append(now.usd + now.reserved_usd)
            waits = any(one.got is None for one, _ in asked.values())
            assert now.requests or not waits, "somebody waits for nothing"
        nursery.cancel_scope.cancel()
    return found


async def settled(me: Mailbox, asked: Mapping[str, tuple[Waiting, float]]) -> BudgetIs:
    """Once whoever has room knows that it has: an answer may still be on its way."""
    with trio.fail_after(PATIENCE_S):
        while True:
            await wait_all_tasks_blocked()
            now = await stands(me, "r")
            if now.requests == sum(isinstance(one.got, Reserved) for one, _ in asked.values()):
                return now


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_a_tree_never_uses_more_than_its_root_but_for_one_estimate(todo: list[Step]) -> None:
    assert ROOT.usd is not None
    with tempfile.TemporaryDirectory() as home:
        found = trio.run(play, Path(home), todo)

    assert all(used <= ROOT.usd + ESTIMATE + 1e-9 for used in found)
