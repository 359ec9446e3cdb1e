"""A session page by page, as somebody reads it who cannot hold all of it."""

from pathlib import Path

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import AssistantMessage, Body, Entry, Text, ToolCall, ToolResult, UserMessage
from actors.messages.store import Append, PageEnds, ReadPage, ReadPageEnds
from actors.store.blobs import LARGE
from actors.store.entries import PAGE
from tests.actors.store.test_large_parts import chain
from tests.actors.store.test_store import a_store, open_session


def step(number: int) -> tuple[Body, ...]:
    """An answer with two calls, and their results."""
    calls = tuple(ToolCall(call_id=f"{number}{which}", name="bash", arguments="{}") for which in "ab")
    results = (ToolResult(call_id=call.call_id, name="bash", output="x" * LARGE * 2) for call in calls)
    said = AssistantMessage(blocks=(Text(text="I look."), *calls), stop_reason="tool_calls", model="p/m")
    return (said, *results)


async def page(me: Mailbox, end: str = "", after: str = "") -> list[Entry]:
    async with me.stream("store", ReadPage(session_id="s1", end=end, after=after)) as stream:
        return [entry async for entry in stream if isinstance(entry, Entry)]


async def test_the_pages_from_the_end_back_are_the_whole_session_and_part_no_call_from_its_result(
    tmp_path: Path,
) -> None:
    steps = (body for number in range(70) for body in step(number))
    whole = chain(UserMessage(text="go", turn_id="t", prompt_id="p"), *steps)
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        await me.ask("store", Append(entries=whole), Done)

        pages = [await page(me)]
        while before := pages[0][0].parent:
            pages.insert(0, await page(me, before))
        ends = (await me.ask("store", ReadPageEnds(session_id="s1", end=whole[-1].id), PageEnds)).ends

    assert [entry for one in pages for entry in one] == list(whole)
    assert ends == tuple(one[-1].id for one in pages)
    assert all(PAGE <= len(one) < PAGE + 3 for one in pages[1:])
    assert not any(isinstance(one[0].body, ToolResult) for one in pages)


async def test_what_came_after_an_entry_is_the_end_of_the_page(tmp_path: Path) -> None:
    whole = chain(UserMessage(text="go", turn_id="t", prompt_id="p"), *step(1), *step(2))
    async with a_store(tmp_path) as (_, me):
        await open_session(me)
        await me.ask("store", Append(entries=whole), Done)

        assert await page(me, after=whole[4].id) == list(whole[5:])
        assert await page(me, after=whole[-1].id) == []
        assert await page(me, after="of another path") == list(whole)
        assert await page(me, end="unknown") == []
