"""What is wrong with a stored session is named, and healed in a copy; the session itself stays as it is."""

import sqlite3
from pathlib import Path

import pytest

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Entry,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.store import Append, Checked, CheckSession, RepairSession
from actors.messages.usage import Usage
from actors.store.repair import LOST, NO_RESULT
from actors.store.schema import FILE
from tests.actors.store.test_store import a_store, open_session


def calling(*call_ids: str) -> AssistantMessage:
    calls = tuple(ToolCall(call_id=one, name="bash", arguments="{}") for one in call_ids)
    return AssistantMessage(
        blocks=(Text(text="look"), *calls), stop_reason="tool_calls", model="p/m", usage=Usage(cost_usd=0.25)
    )


def result(call_id: str, output: str = "it is so") -> ToolResult:
    return ToolResult(call_id=call_id, name="bash", output=output)


PROMPT = UserMessage(text="look", turn_id="t", prompt_id="t")
END = TurnEnded(turn_id="t", reason="done")
LARGE = "x" * 50_000
WHOLE = (PROMPT, calling("a", "b"), result("b"), result("a", LARGE), calling("a"), result("a"), END)
OPEN = (*WHOLE, PROMPT, calling("c", "d"), result("d"))


async def stored(me: Mailbox, *bodies: Body) -> None:
    await open_session(me)
    ids = [f"e{at}" for at in range(len(bodies))]
    entries = [
        Entry(id=own, session_id="s1", parent=parent, at=1.0, body=body)
        for parent, own, body in zip(["", *ids], ids, bodies, strict=False)
    ]
    await me.ask("store", Append(entries=tuple(entries)), Done)


async def problems(me: Mailbox, session_id: str = "s1") -> tuple[str, ...]:
    return (await me.ask("store", CheckSession(session_id=session_id), Checked)).problems


async def repaired(me: Mailbox) -> list[Body]:
    for _ in range(2):  # asked again, as when the store had died
        await me.ask("store", RepairSession(session_id="s1", copy_id="s2"), Done)
    assert await problems(me, "s2") == ()
    return [entry.body for entry in (await open_session(me, session_id="s2", resume=True))[0]]


@pytest.mark.parametrize("bodies", [(), WHOLE, OPEN])
async def test_a_session_in_order_has_no_problems(tmp_path: Path, bodies: tuple[Body, ...]) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me, *bodies)

        assert await problems(me) == ()


@pytest.mark.parametrize(
    ("bodies", "wrong", "healed"),
    [
        (
            (PROMPT, calling("a", "b"), result("a"), END),
            ("entry e3: call b before it has no result",),
            (PROMPT, calling("a", "b"), result("a"), ToolResult(
                call_id="b", name="bash", output=NO_RESULT, failed=True
            ), END),
        ),
        (
            (PROMPT, calling("a"), result("a"), result("a"), result("z"), END),
            ("entry e3: another result of call a", "entry e4: a result without a call of call z"),
            (PROMPT, calling("a"), result("a"), END),
        ),
    ],
)  # fmt: skip
async def test_each_call_has_one_result(
    tmp_path: Path, bodies: tuple[Body, ...], wrong: tuple[str, ...], healed: tuple[Body, ...]
) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me, *bodies)

        assert await problems(me) == wrong
        assert await repaired(me) == list(healed)
        assert await problems(me) == wrong


@pytest.mark.parametrize(
    ("damage", "wrong", "healed"),
    [
        (
            "UPDATE entries SET parent = 'nowhere' WHERE id = 'e4'",
            "entry e4: its parent nowhere is not there",
            WHOLE,
        ),
        (
            "UPDATE entries SET parent = 'e6' WHERE id = 'e4'",
            "entry e4: its parent e6 is no older than itself",
            WHOLE,
        ),
        (
            "UPDATE blobs SET data = x'00'",
            "entry e3: what is kept beside it as output is not what it was",
            (*WHOLE[:3], result("a", LOST), *WHOLE[4:]),
        ),
        (
            "DELETE FROM blobs",
            "entry e3: what is kept beside it as output is not there",
            (*WHOLE[:3], result("a", LOST), *WHOLE[4:]),
        ),
        (
            "UPDATE entries SET body = x'7b7d' WHERE id = 'e6'",
            "entry number 7 cannot be read: ",
            WHOLE[:6],
        ),
        ("UPDATE sessions SET entries = 9", "the list says entries 9, and it is 7", WHOLE),
        ("UPDATE sessions SET cost = 9", "the list says cost 9.0, and it is 0.5", WHOLE),
        (
            "INSERT INTO labels VALUES ('nowhere', 's1', 'x')",
            "a label names entry nowhere, which is not there",
            WHOLE,
        ),
    ],
)
async def test_what_is_damaged_is_named_and_left_out_of_the_copy(
    tmp_path: Path, damage: str, wrong: str, healed: tuple[Body, ...]
) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me, *WHOLE)
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute(damage)
    database.close()

    async with a_store(tmp_path) as (_, me):
        found = await problems(me)

        assert any(problem.startswith(wrong) for problem in found)
        assert await repaired(me) == list(healed)
        assert await problems(me) == found
