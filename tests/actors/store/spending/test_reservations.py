"""Room in budgets, asked of the store on real files: who gets it, who waits, and what ends it."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.budget import Budget, LimitRaised, Release, Reserve, Reserved
from actors.messages.conversation import AssistantMessage, Body, BrokenTry, Compacted, Entry, Named, Text
from actors.messages.store import Append, CloseSession, OpenSession, SessionOpened
from actors.messages.usage import Usage
from actors.settings.config import Settings
from actors.store import actor
from actors.store.spending.waiting import AGAIN_S
from tests.fakes.budgets import stands
from tests.fakes.network import Network, open_network

ROOT = Budget(session_id="r", usd=1.0, what="this batch", again="the same command and")
A, B, C, CHILD = "r.a", "r.b", "r.c", "r.a.1"


@asynccontextmanager
async def a_store(home: Path, run_id: str = "r1") -> AsyncIterator[tuple[Network, Mailbox]]:
    (home / "run").mkdir(exist_ok=True)
    async with open_network() as network:
        start_store(network, home, run_id)
        me = network.mailbox("ui")
        for session_id in (A, B, C, CHILD):
            if run_id == "r1":
                await me.ask("store", OpenSession(session_id=session_id, cwd="/w"), SessionOpened)
        yield network, me


def start_store(network: Network, home: Path, run_id: str = "r1") -> None:
    settings = Settings(home=str(home), cwd=str(home), session_id=A, run_id=run_id)
    network.start("store", partial(actor.run, settings=settings))


def wish(session_id: str, usd: float | None = 0.5, *budgets: Budget, **more: object) -> Reserve:
    plain = Reserve(id=f"{session_id}/1", session_id=session_id, budgets=budgets or (ROOT,), usd=usd, tokens=100)
    return msgspec.structs.replace(plain, **more)


async def reserve(me: Mailbox, wanted: Reserve) -> Reserved:
    return await me.insist("store", wanted, Reserved)


async def refusal(me: Mailbox, wanted: Reserve) -> str:
    with pytest.raises(Failed) as failure:
        await reserve(me, wanted)
    assert failure.value.problem.code == "over_budget"
    return failure.value.problem.text


async def save(me: Mailbox, session_id: str, body: Body) -> None:
    entry = Entry(id=f"{session_id}-{id(body)}", session_id=session_id, parent="", at=1.0, body=body)
    await me.insist("store", Append(entries=(entry,)), Done)


def answer(usd: float | None, tokens: int = 10) -> AssistantMessage:
    usage = Usage(input_tokens=tokens, cost_usd=usd)
    return AssistantMessage(blocks=(Text(text="…"),), stop_reason="end_turn", model="m", usage=usage)


class Waiting:
    """A request that waits in the background."""

    def __init__(self, nursery: trio.Nursery, me: Mailbox, wanted: Reserve) -> None:
        self.got: Reserved | Failed | None = None
        self.scope = trio.CancelScope()
        nursery.start_soon(self._run, me, wanted)

    async def _run(self, me: Mailbox, wanted: Reserve) -> None:
        with self.scope:
            try:
                self.got = await reserve(me, wanted)
            except Failed as failure:
                self.got = failure


async def test_what_fits_is_given_and_settled_by_the_answer(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        got = await reserve(me, wish(A, 0.6))
        under_way = await stands(me, "r")
        await save(me, A, answer(0.2))
        after = await stands(me, "r")

    assert got == Reserved()
    assert (under_way.usd, under_way.reserved_usd, under_way.requests) == (0.0, 0.6, 1)
    assert (after.usd, after.reserved_usd, after.requests, after.tokens) == (0.2, 0.0, 0, 10)


@pytest.mark.parametrize(
    ("body", "ends"),
    [
        (answer(0.1), True),
        (Compacted(why="asked", usage=Usage(cost_usd=0.1)), True),
        (BrokenTry(usage=Usage(cost_usd=0.1)), False),
        (Named(usage=Usage(cost_usd=0.1)), False),
    ],
    ids=["an answer", "a compaction", "a try that goes on", "a name"],
)
async def test_what_ends_a_reservation(tmp_path: Path, body: Body, ends: bool) -> None:
    async with a_store(tmp_path) as (_, me):
        await reserve(me, wish(A))
        await save(me, A, body)

        assert (await stands(me, "r")).requests == (0 if ends else 1)


async def test_what_is_asked_aside_has_a_reservation_of_its_own(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await reserve(me, wish(A, 0.2))
        await reserve(me, wish(A, 0.2, aside=True))
        both = await stands(me, "r")
        await save(me, A, Named(usage=Usage(cost_usd=0.1)))

        assert (both.requests, (await stands(me, "r")).requests) == (2, 1)


async def test_one_that_is_alone_may_go_over(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        assert await reserve(me, wish(A, math.inf)) == Reserved()


async def test_who_does_not_fit_waits_until_others_have_settled(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me), trio.open_nursery() as nursery:
        await reserve(me, wish(A, 0.7))
        waiting = Waiting(nursery, me, wish(B, 0.7))
        await wait_all_tasks_blocked()
        before = waiting.got
        await save(me, A, answer(0.1))
        await wait_all_tasks_blocked()

        assert (before, waiting.got) == (None, Reserved())


async def test_whose_agent_was_ended_gives_back_what_those_below_it_had(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        for session_id in (A, CHILD, B):
            await reserve(me, wish(session_id, 0.2))
        await reserve(me, wish(CHILD, 0.2, aside=True))
        await me.insist("store", Release(session_id=A), Done)

        assert ((await stands(me, A)).requests, (await stands(me, B)).requests) == (0, 1)


@pytest.mark.parametrize("how", ["released", "closed", "raised"])
async def test_what_else_wakes_who_waits(tmp_path: Path, how: str) -> None:
    own = Budget(session_id=A, usd=1.0)
    async with a_store(tmp_path) as (_, me), trio.open_nursery() as nursery:
        await reserve(me, wish(CHILD, 0.7, own))
        waiting = Waiting(nursery, me, wish(A, 0.7, own))
        await wait_all_tasks_blocked()
        before = waiting.got
        if how == "released":
            await me.ask("store", Release(session_id=CHILD), Done)
        elif how == "closed":
            await me.ask("store", CloseSession(session_id=CHILD), Done)
        else:
            await save(me, A, LimitRaised(id="w", usd=2.0, run_id="r1"))
        await wait_all_tasks_blocked()

        assert (before, isinstance(waiting.got, Reserved)) == (None, True)


async def test_a_limit_that_was_raised_in_another_run_does_not_count(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await save(me, A, LimitRaised(id="w", usd=2.0, run_id="an earlier one"))

        assert (await stands(me, A, usd=1.0)).budget.usd == 1.0


async def test_a_small_one_does_not_overtake_in_a_budget_where_a_large_one_waits(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me), trio.open_nursery() as nursery:
        await reserve(me, wish(A, 0.7))
        large = Waiting(nursery, me, wish(B, 0.8))
        await wait_all_tasks_blocked()
        small = Waiting(nursery, me, wish(C, 0.1))
        await wait_all_tasks_blocked()
        before = (large.got, small.got)
        await save(me, A, answer(0.1))
        await wait_all_tasks_blocked()

        assert before == (None, None)
        assert isinstance(large.got, Reserved)
        assert isinstance(small.got, Reserved)


async def test_who_takes_the_place_of_its_own_overtakes_those_who_wait_for_that(tmp_path: Path) -> None:
    """As the next life of an agent that was killed in the middle of a request."""
    async with a_store(tmp_path) as (_, me), trio.open_nursery() as nursery:
        await reserve(me, wish(A, 0.7))
        other = Waiting(nursery, me, wish(B, 0.8))
        await wait_all_tasks_blocked()
        again = await reserve(me, wish(A, 0.7, id="next life"))
        before = other.got
        await save(me, A, answer(0.1))
        await wait_all_tasks_blocked()

        assert (again.replaced, before) == (True, None)
        assert isinstance(other.got, Reserved)


async def test_where_nothing_is_left_it_is_refused(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me), trio.open_nursery() as nursery:
        await reserve(me, wish(A, 0.7))
        waiting = Waiting(nursery, me, wish(B, 0.7))
        await save(me, A, answer(1.25))
        await wait_all_tasks_blocked()

        assert isinstance(waiting.got, Failed)
        assert str(waiting.got) == (
            "this batch has cost $1.25, and --max-cost is $1.00. Go on with: the same command and --max-cost 2.5"
        )


async def test_every_budget_above_has_to_have_room(tmp_path: Path) -> None:
    own = Budget(session_id=CHILD, usd=0.25, what="the agent scout")
    async with a_store(tmp_path) as (_, me):
        await save(me, CHILD, answer(0.25))

        assert await refusal(me, wish(CHILD, 0.1, ROOT, own)) == (
            "the agent scout has cost $0.25, and its budget is $0.25."
        )
        await reserve(me, wish(A, 0.1))


async def test_tokens_are_limited_as_dollars_are(tmp_path: Path) -> None:
    tokens = Budget(session_id="r", tokens=1000, again="trouper -c")
    async with a_store(tmp_path) as (_, me), trio.open_nursery() as nursery:
        await reserve(me, wish(A, None, tokens, tokens=800))
        waiting = Waiting(nursery, me, wish(B, None, tokens, tokens=300))
        await wait_all_tasks_blocked()
        before = waiting.got
        await save(me, A, answer(None, tokens=1000))
        await wait_all_tasks_blocked()

        assert before is None
        assert isinstance(waiting.got, Failed)
        assert str(waiting.got) == (
            "this session has used 1,000 tokens, and --max-tokens is 1,000. Go on with: trouper -c --max-tokens 2000"
        )


async def test_of_an_unknown_price_or_sum_nothing_is_given(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        assert "the price of this request is unknown" in await refusal(me, wish(A, None))
        await save(me, B, answer(None))
        assert "has cost so far is unknown" in await refusal(me, wish(A))


async def test_an_id_that_only_begins_so_is_not_below(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await me.ask("store", OpenSession(session_id="r.ab", cwd="/w"), SessionOpened)
        await save(me, "r.ab", answer(0.5))
        await save(me, CHILD, answer(0.25))

        assert (await stands(me, A)).usd == 0.25
        assert (await stands(me, "r")).usd == 0.75


async def test_cancelled_while_it_waits_it_leaves_nothing(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me), trio.open_nursery() as nursery:
        await reserve(me, wish(A, 0.7))
        gone = Waiting(nursery, me, wish(B, 0.9))
        await wait_all_tasks_blocked()
        next_one = Waiting(nursery, me, wish(C, 0.2))
        await wait_all_tasks_blocked()
        before = next_one.got
        gone.scope.cancel()
        await wait_all_tasks_blocked()

        assert (before, gone.got, isinstance(next_one.got, Reserved)) == (None, None, True)
        assert (await stands(me, "r")).requests == 2


async def test_another_one_of_a_session_takes_the_place_of_its_own(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        first = await reserve(me, wish(A, 0.7))
        again = await reserve(me, wish(A, 0.7))
        other = await reserve(me, wish(A, 0.8, id="another"))

        assert (first.replaced, again.replaced, other.replaced) == (False, False, True)
        assert (await stands(me, "r")).reserved_usd == 0.8


async def test_a_killed_store_loses_none(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (network, me), trio.open_nursery() as nursery:
        await reserve(me, wish(A, 0.7))
        waiting = Waiting(nursery, me, wish(B, 0.7))
        await wait_all_tasks_blocked()
        network.kill("store")
        start_store(network, tmp_path)
        await wait_all_tasks_blocked()

        assert ((await stands(me, "r")).reserved_usd, waiting.got) == (0.7, None)
        await save(me, A, answer(0.1))
        await wait_all_tasks_blocked()
        assert isinstance(waiting.got, Reserved)


@pytest.mark.usefixtures("autojump_clock")
async def test_one_of_a_program_that_is_gone_holds_up_nobody(tmp_path: Path) -> None:
    """Its sessions are held by nobody then."""
    async with a_store(tmp_path, "r2") as (_, other), trio.open_nursery() as nursery:
        async with a_store(tmp_path) as (network, me):
            await reserve(me, wish(A, 0.7))
            waiting = Waiting(nursery, other, wish("r.d", 0.7))
            await trio.sleep(3 * AGAIN_S)
            before = waiting.got
            network.kill("store")
        await trio.sleep(3 * AGAIN_S)

        assert (before, isinstance(waiting.got, Reserved)) == (None, True)
