"""The actor is asked about worktrees, and does other things while one takes its time."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio

from actors.checkpoints import actor
from actors.checkpoints.worktrees.keyed_folder import LOCK
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.checkpoint import (
    Checkpoint,
    ListWorktrees,
    MakeWorktree,
    MergeWorktree,
    Patch,
    PatchOf,
    RemoveWorktree,
    TakeCheckpoint,
    WorktreeMade,
    WorktreeMerged,
    WorktreeRemoved,
    Worktrees,
)
from actors.settings.config import Settings
from tests.actors.checkpoints.worktrees.copies import Copies
from tests.fakes.network import open_network

LONG_AGO = 1_000_000_000.0


@asynccontextmanager
async def asking(copies: Copies) -> AsyncIterator[Mailbox]:
    settings = Settings(home=str(copies.home), cwd=str(copies.root), session_id="s", run_id="r1")
    async with open_network() as network:
        network.start("checkpoints", partial(actor.run, settings=settings))
        yield network.mailbox("agent:main")


async def test_a_worktree_is_made_looked_at_merged_and_removed(copies: Copies) -> None:
    copies.write("a", "one\n")
    copies.begin()
    async with asking(copies) as mailbox:
        wanted = MakeWorktree(key="s.1", cwd=str(copies.root))
        made = await mailbox.ask("checkpoints", wanted, WorktreeMade)
        copies.write("b", "new\n", within=Path(made.top))
        listed = await mailbox.ask("checkpoints", ListWorktrees(), Worktrees)
        patch = await mailbox.ask("checkpoints", PatchOf(key="s.1"), Patch)
        merged = await mailbox.ask("checkpoints", MergeWorktree(key="s.1"), WorktreeMerged)
        removed = await mailbox.ask("checkpoints", RemoveWorktree(key="s.1"), WorktreeRemoved)
        with pytest.raises(Failed) as gone:
            await mailbox.ask("checkpoints", PatchOf(key="s.1"), Patch)

    assert [(one.key, one.repository, one.top) for one in listed.worktrees] == [("s.1", str(copies.root), made.top)]
    assert (patch.base, patch.files) == (made.base, ("b",))
    assert merged.files == ("b",)
    assert removed.ref == "refs/trouper/work/s.1"
    assert gone.value.problem.code == "no_worktree"


async def test_one_that_takes_its_time_holds_nobody_else_up(copies: Copies) -> None:
    copies.write("a", "one\n")
    copies.begin()
    others: list[str] = []
    async with asking(copies) as mailbox, trio.open_nursery() as nursery:

        async def make(key: str) -> None:
            await mailbox.ask("checkpoints", MakeWorktree(key=key, cwd=str(copies.root)), WorktreeMade)
            others.append(key)

        with copies.among.held("slow"):
            nursery.start_soon(make, "slow")
            await make("quick")
            taking = TakeCheckpoint(cwd=str(copies.root), session_id="s", prompt_id="p", moment="before")
            await mailbox.ask("checkpoints", taking, Checkpoint)
            waited = list(others)

    assert waited == ["quick"]
    assert others == ["quick", "slow"]


async def test_what_is_left_over_is_swept_with_the_first_checkpoint(copies: Copies) -> None:
    copies.write("a", "one\n")
    copies.begin()
    copies.write("b", "new\n", within=Path(copies.make("old").top))
    folder = copies.among.folder("old")
    (folder / "owner").write_text("1 1")
    os.utime(folder / LOCK, (LONG_AGO, LONG_AGO))

    async with asking(copies) as mailbox:
        listed = await mailbox.ask("checkpoints", ListWorktrees(), Worktrees)
        assert [one.key for one in listed.worktrees] == ["old"]  # whoever only looks at them sweeps none
        taking = TakeCheckpoint(cwd=str(copies.root), session_id="s", prompt_id="p", moment="before")
        await mailbox.ask("checkpoints", taking, Checkpoint)
        with trio.fail_after(60):
            while (await mailbox.ask("checkpoints", ListWorktrees(), Worktrees)).worktrees:
                await trio.lowlevel.checkpoint()

    assert copies.git("show", "refs/trouper/work/old:b") == "new"
