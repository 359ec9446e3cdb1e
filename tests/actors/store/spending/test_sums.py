"""What the sessions of one run have cost, asked of the store on real files."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import (
    AssistantMessage,
    BrokenTry,
    Entry,
    Text,
    UserMessage,
)
from actors.messages.store import Append, OpenSession, SessionOpened
from actors.messages.usage import Usage
from actors.settings.config import Settings
from actors.store import actor
from tests.fakes.budgets import stands
from tests.fakes.network import open_network

ONE, TWO, OTHER = "r1.a", "r1.b", "r1b.a"


@asynccontextmanager
async def a_store(home: Path) -> AsyncIterator[Mailbox]:
    (home / "run").mkdir(exist_ok=True)
    settings = Settings(home=str(home), cwd=str(home), session_id=ONE, run_id="r1")
    async with open_network() as network:
        network.start("store", partial(actor.run, settings=settings))
        me = network.mailbox("ui")
        for session_id in (ONE, TWO, OTHER):
            await me.ask("store", OpenSession(session_id=session_id, cwd="/w"), SessionOpened)
        yield me


async def answered(me: Mailbox, entry_id: str, session_id: str, cost: float | None) -> None:
    usage = Usage(input_tokens=1, cost_usd=cost)
    body = AssistantMessage(blocks=(Text(text="…"),), stop_reason="end_turn", model="m", usage=usage)
    said = Entry(id=f"{entry_id}-u", session_id=session_id, parent="", at=1.0, body=UserMessage(text="x", turn_id="t"))
    entry = Entry(id=entry_id, session_id=session_id, parent="", at=1.0, body=body)
    await me.ask("store", Append(entries=(said, entry)), Done)


async def cost(me: Mailbox) -> float | None:
    return (await stands(me, "r1")).usd


async def test_all_sessions_of_a_run_and_no_others_are_added_up(tmp_path: Path) -> None:
    async with a_store(tmp_path) as me:
        nothing = await cost(me)
        await answered(me, "e1", ONE, 0.25)
        await answered(me, "e2", OTHER, 5.0)
        one = await cost(me)
        await answered(me, "e3", TWO, 0.5)
        await answered(me, "e3", TWO, 0.5)  # sent again, as when the store had died
        both = await cost(me)

    async with a_store(tmp_path) as me:
        after_a_restart = await cost(me)

    assert (nothing, one, both, after_a_restart) == (0.0, 0.25, 0.75, 0.75)


async def test_one_unknown_cost_makes_the_sum_unknown(tmp_path: Path) -> None:
    async with a_store(tmp_path) as me:
        await answered(me, "e1", ONE, 0.25)
        await answered(me, "e2", TWO, None)

        assert await cost(me) is None


async def test_a_stored_cost_that_is_none_makes_the_sum_unknown(tmp_path: Path) -> None:
    async with a_store(tmp_path) as me:
        await answered(me, "e1", ONE, 0.25)
        await answered(me, "e2", TWO, -5.0)

        assert await cost(me) is None


async def test_what_broke_off_counts(tmp_path: Path) -> None:
    async with a_store(tmp_path) as me:
        await answered(me, "e1", ONE, 0.25)
        for number, usd in enumerate((0.5, None)):
            body = BrokenTry(usage=Usage(cost_usd=usd))
            entry = Entry(id=f"b{number}", session_id=ONE, parent="", at=1.0, body=body)
            await me.ask("store", Append(entries=(entry,)), Done)

        assert await cost(me) == 1.0
