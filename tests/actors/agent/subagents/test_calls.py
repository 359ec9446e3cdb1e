"""The model's calls about subagents, once they are allowed."""

from pathlib import Path

import pytest

from actors.agent.subagents.calls import AgentCalls
from actors.agent.subagents.orders import carried_out
from actors.agent.subagents.subagents import Subagents
from actors.errors import Failed, failed
from actors.messages.base import ProblemCode
from actors.messages.checkpoint import Patch
from actors.messages.conversation import Body, ToolCall
from actors.messages.subagent import MergeSubagent, ShowChanges
from actors.messages.tool import Merging
from tests.fakes.subagent_stage import Stage, a_stage

CALL = ToolCall(call_id="c", name="merge_agent", arguments='{"name": "one"}')


async def nothing() -> tuple[Body, ...]:
    return ()


async def written(stage: Stage) -> None:
    """One has ended that has changed a file."""
    stage.answer, stage.writes_at_its_end = "Done.", ["a.txt"]
    await stage.spawn()
    await stage.subagents.ended("one")


async def test_what_was_allowed_is_merged_and_nothing_that_came_since(tmp_path: Path) -> None:
    """Whoever is asked may take his time, and somebody talks on with the agent meanwhile."""
    async with a_stage(str(tmp_path)) as stage:
        await written(stage)
        calls = AgentCalls(stage.subagents, nothing)

        await calls.merging(CALL)
        stage.files.append("b.txt")
        since = await calls.run(CALL)
        await calls.merging(CALL)
        again = await calls.run(CALL)

    assert "more was changed there since that was seen" in since.output
    assert (since.failed, again.failed) == (True, False)
    assert [(wanted.seen, wanted.paths) for wanted in stage.merged] == [("a.txt b.txt", ())]


async def test_what_the_user_was_shown_is_merged_and_nothing_that_came_since(tmp_path: Path) -> None:
    async with a_stage(str(tmp_path)) as stage:
        await written(stage)
        shown = await carried_out(stage.subagents, ShowChanges(name="one"), nothing)
        assert isinstance(shown, Patch)
        stage.files.append("b.txt")

        with pytest.raises(Failed, match="more was changed there"):
            await carried_out(stage.subagents, MergeSubagent(name="one", seen=shown.id), nothing)

    assert (shown.files, stage.merged) == (("a.txt",), [])
    assert stage.subagents.one("one").unmerged == ("a.txt",)


class Troubled(Subagents):
    def __init__(self, trouble: ProblemCode) -> None:
        self._trouble = trouble

    async def merging(self, name: str, paths: tuple[str, ...]) -> Merging:
        raise failed(self._trouble, f"so it is with {name} {paths}.")


async def test_nobody_is_asked_about_a_merge_that_can_come_to_nothing() -> None:
    with pytest.raises(Failed, match="so it is"):
        await AgentCalls(Troubled("bad_request"), nothing).merging(CALL)

    assert await AgentCalls(Troubled("no_worktree"), nothing).merging(CALL) is None
