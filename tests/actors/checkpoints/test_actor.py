"""The actor: asked and told, given up on, and again; nobody waits for what nobody needs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio

from actors.checkpoints import actor, scan
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.checkpoint import (
    Checkpoint,
    CheckpointDiff,
    Checkpoints,
    DiffCheckpoint,
    ListCheckpoints,
    Moment,
    RestoreCheckpoint,
    Restored,
    TakeCheckpoint,
)
from actors.settings.config import Settings
from tests.fakes.network import open_network


@asynccontextmanager
async def asking(tmp_path: Path) -> AsyncIterator[tuple[Mailbox, Path]]:
    """And the workspace."""
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    settings = Settings(home=str(home), cwd=str(work), session_id="5e55", run_id="r1")
    async with open_network() as network:
        network.start("checkpoints", partial(actor.run, settings=settings))
        yield network.mailbox("agent:main"), work


def wanted(work: Path, prompt: str = "p1", moment: Moment = "before") -> TakeCheckpoint:
    return TakeCheckpoint(cwd=str(work), session_id="5e55", prompt_id=prompt, moment=moment)


async def take(mailbox: Mailbox, work: Path, prompt: str = "p1") -> str:
    return (await mailbox.ask("checkpoints", wanted(work, prompt), Checkpoint)).checkpoint_id


async def restored(mailbox: Mailbox, work: Path, checkpoint: str) -> Restored:
    restore = RestoreCheckpoint(cwd=str(work), checkpoint_id=checkpoint, session_id="5e55", restore_id="r1")
    return await mailbox.ask("checkpoints", restore, Restored)


async def test_what_is_told_is_done_before_what_is_asked_after_it(tmp_path: Path) -> None:
    async with asking(tmp_path) as (mailbox, work):
        first = await take(mailbox, work)
        (work / "made").write_text("by the turn\n")
        mailbox.tell("checkpoints", wanted(work, moment="after"))
        compared = DiffCheckpoint(cwd=str(work), checkpoint_id=first)
        told = await mailbox.ask("checkpoints", compared, CheckpointDiff)
        await restored(mailbox, work, first)
        listed = await mailbox.ask("checkpoints", ListCheckpoints(cwd=str(work), session_id="5e55"), Checkpoints)

    assert told.removed == ("made",)
    assert not (work / "made").exists()
    assert [one.moment for one in listed.checkpoints] == ["after", "undo", "after", "before"]


async def test_one_that_is_cancelled_costs_the_next_nothing(tmp_path: Path) -> None:
    async with asking(tmp_path) as (mailbox, work):
        (work / "a").write_text("old\n")
        for number in range(5):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(take, mailbox, work, f"cancelled {number}")
                for _ in range(number):
                    await trio.lowlevel.checkpoint()
                nursery.cancel_scope.cancel()
        checkpoint = await take(mailbox, work)
        (work / "a").write_text("new\n")
        await restored(mailbox, work, checkpoint)

    assert (work / "a").read_text() == "old\n"


async def test_a_workspace_that_is_too_large_is_not_looked_at_again_each_turn(tmp_path: Path) -> None:
    async with asking(tmp_path) as (mailbox, work):
        for number in range(scan.MOST_FILES + 1):
            (work / str(number)).symlink_to("x")
        with pytest.raises(Failed, match="more than 30,000 files") as first:
            await take(mailbox, work)
        (work / "0").unlink()
        with pytest.raises(Failed) as second:
            await take(mailbox, work, "p2")

    assert first.value.problem == second.value.problem
    assert first.value.problem.code == "no_checkpoint"


async def test_two_workspaces_do_not_wait_for_each_other(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    async with asking(tmp_path) as (mailbox, work):
        (work / "a").write_text("here\n")
        (other / "a").write_text("there\n")
        taken: dict[Path, str] = {}

        async def keep(folder: Path) -> None:
            taken[folder] = await take(mailbox, folder)

        async with trio.open_nursery() as nursery:
            for folder in (work, other):
                nursery.start_soon(keep, folder)
        (work / "a").unlink()
        (other / "a").unlink()
        await restored(mailbox, other, taken[other])

    assert (other / "a").read_text() == "there\n"
    assert not (work / "a").exists()
