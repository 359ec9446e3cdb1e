"""The list of sessions is read off what is kept with each: what it cost, who answered, how large it is."""

import sqlite3
from pathlib import Path

import pytest

from actors.common.budget import Billed, spent
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    BrokenTry,
    Compacted,
    Entry,
    Named,
    StopReason,
    Text,
    UserMessage,
)
from actors.messages.store import Append, ListSessions, NameSession, Sessions, SessionSummary
from actors.messages.usage import Usage
from actors.store.schema import FILE
from actors.store.spending.sums import CHUNK
from tests.actors.store.test_store import a_store, open_session
from tests.fakes.budgets import stands

SAID = UserMessage(text="x", turn_id="t", prompt_id="t")


def answer(cost: float | None, stop_reason: StopReason = "end_turn", model: str = "p/m") -> AssistantMessage:
    usage = Usage(input_tokens=1, cost_usd=cost)
    return AssistantMessage(blocks=(Text(text="…"),), stop_reason=stop_reason, model=model, usage=usage)


def broken(cost: float | None) -> BrokenTry:
    return BrokenTry(usage=Usage(cost_usd=cost))


BILLED: tuple[Billed, ...] = (
    answer(0.25),
    broken(0.5),
    broken(None),  # as much as the answer before
    answer(None, "cancelled"),
    Compacted(why="asked", usage=Usage(cost_usd=0.125)),
    Named(usage=Usage(cost_usd=0.0625)),
    answer(0.5, model="p/other"),
    answer(None, "cancelled"),
)
TOKENS = (0, 1, 1, 2, 3, 3, 3, 4, 5)
"""After so many of them."""


async def stored(me: Mailbox, *bodies: Body) -> None:
    await open_session(me, model="p/first", branch="main")
    entries = [Entry(id=f"e{at}", session_id="s1", parent="", at=1.0, body=body) for at, body in enumerate(bodies)]
    for _ in range(2):  # sent again, as when the store had died
        await me.ask("store", Append(entries=tuple(entries)), Done)


async def listed(me: Mailbox) -> SessionSummary:
    (one,) = (await me.ask("store", ListSessions(), Sessions)).sessions
    return one


def as_left_by(home: Path, version: int) -> None:
    """What later versions keep is not there."""
    with sqlite3.connect(home / FILE) as database:
        assert version == 2
        for column in ("cost", "last_cost", "uncounted_from", "tokens", "last_tokens"):
            database.execute(f"ALTER TABLE sessions DROP COLUMN {column}")
        for table in ("batch_tasks", "batch_runs", "leases", "raised_limits"):
            database.execute(f"DROP TABLE {table}")
        database.execute("UPDATE sessions SET model = 'p/first'")
        database.execute(f"PRAGMA user_version={version}")
    database.close()


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize("count", range(len(BILLED) + 1))
async def test_the_cost_is_that_of_all_that_was_billed(tmp_path: Path, count: int, older: bool) -> None:
    bodies = BILLED[:count]
    async with a_store(tmp_path) as (_, me):
        await stored(me, SAID, *bodies)
    if older:
        as_left_by(tmp_path, 2)

    async with a_store(tmp_path) as (_, me):
        summary = await listed(me)
        asked = await stands(me, "s1")

    answering = [body.model for body in bodies if isinstance(body, AssistantMessage)]
    assert (summary.cost_usd, summary.model) == (spent(bodies), ["p/first", *answering][-1])
    assert asked.usd == summary.cost_usd
    assert asked.tokens == TOKENS[count]


@pytest.mark.parametrize("unknown", [answer(None), answer(-1.0), Compacted(why="asked", usage=Usage())])
async def test_one_unknown_cost_makes_the_sum_unknown(tmp_path: Path, unknown: Body) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me, SAID, answer(0.25), unknown, answer(0.25))

        assert (await listed(me)).cost_usd is None


async def test_what_an_older_version_wrote_and_what_came_after_is_counted_once(tmp_path: Path) -> None:
    before = [answer(0.25) for _ in range(CHUNK)]
    async with a_store(tmp_path) as (_, me):
        await stored(me, SAID, *before)
    as_left_by(tmp_path, 2)

    async with a_store(tmp_path) as (_, me):
        await stored(me, SAID, *before, answer(0.5))
        costs = [(await listed(me)).cost_usd]
        await stored(me, SAID, *before, answer(0.5), answer(0.5))
        costs.append((await listed(me)).cost_usd)

    assert costs == [CHUNK * 0.25 + 0.5, CHUNK * 0.25 + 1.0]


async def test_of_what_nobody_can_read_the_cost_is_unknown(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me, SAID, answer(0.25))
    as_left_by(tmp_path, 2)
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE entries SET body = x'7b' WHERE id = 'e1'")
    database.close()

    async with a_store(tmp_path) as (_, me):
        assert (await listed(me)).cost_usd is None


async def test_a_list_reads_no_entries(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me, SAID, *BILLED)
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE entries SET body = x'7b'")
    database.close()

    async with a_store(tmp_path) as (_, me):
        summary = await listed(me)

    assert (summary.entries, summary.title, summary.branch) == (1 + len(BILLED), "x", "main")
    assert summary.cost_usd == spent(BILLED)


async def test_a_name_from_a_model_counts_once_and_only_where_there_is_none(tmp_path: Path) -> None:
    named = [Named(name=name, usage=Usage(cost_usd=0.25)) for name in ("", "the first", "the second")]
    async with a_store(tmp_path) as (_, me):
        await stored(me, SAID, *named)
        assert (await listed(me)).name == "the first"

        await me.ask("store", NameSession(session_id="s1", name="my own"), Done)
        more = Entry(id="e9", session_id="s1", parent="", at=1.0, body=named[2])
        await me.ask("store", Append(entries=(more,)), Done)

        assert (await listed(me)).name == "my own"
        assert (await listed(me)).cost_usd == 1.0
