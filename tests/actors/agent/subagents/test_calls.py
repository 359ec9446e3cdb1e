"""The model's calls about subagents, once they are allowed."""

from collections.abc import Awaitable, Callable

import pytest

from actors.agent.subagents.calls import AgentCalls
from actors.agent.subagents.subagents import Subagents
from actors.errors import Failed, failed
from actors.messages.base import ProblemCode
from actors.messages.conversation import Body, ToolCall
from actors.messages.tool import Merging
from actors.messages.worktree import WorktreeMerged

CALL = ToolCall(call_id="c", name="merge_agent", arguments='{"name": "writer"}')


class OneWriter(Subagents):
    """One, with whatever is in its worktree at the moment."""

    def __init__(self) -> None:
        self.patch = "+first"
        self.merged: list[str] = []
        self.trouble: ProblemCode | None = None

    async def merging(self, name: str, paths: tuple[str, ...]) -> Merging:
        if self.trouble is not None:
            raise failed(self.trouble, "so it is.")
        assert (name, paths) == ("writer", ())
        return Merging(files=("a.txt",), diff=self.patch)

    async def merge(
        self, name: str, paths: tuple[str, ...], before: Callable[[], Awaitable[tuple[Body, ...]]]
    ) -> WorktreeMerged:
        assert (name, paths, await before()) == ("writer", (), ())
        self.merged.append(self.patch)
        return WorktreeMerged(files=("a.txt",))


async def nothing() -> tuple[Body, ...]:
    return ()


async def test_what_was_allowed_is_merged_and_nothing_that_came_since() -> None:
    """Whoever is asked may take his time, and somebody talks on with the agent meanwhile."""
    writer = OneWriter()
    calls = AgentCalls(writer, nothing)

    await calls.merging(CALL)
    writer.patch += "+more"
    since = await calls.run(CALL)
    await calls.merging(CALL)
    again = await calls.run(CALL)

    assert "has changed more since this was allowed, so nothing was merged" in since.output
    assert (since.failed, again.failed, writer.merged) == (True, False, ["+first+more"])


async def test_nobody_is_asked_about_a_merge_that_can_come_to_nothing() -> None:
    writer = OneWriter()
    calls = AgentCalls(writer, nothing)

    writer.trouble = "bad_request"
    with pytest.raises(Failed, match="so it is"):
        await calls.merging(CALL)
    writer.trouble = "no_worktree"

    assert await calls.merging(CALL) is None
